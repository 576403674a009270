#include <gtest/gtest.h>

#include "quill/layout/wrap.h"

namespace quill::layout {
namespace {

using Lines = std::vector<std::string>;

WrapOptions Width(size_t width) {
  WrapOptions options;
  options.width = width;
  return options;
}

TEST(Wrap, PutsWordsIntoLines) {
  EXPECT_EQ(Wrap("one two  three\nfour five", Width(11)), (Lines{"one two", "three four", "five"}));
  EXPECT_EQ(Wrap("", Width(10)), Lines{});
  EXPECT_EQ(Wrap("a verylongword b", Width(6)), (Lines{"a", "verylongword", "b"}));
}

TEST(Wrap, LinesMayBeAsWideAsAsked) {
  EXPECT_EQ(Wrap("aaaa bbbbb cccc ddddd e", Width(10)), (Lines{"aaaa bbbbb", "cccc ddddd", "e"}));
}

TEST(Wrap, IndentedLinesMayBeAsWideAsAsked) {
  WrapOptions options = Width(12);
  options.first_indent = "* ";
  options.indent = "  ";
  EXPECT_EQ(Wrap("apple pear plum melon", options), (Lines{"* apple pear", "  plum melon"}));
}

TEST(Wrap, LettersOfTwoBytesTakeOneColumn) {
  EXPECT_EQ(
      Wrap("\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc", Width(8)),
      (Lines{"\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4\xc3\xb6\xc3\xbc", "\xc3\xa4\xc3\xb6\xc3\xbc"}));
}

TEST(Wrap, AccentsOfTheirOwnTakeNoRoom) {
  WrapOptions options = Width(16);
  options.indent = "> ";
  const Lines lines = Wrap("souper cafe\xcc\x81 carte\xcc\x81 de\xcc\x81 jour", options);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "> carte\xcc\x81 de\xcc\x81 jour");
}

TEST(Justify, SpreadsBlanks) {
  EXPECT_EQ(Justify("a b c", 9), "a   b   c");
  EXPECT_EQ(Justify("a b c", 8), "a   b  c");
  EXPECT_EQ(Justify("too wide already", 8), "too wide already");
}

TEST(Justify, OneWordStaysAsItIs) { EXPECT_EQ(Justify("alone", 20), "alone"); }

TEST(Wrap, JustifiedLinesMayHoldOneWord) {
  WrapOptions options = Width(16);
  options.justify = true;
  options.indent = "  ";
  const Lines lines = Wrap("see incomprehensible notes on the margin", options);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], "see");
}

TEST(Tabs, GoToTheNextStop) {
  EXPECT_EQ(ExpandTabs("a\tbc\td", 4), "a   bc  d");
  EXPECT_EQ(ExpandTabs("abcd\te", 4), "abcd    e");
}

TEST(Pad, FillsUpToTheWidth) {
  EXPECT_EQ(Pad("ab", 5), "ab   ");
  EXPECT_EQ(Pad("ab", 5, Side::kRight), "   ab");
  EXPECT_EQ(Pad("ab", 5, Side::kCenter), " ab  ");
  EXPECT_EQ(Pad("abcdef", 5), "abcdef");
}

}  // namespace
}  // namespace quill::layout
