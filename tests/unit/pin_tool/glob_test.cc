#include "tracer/pin/glob.h"

#include <gtest/gtest.h>

#include <random>

namespace oscope::pin {
namespace {

// The definition, word by word.
bool SlowFits(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') return SlowFits(glob.substr(1), text) || (!text.empty() && SlowFits(glob, text.substr(1)));
  return !text.empty() && (glob[0] == '?' || glob[0] == text[0]) && SlowFits(glob.substr(1), text.substr(1));
}

TEST(PinGlob, MatchesTheWholeText) {
  EXPECT_TRUE(GlobFits("std::*", "std::vector<int>::push_back"));
  EXPECT_FALSE(GlobFits("std::*", "mystd::f"));
  EXPECT_TRUE(GlobFits("*.so*", "/lib/libc.so.6"));
  EXPECT_TRUE(GlobFits("", ""));
  EXPECT_FALSE(GlobFits("", "a"));
  EXPECT_TRUE(GlobFits("**", ""));
  EXPECT_FALSE(GlobFits("?", ""));
}

TEST(PinGlob, IsTheDefinitionOnRandomTexts) {
  std::mt19937 random(7);
  const auto pick = [&](std::string_view letters, size_t most) {
    std::string text;
    for (size_t i = random() % (most + 1); i > 0; --i) text += letters[random() % letters.size()];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::string glob = pick("ab*?", 8), text = pick("ab", 10);
    ASSERT_EQ(GlobFits(glob, text), SlowFits(glob, text)) << glob << " on " << text;
  }
}

TEST(PinGlob, AFileIsThePathsEndAtASlash) {
  EXPECT_TRUE(IsPathEnd("parser.c", "/home/me/parser.c"));
  EXPECT_TRUE(IsPathEnd("me/parser.c", "/home/me/parser.c"));
  EXPECT_TRUE(IsPathEnd("/home/me/parser.c", "/home/me/parser.c"));
  EXPECT_TRUE(IsPathEnd("parser.c", "parser.c"));
  EXPECT_FALSE(IsPathEnd("parser.c", "/home/me/yaparser.c"));
  EXPECT_FALSE(IsPathEnd("", "/home/me/parser.c"));
}

}  // namespace
}  // namespace oscope::pin
