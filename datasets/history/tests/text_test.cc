#include <gtest/gtest.h>

#include "quill/text/cursor.h"
#include "quill/text/strings.h"
#include "quill/text/utf8.h"

namespace quill::text {
namespace {

TEST(Cursor, KnowsItsPlace) {
  Cursor cursor("ab\ncd");
  EXPECT_TRUE(cursor.Consume("ab"));
  EXPECT_FALSE(cursor.Consume('x'));
  cursor.SkipBlanks(true);
  EXPECT_EQ(cursor.position().line, 2u);
  EXPECT_EQ(cursor.TakeLine(), "cd");
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.Peek(), '\0');
  EXPECT_THROW(cursor.Next(), ParseError);
}

TEST(Strings, SplitAndJoin) {
  EXPECT_EQ(Split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(SplitLines("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(Join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(ToLower("Mixed"), "mixed");
}

TEST(Strings, ReplacesInOrder) {
  EXPECT_EQ(ReplaceEach("aab", {{"a", "b"}, {"b", "cc"}}), "cccccc");
}

TEST(Utf8, EncodesAndDecodes) {
  for (const uint32_t code_point : {0x41u, 0xE9u, 0x20ACu, 0x1F680u}) {
    std::string text;
    AppendUtf8(text, code_point);
    std::string_view view = text;
    EXPECT_EQ(TakeUtf8(view), code_point);
    EXPECT_TRUE(view.empty());
  }
  std::string_view broken = "\xc3(";
  EXPECT_EQ(TakeUtf8(broken), kReplacement);
}

TEST(Utf8, KnowsWidths) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("e\xcc\x81"), 1u);
  EXPECT_EQ(DisplayWidth("\xe6\xbc\xa2"), 2u);
}

}  // namespace
}  // namespace quill::text
