// Every mode of an answer, byte for byte, and writes that fail at any call.
#include <gtest/gtest.h>

#include "cli/answer/answer_json.h"
#include "cli/answer/result_printer.h"
#include "cli/session/query_progress.h"

namespace oscope::cli {
namespace {

constexpr OutputMode kAllModes[] = {OutputMode::kTable,     OutputMode::kCsv,      OutputMode::kJson,
                                    OutputMode::kJsonLines, OutputMode::kMarkdown, OutputMode::kVertical};

AnswerRow Row(std::vector<Value> cells) {
  AnswerRow row;
  row.cells = std::move(cells);
  return row;
}

Answer Made(std::vector<std::string> columns, std::vector<AnswerRow> rows) {
  Answer answer;
  answer.columns = std::move(columns);
  answer.asked_columns = answer.columns.size();
  answer.rows = std::move(rows);
  return answer;
}

// Texts with everything that some mode has to escape, a number, and cells without a value.
Answer Strange() {
  return Made({"b", "b.ti\nt|le", "distance"},
              {Row({std::string("Ini-1"), std::string("a,b \"c\"\nd\x1b[m"), uint64_t{12}}),
               Row({std::string("Ini-22"), std::string("=1+\xe6\xbc\xa2|*_`[x]<\\\xff"), uint64_t{3}}),
               Row({std::string("Ini-3"), Value(), Value()})});
}

std::string Printed(OutputMode mode, const Answer& answer, size_t width = 0) {
  std::string all;
  const Status status = MakeResultPrinter(mode, width)->PrintAnswer(answer, [&](std::string_view text) {
    all += text;
    return Status();
  });
  EXPECT_TRUE(status.ok());
  return all;
}

std::string PrintedText(OutputMode mode, std::string_view text) {
  std::string all;
  const Status status = MakeResultPrinter(mode, 0)->PrintText(text, [&](std::string_view piece) {
    all += piece;
    return Status();
  });
  EXPECT_TRUE(status.ok());
  return all;
}

TEST(ShellPrinters, Table) {
  EXPECT_EQ(Printed(OutputMode::kTable, Strange()),
            "b       b.ti\\nt|le          distance\n"
            "Ini-1   a,b \"c\"\\nd\\x1b[m          12\n"
            "Ini-22  =1+\xe6\xbc\xa2|*_`[x]<\\\\xff         3\n"
            "Ini-3\n");
}

TEST(ShellPrinters, TableWithoutRowsIsNoText) { EXPECT_EQ(Printed(OutputMode::kTable, Made({"b"}, {})), ""); }

// Only texts beside a bug give way: its id is what the next command needs, and numbers are never cut.
TEST(ShellPrinters, TableCutsTextsAndNoIds) {
  Answer answer = Made({"b", "a.title", "distance", "also"},
                       {Row({std::string("Project-1234567890"), std::string("a long title of a bug"), uint64_t{123456},
                             std::string("another long text")})});
  answer.asked_columns = 3;
  EXPECT_EQ(Printed(OutputMode::kTable, answer, 50),
            "b                   a.title    distance  also\n"
            "Project-1234567890  a long t…    123456  another …\n");
  // What SELECT itself names, and is no field of a bug, is a bug.
  answer.asked_columns = 4;
  EXPECT_EQ(Printed(OutputMode::kTable, answer, 55),
            "b                   a.title   distance  also\n"
            "Project-1234567890  a long …    123456  another long text\n");
}

TEST(ShellPrinters, Csv) {
  EXPECT_EQ(Printed(OutputMode::kCsv, Strange()),
            "b,\"b.ti\nt|le\",distance\r\n"
            "Ini-1,\"a,b \"\"c\"\"\nd\\x1b[m\",12\r\n"
            "Ini-22,'=1+\xe6\xbc\xa2|*_`[x]<\\\\xff,3\r\n"
            "Ini-3,,\r\n");
  EXPECT_EQ(Printed(OutputMode::kCsv, Made({"b", "c"}, {})), "b,c\r\n");
  EXPECT_EQ(Printed(OutputMode::kCsv, Made({}, {Row({})})), "\r\n\r\n");
  EXPECT_EQ(Printed(OutputMode::kCsv, Made({"=b"}, {Row({std::string("-1")}), Row({uint64_t{1}})})),
            "'=b\r\n'-1\r\n1\r\n");
}

TEST(ShellPrinters, CsvOfTextIsALineARow) {
  EXPECT_EQ(PrintedText(OutputMode::kCsv, "one, two\n\nthree"), "text\r\n\"one, two\"\r\n\r\nthree\r\n");
  EXPECT_EQ(PrintedText(OutputMode::kCsv, "one\n"), "text\r\none\r\n");
  EXPECT_EQ(PrintedText(OutputMode::kCsv, ""), "text\r\n");
}

TEST(ShellPrinters, Markdown) {
  EXPECT_EQ(Printed(OutputMode::kMarkdown, Strange()),
            "| b | b.ti\\\\nt\\|le | distance |\n"
            "|---|---|---:|\n"
            "| Ini-1 | a,b \"c\"\\\\nd\\\\x1b\\[m | 12 |\n"
            "| Ini-22 | =1+\xe6\xbc\xa2\\|\\*\\_\\`\\[x\\]&lt;\\\\\\\\xff | 3 |\n"
            "| Ini-3 |  |  |\n");
  // Without rows no column is known to have numbers.
  EXPECT_EQ(Printed(OutputMode::kMarkdown, Made({"b", "distance"}, {})), "| b | distance |\n|---|---|\n");
  EXPECT_EQ(PrintedText(OutputMode::kMarkdown, "a\n\x1b*b*\n"), "    a\n    \\x1b*b*\n");
}

TEST(ShellPrinters, Vertical) {
  EXPECT_EQ(Printed(OutputMode::kVertical, Strange()),
            "-[ 1 ]--------------------\n"
            "b           Ini-1\n"
            "b.ti\\nt|le  a,b \"c\"\n"
            "            d\\x1b[m\n"
            "distance    12\n"
            "-[ 2 ]--------------------\n"
            "b           Ini-22\n"
            "b.ti\\nt|le  =1+\xe6\xbc\xa2|*_`[x]<\\\\xff\n"
            "distance    3\n"
            "-[ 3 ]--------------------\n"
            "b           Ini-3\n"
            "b.ti\\nt|le\n"
            "distance\n");
  EXPECT_EQ(Printed(OutputMode::kVertical, Made({"b"}, {})), "");
}

// Columns are counted as the terminal shows them, and what ends a text is not shown as an empty line.
TEST(ShellPrinters, VerticalOfWideNamesAndOddTexts) {
  EXPECT_EQ(Printed(OutputMode::kVertical,
                    Made({"\xe6\xbc\xa2\xe6\xbc\xa2", "b"}, {Row({std::string("x\n"), std::string("\n")}),
                                                             Row({std::string("\n\ny"), std::string("  z  ")})})),
            "-[ 1 ]--------------------\n"
            "\xe6\xbc\xa2\xe6\xbc\xa2  x\n"
            "b\n"
            "-[ 2 ]--------------------\n"
            "\xe6\xbc\xa2\xe6\xbc\xa2\n"
            "\n"
            "      y\n"
            "b       z\n");
}

TEST(ShellPrinters, TextAsItIsInTheOtherModes) {
  for (const OutputMode mode : {OutputMode::kTable, OutputMode::kVertical})
    EXPECT_EQ(PrintedText(mode, "a\n  \x1b[1mb"), "a\n  \\x1b[1mb\n");
  EXPECT_EQ(PrintedText(OutputMode::kJson, "a\n\xff"), "{\n  \"text\": \"a\\n\\ufffd\"\n}\n");
  EXPECT_EQ(PrintedText(OutputMode::kJsonLines, "a\n\x1b"), "{\"text\":\"a\\n\\u001b\"}\n");
}

Answer Paired() {
  Answer answer = Made({"b", "b.resolved"}, {Row({std::string("Ini-1"), Value()}),
                                             Row({std::string("Ini-2"), uint64_t{7}}), Row({std::string("Ini-3")})});
  answer.rows[0].bugs = {{"Ini", "1"}, {"Ini", "9"}};
  answer.rows[0].distance = 3;
  answer.rows[0].pair = TracePair{TraceId{}, TraceId{}};
  answer.rows[1].bugs = {{"Ini", "2"}};
  answer.notes = {"widened"};
  answer.damaged = {"segment-1"};
  answer.stats = {.traces = 1,
                  .by_length = 2,
                  .by_sketch = 3,
                  .by_postings = 4,
                  .verified = 5,
                  .check_ns = 6,
                  .plan_ns = 7,
                  .run_ns = 8};
  return answer;
}

TEST(ShellPrinters, Json) {
  Answer answer = Paired();
  const std::string trace = ToString(TraceId{});
  EXPECT_EQ(
      Printed(OutputMode::kJson, answer),
      "{\n\"columns\": [\"b\",\"b.resolved\"],\n\"rows\": [\n"
      "{\"bugs\":[\"Ini-1\",\"Ini-9\"],\"distance\":3,\"pair\":{\"ours\":\"" +
          trace + "\",\"theirs\":\"" + trace +
          "\"},\"values\":{\"b\":\"Ini-1\",\"b.resolved\":null}},\n"
          "{\"bugs\":[\"Ini-2\"],\"distance\":null,\"pair\":null,\"values\":{\"b\":\"Ini-2\",\"b.resolved\":7}},\n"
          "{\"values\":{\"b\":\"Ini-3\"}}\n"
          "],\n\"notes\": [\"widened\"],\n\"damaged\": [\"segment-1\"],\n"
          "\"stats\": "
          "{\"traces\":1,\"removed_by_length\":2,\"removed_by_sketch\":3,\"removed_by_postings\":4,\"verified\":5,"
          "\"check_ns\":6,\"plan_ns\":7,\"run_ns\":8}\n}\n");
  answer.rows.clear();
  EXPECT_TRUE(Printed(OutputMode::kJson, answer)
                  .starts_with("{\n\"columns\": [\"b\",\"b.resolved\"],\n\"rows\": [],\n\"notes\""));
}

TEST(ShellPrinters, JsonLines) {
  Answer answer = Paired();
  answer.rows[0].pair->theirs.reset();
  const std::string trace = ToString(TraceId{});
  EXPECT_EQ(Printed(OutputMode::kJsonLines, answer),
            "{\"bugs\":[\"Ini-1\",\"Ini-9\"],\"distance\":3,\"pair\":{\"ours\":\"" + trace +
                "\",\"theirs\":null},\"values\":{\"b\":\"Ini-1\",\"b.resolved\":null}}\n"
                "{\"bugs\":[\"Ini-2\"],\"distance\":null,\"pair\":null,\"values\":{\"b\":\"Ini-2\",\"b.resolved\":7}}\n"
                "{\"values\":{\"b\":\"Ini-3\"}}\n");
  answer.rows.clear();
  EXPECT_EQ(Printed(OutputMode::kJsonLines, answer), "");
}

// More cells than columns, which no query gives: what has no name is left out.
TEST(ShellPrinters, JsonOfMoreCellsThanColumns) {
  EXPECT_EQ(Printed(OutputMode::kJsonLines, Made({"b"}, {Row({uint64_t{1}, uint64_t{2}})})),
            "{\"values\":{\"b\":1}}\n");
}

// A write that fails ends the printing with its error, whichever call it is: nothing is written after it.
TEST(ShellPrinters, AWriteThatFailsEndsEveryPrinter) {
  for (const OutputMode mode : kAllModes) {
    for (int failing = 1;; ++failing) {
      int calls = 0;
      const Status status = MakeResultPrinter(mode, 0)->PrintAnswer(Strange(), [&](std::string_view) {
        return ++calls == failing ? IoError(ENOSPC, "write", "answer") : Status();
      });
      if (calls < failing) {
        EXPECT_TRUE(status.ok()) << OutputModeName(mode);
        EXPECT_GT(failing, mode == OutputMode::kTable ? 1 : 3) << OutputModeName(mode);
        break;
      }
      EXPECT_FALSE(status.ok()) << OutputModeName(mode) << ", write " << failing;
      EXPECT_EQ(calls, failing) << OutputModeName(mode);
    }
    const Status status = MakeResultPrinter(mode, 0)->PrintText(
        "a\nb", [](std::string_view) { return IoError(ENOSPC, "write", "text"); });
    EXPECT_FALSE(status.ok()) << OutputModeName(mode);
  }
}

TEST(ShellPrinters, ModesHaveNames) {
  EXPECT_EQ(OutputModeNames(), (std::vector<std::string>{"table", "csv", "json", "jsonlines", "markdown", "vertical"}));
  for (const OutputMode mode : kAllModes) {
    const Result<OutputMode> parsed = ParseOutputMode(OutputModeName(mode));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, mode);
  }
  EXPECT_EQ(OutputModeName(static_cast<OutputMode>(99)), "");
  const Result<OutputMode> unknown = ParseOutputMode("jsonline");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(unknown.error().message,
            "mode 'jsonline': unknown (did you mean 'jsonlines'?); there are table, csv, json, jsonlines, markdown, "
            "vertical");
}

TEST(ShellProgress, BarAndWords) {
  EXPECT_EQ(FormatQueryProgress({.done = 0, .total = 0, .rows = 0}, 0), "searching  0 traces");
  EXPECT_EQ(FormatQueryProgress({.done = 5, .total = 0, .rows = 1}, 0), "searching  5 traces  1 row");
  EXPECT_EQ(FormatQueryProgress({.done = 0, .total = 1, .rows = 0}, 0),
            "[....................]  searching  0%  0 traces");
  EXPECT_EQ(FormatQueryProgress({.done = 1, .total = 1, .rows = 2}, 0),
            "[####################]  searching  100%  1 traces  2 rows");
  EXPECT_EQ(FormatQueryProgress({.done = 60, .total = 100, .rows = 17}, 1000),
            "[############........]  searching  60%  60 traces  60/s  0:00 left  17 rows");
  EXPECT_EQ(FormatQueryProgress({.done = 99, .total = 100, .rows = 0}, 0),
            "[###################.]  searching  99%  99 traces");
  // More than there should be: the bar is full, and no longer than it is.
  EXPECT_EQ(FormatQueryProgress({.done = 7, .total = 2, .rows = 0}, 0),
            "[####################]  searching  100%  7 traces");
}

}  // namespace
}  // namespace oscope::cli
