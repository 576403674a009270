// How text, times and tables are shown: to the column.
#include <gtest/gtest.h>

#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

TEST(ShownText, DurationsChangeTheirUnitAtTheBound) {
  EXPECT_EQ(ShownDuration(0), "0 us");
  EXPECT_EQ(ShownDuration(999'000), "999 us");
  EXPECT_EQ(ShownDuration(1'000'000), "1 ms");
  EXPECT_EQ(ShownDuration(999'000'000), "999 ms");
  EXPECT_EQ(ShownDuration(1'000'000'000), "1.0 s");
  EXPECT_EQ(ShownDuration(119'900'000'000), "119.9 s");
  EXPECT_EQ(ShownDuration(120'000'000'000), "2 min");
  EXPECT_EQ(ShownDuration(3'600'000'000'000), "60 min");
}

TEST(ShownText, TimesAreToTheSecond) {
  EXPECT_EQ(ShownTime(std::nullopt), "");
  EXPECT_EQ(ShownTime(0), "1970-01-01 00:00:00");
  EXPECT_EQ(ShownTime(1'706'702'400'500'000'000), "2024-01-31 12:00:00");
}

TEST(ShownText, LinesAndBlocks) {
  EXPECT_EQ(OneLine("one\ntwo"), "one");
  EXPECT_EQ(OneLine("one\r\ntwo"), "one");
  EXPECT_EQ(OneLine("one"), "one");
  EXPECT_EQ(OneLine(""), "");
  EXPECT_EQ(Shown("a\tb\x1b"), "a\\tb\\x1b");
  EXPECT_EQ(ShownBlock("", "  "), "");
  EXPECT_EQ(ShownBlock("one", "  "), "  one\n");
  EXPECT_EQ(ShownBlock("one\n", "  "), "  one\n");
  EXPECT_EQ(ShownBlock("one\r\n\r\n\ttwo\x1b\n\n", "> "), "> one\n\n> \ttwo\\x1b\n\n");
}

TEST(ShownText, CountsHaveTheirPlural) {
  EXPECT_EQ(Counted(0, "run"), "0 runs");
  EXPECT_EQ(Counted(1, "run"), "1 run");
  EXPECT_EQ(Counted(2, "run"), "2 runs");
  EXPECT_EQ(Counted(1234, "run"), "1,234 runs");
  EXPECT_EQ(Counted(1, "query", "queries"), "1 query");
  EXPECT_EQ(Counted(1000, "query", "queries"), "1,000 queries");
}

TEST(ShownText, TheNearestNameIsOffered) {
  EXPECT_EQ(Nearest("fromat", {"format", "store"}), " (did you mean 'format'?)");
  EXPECT_EQ(Nearest("fromat", {"store"}), "");
  EXPECT_EQ(Nearest("fromat", {}), "");
}

TEST(ShownText, ColoursAreEmptyWhereThereShallBeNone) {
  const Palette off(false), on(true);
  EXPECT_EQ(off.red, "");
  EXPECT_EQ(off.reset, "");
  EXPECT_EQ(on.reset, "\x1b[0m");
  EXPECT_EQ(on.bold, "\x1b[1m");
  EXPECT_EQ(on.dim, "\x1b[2m");
  EXPECT_EQ(on.red, "\x1b[31m");
  EXPECT_EQ(on.green, "\x1b[32m");
  EXPECT_EQ(on.yellow, "\x1b[33m");
  EXPECT_EQ(on.blue, "\x1b[34m");
  EXPECT_EQ(on.magenta, "\x1b[35m");
  EXPECT_EQ(on.cyan, "\x1b[36m");
}

TEST(ShownText, TwelveDigitsOfARun) {
  EXPECT_EQ(ShortId(*ParseRunId("0123456789abcdef0123456789abcdef")), "0123456789ab");
}

TEST(ATable, AlignsItsColumns) {
  TextTable table({{"A"}, {"N", true}, {"LAST"}});
  EXPECT_TRUE(table.empty());
  table.AddRow({"longer", "7", "x"});
  table.AddRow({"s", "1,000", ""});
  table.AddRow({"only"});
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.Render(0),
            "A           N  LAST\n"
            "longer      7  x\n"
            "s       1,000\n"
            "only\n");
  EXPECT_EQ(table.Render(0, "  "),
            "  A           N  LAST\n"
            "  longer      7  x\n"
            "  s       1,000\n"
            "  only\n");
}

TEST(ATable, EscapesItsCellsAndCountsWideCharacters) {
  TextTable table({{"A"}, {"B"}});
  table.AddRow({"\x1b[31m", "b"});
  table.AddRow({"日本", "c"});
  EXPECT_EQ(table.Render(0),
            "A         B\n"
            "\\x1b[31m  b\n"
            "日本      c\n");
}

TEST(ATable, IsCutOnlyWhereItMustBe) {
  TextTable table({{"FIXED"}, {"SHRINKS", false, true}});
  table.AddRow({"12345678901234567890", "abcdefghijklmnopqrst"});
  const std::string whole =
      "FIXED                 SHRINKS\n"
      "12345678901234567890  abcdefghijklmnopqrst\n";
  EXPECT_EQ(table.Render(0), whole);
  EXPECT_EQ(table.Render(42), whole);
  EXPECT_EQ(table.Render(41),
            "FIXED                 SHRINKS\n"
            "12345678901234567890  abcdefghijklmnopqr…\n");
  // The indent takes its part, and the least width is eight.
  EXPECT_EQ(table.Render(43, "  "),
            "  FIXED                 SHRINKS\n"
            "  12345678901234567890  abcdefghijklmnopqr…\n");
  EXPECT_EQ(table.Render(20),
            "FIXED                 SHRINKS\n"
            "12345678901234567890  abcdefg…\n");
}

TEST(ATable, SeveralColumnsGiveWayTogether) {
  TextTable table({{"A", false, true}, {"B", false, true}});
  table.AddRow({"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb"});
  EXPECT_EQ(table.Render(32),
            "A                B\n"
            "aaaaaaaaaaaaaa…  bbbbbbbbbbbbbb…\n");
}

}  // namespace
}  // namespace oscope::cli
