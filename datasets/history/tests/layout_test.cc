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
  const char* const text =
      "The quick brown fox jumps over the lazy dog and runs into the wood where nobody has ever "
      "seen it again";
  EXPECT_EQ(Wrap(text, Width(21)),
            (Lines{"The quick brown fox", "jumps over the lazy", "dog and runs into the",
                   "wood where nobody has", "ever seen it again"}));
}

TEST(Wrap, NarrowLinesMayBeAsWideAsAsked) {
  EXPECT_EQ(Wrap("Cats sleep on warm roofs while dogs guard the yard and chase away every stranger "
                 "from the town",
                 Width(18)),
            (Lines{"Cats sleep on warm", "roofs while dogs", "guard the yard and",
                   "chase away every", "stranger from the", "town"}));
}

TEST(Wrap, IndentedLinesMayBeAsWideAsAsked) {
  WrapOptions options = Width(12);
  options.first_indent = "* ";
  options.indent = "  ";
  EXPECT_EQ(Wrap("figs and dates or nuts, bread", options),
            (Lines{"* figs and", "  dates or", "  nuts,", "  bread"}));
  EXPECT_EQ(Wrap("apple pear plum melon", options), (Lines{"* apple pear", "  plum melon"}));
}

TEST(Wrap, LettersOfTwoBytesTakeOneColumn) {
  for (size_t width = 5; width < 20; width += 3)
    EXPECT_EQ(Wrap("plain text", Width(width)).size(), width < 10 ? 2u : 1u);
  const std::string word = "\xc3\xa4\xc3\xb6\xc3\xbc";
  EXPECT_EQ(Wrap(word + " " + word + " " + word, Width(8)), (Lines{word + " " + word, word}));
}

TEST(Wrap, CyrillicLettersTakeOneColumn) {
  EXPECT_EQ(Wrap("peace, work, may", Width(11)), (Lines{"peace,", "work, may"}));
  const std::string peace = "\xd0\xbc\xd0\xb8\xd1\x80";
  const std::string work = "\xd1\x82\xd1\x80\xd1\x83\xd0\xb4";
  const std::string may = "\xd0\xbc\xd0\xb0\xd0\xb9";
  EXPECT_EQ(Wrap(peace + " " + work + " " + may + " " + peace + " " + may, Width(13)),
            (Lines{peace + " " + work + " " + may, peace + " " + may}));
}

TEST(Wrap, AccentsOfTheirOwnTakeNoRoom) {
  WrapOptions options = Width(16);
  options.indent = "> ";
  EXPECT_EQ(Wrap("soup, salad, cheese, bread", options),
            (Lines{"soup, salad,", "> cheese, bread"}));
  const Lines lines = Wrap("souper cafe\xcc\x81 carte\xcc\x81 de\xcc\x81 jour", options);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "> carte\xcc\x81 de\xcc\x81 jour");
}

TEST(Justify, SpreadsBlanks) {
  EXPECT_EQ(Justify("a b c", 9), "a   b   c");
  EXPECT_EQ(Justify("a b c", 8), "a   b  c");
  EXPECT_EQ(Justify("too wide already", 8), "too wide already");
}

TEST(Justify, OneWordStaysAsItIs) {
  for (size_t width = 9; width < 25; ++width) EXPECT_EQ(Justify("two words", width).size(), width);
  EXPECT_EQ(Justify("alone", 20), "alone");
}

TEST(Justify, OneLongWordStaysAsItIs) {
  for (size_t width = 12; width < 40; width += 5) {
    EXPECT_EQ(Justify("to be or not", width).size(), width);
  }
  EXPECT_EQ(Justify("Congratulations", 15), "Congratulations");
  EXPECT_EQ(Justify("Congratulations", 31), "Congratulations");
}

TEST(Wrap, JustifiedLinesMayHoldOneWord) {
  WrapOptions options = Width(16);
  options.justify = true;
  options.indent = "  ";
  const Lines lines =
      Wrap("notes on the left margin, otherwise incomprehensible notes on the right", options);
  ASSERT_GE(lines.size(), 4u);
  EXPECT_EQ(lines[0], "notes   on   the");
  EXPECT_EQ(lines[2], "  otherwise");
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
