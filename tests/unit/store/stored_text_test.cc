#include "index/store/stored_text.h"

#include "base/escape.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

TEST(StoredText, KeepsOrdinaryText) {
  for (const std::string& text :
       std::vector<std::string>{"", "main", "net::Socket::read", "größe", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    EXPECT_TRUE(IsPlainText(text)) << text;
    EXPECT_EQ(ToStoredText(text), text);
    EXPECT_EQ(FromStoredText(text), text);
  }
}

TEST(StoredText, StoresTheDocumentedBytes) { EXPECT_EQ(ToStoredText("a\xff"), "a\xf4\x8f\xbf\xbf"); }

TEST(StoredText, IsAlwaysValidAndCanBeUndone) {
  std::mt19937_64 random(7);
  // Bytes that make broken, overlong, surrogate and escape-like sequences likely.
  const std::string alphabet = std::string("a\x00\x80\xbf\xbc\xc0\xc2\xe0\xed\xa0\x9f\xf0\x8f\xf4\x90\xf5\xff", 17);
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const std::string stored = ToStoredText(text);
    ASSERT_TRUE(IsValidUtf8(stored)) << EscapeForTerminal(text);
    ASSERT_EQ(FromStoredText(stored), text) << EscapeForTerminal(text);
    if (IsPlainText(text)) {
      ASSERT_EQ(stored, text);
    }
  }
}

}  // namespace
}  // namespace oscope
