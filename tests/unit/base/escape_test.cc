#include "base/escape.h"

#include <gtest/gtest.h>

#include <random>

namespace oscope {
namespace {

using namespace std::string_literals;

TEST(Escape, WhatDrivesATerminalBecomesVisible) {
  EXPECT_EQ(EscapeForTerminal("plain ü 漢 😀"), "plain ü 漢 😀");
  EXPECT_EQ(EscapeForTerminal("a\x1b[31mb\0c\x7f"s), "a\\x1b[31mb\\x00c\\x7f");
  EXPECT_EQ(EscapeForTerminal("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(EscapeForTerminal("\u202e\u2066\u200e\u061c\u200b\ufeff"), "\\u202e\\u2066\\u200e\\u061c\\u200b\\ufeff");
  EXPECT_EQ(EscapeForTerminal("\U000e0041"), "\\U000e0041");
  EXPECT_EQ(EscapeForTerminal("\n\t\r"), "\\n\\t\\r");
  EXPECT_EQ(EscapeForTerminal("\n\t\r", LineBreaks::kKeep), "\n\t\\r");
}

TEST(Escape, InvalidUtf8BecomesVisibleByteByByte) {
  EXPECT_EQ(EscapeForTerminal("\xff"), "\\xff");
  EXPECT_EQ(EscapeForTerminal("\xc0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(EscapeForTerminal("\xe0\x80\x80"), "\\xe0\\x80\\x80");           // overlong
  EXPECT_EQ(EscapeForTerminal("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // surrogate
  EXPECT_EQ(EscapeForTerminal("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  EXPECT_EQ(EscapeForTerminal("\xe2\x82"), "\\xe2\\x82");                    // cut off
  EXPECT_EQ(EscapeForTerminal("\xe2\x82z"), "\\xe2\\x82z");
}

TEST(Escape, RandomBytesComeOutHarmless) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 30, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string shown = EscapeForTerminal(bytes);
    EXPECT_TRUE(IsValidUtf8(shown));
    EXPECT_EQ(EscapeForTerminal(shown), shown);
    EXPECT_TRUE(IsValidUtf8(ToValidUtf8(bytes)));
    EXPECT_EQ(EscapeForHtml(bytes).find('<'), std::string::npos);
    const size_t width = random() % 20;
    EXPECT_LE(DisplayWidth(Truncate(shown, width)), width);
  }
}

TEST(Escape, Csv) {
  EXPECT_EQ(EscapeForCsv("plain"), "plain");
  EXPECT_EQ(EscapeForCsv(""), "");
  EXPECT_EQ(EscapeForCsv("a,b"), "\"a,b\"");
  EXPECT_EQ(EscapeForCsv("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(EscapeForCsv("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(EscapeForCsv("=1+1"), "'=1+1");
  EXPECT_EQ(EscapeForCsv("-x,y"), "\"'-x,y\"");
  EXPECT_EQ(EscapeForCsv("\tx"), "'\tx");
  EXPECT_EQ(EscapeForCsv("\x1b"), "\\x1b");
}

TEST(Escape, Html) {
  EXPECT_EQ(EscapeForHtml("<script a='b' c=\"d\">&"), "&lt;script a=&#39;b&#39; c=&quot;d&quot;&gt;&amp;");
  EXPECT_EQ(EscapeForHtml("a\nb\u202e"), "a\nb\\u202e");
}

TEST(Escape, ValidUtf8) {
  EXPECT_TRUE(IsValidUtf8("ü漢😀"));
  EXPECT_FALSE(IsValidUtf8("a\x80"));
  EXPECT_EQ(ToValidUtf8("a\xff\xfe ü"), "a\ufffd\ufffd ü");
}

TEST(Escape, WidthAndTruncation) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("漢字"), 4u);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);
  EXPECT_EQ(Truncate("abcdef", 6), "abcdef");
  EXPECT_EQ(Truncate("abcdef", 4), "abc…");
  EXPECT_EQ(Truncate("漢字漢", 4), "漢…");
  EXPECT_EQ(Truncate("abc", 1), "…");
  EXPECT_EQ(Truncate("abc", 0), "");
}

// Each length of a character, at its first and last one, and the forms just outside.
TEST(Escape, CharactersAtTheirBounds) {
  for (const std::string_view valid : {"\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                       "\xef\xbf\xbd", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsValidUtf8(valid)) << EscapeForTerminal(valid);
  }
  for (const std::string_view invalid :
       {"\x80", "\xbf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2", "\xe1\x80", "\xf1\x80\x80", "\xc2\x7f", "\xc2\xc0"}) {
    EXPECT_FALSE(IsValidUtf8(invalid)) << EscapeForTerminal(invalid);
  }
}

TEST(Escape, TheFirstAndLastOfWhatIsHidden) {
  EXPECT_EQ(EscapeForTerminal("\x1f \x7e\x7f"), "\\x1f ~\\x7f");
  EXPECT_EQ(EscapeForTerminal("\u009f\u00a0"), "\\u009f\u00a0");
  EXPECT_EQ(EscapeForTerminal("\u200a\u200b\u200f\u2010"), "\u200a\\u200b\\u200f\u2010");
  EXPECT_EQ(EscapeForTerminal("\u2027\u2028\u202e\u202f"), "\u2027\\u2028\\u202e\u202f");
  EXPECT_EQ(EscapeForTerminal("\U000e0000\U000e007f\U000e0080"), "\\U000e0000\\U000e007f\U000e0080");
}

TEST(Escape, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(EscapeForCsv(" a"), "\" a\"");
  EXPECT_EQ(EscapeForCsv("a "), "\"a \"");
  EXPECT_EQ(EscapeForCsv("a b"), "a b");
  for (const char* formula : {"=a", "+a", "-a", "@a"}) EXPECT_EQ(EscapeForCsv(formula), std::string("'") + formula);
  EXPECT_EQ(EscapeForCsv("\ra"), "'\\ra");
  EXPECT_EQ(EscapeForCsv("a=b"), "a=b");
}

TEST(Escape, TruncationAtTheWidthItself) {
  EXPECT_EQ(Truncate("漢字", 4), "漢字");
  EXPECT_EQ(Truncate("漢字", 3), "漢…");
  EXPECT_EQ(Truncate("漢字", 2), "…");
  EXPECT_EQ(Truncate("ab", 2), "ab");
  EXPECT_EQ(Truncate("ab", 1), "…");
  EXPECT_EQ(Truncate("", 0), "");
}

}  // namespace
}  // namespace oscope
