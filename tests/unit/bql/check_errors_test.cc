// What is told of queries that parse but cannot be right, and of those that are only odd.
#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "bql/metric_table.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

class CheckErrorsTest : public ::testing::Test {
 protected:
  std::string ErrorsOf(std::string_view text) {
    const CheckedStatement checked = Compile(text, catalog_, context_);
    EXPECT_EQ(checked.ok(), checked.select.has_value()) << text;
    return RenderShort(text, checked.diagnostics);
  }
  void Expect(const std::string& text, const std::string& errors) { EXPECT_EQ(ErrorsOf(text), errors) << text; }
  void ExpectWhere(const std::string& condition, const std::string& errors) {
    Expect("SELECT b WHERE " + condition, errors);
  }

  ListCatalog catalog_;
  CheckContext context_;
};

TEST_F(CheckErrorsTest, OfferTheNearestNames) {
  ExpectWhere("SUBSET?(b, b52)", "1:27: unknown bug 'b52': did you mean 'b2'?\n");
  ExpectWhere("SUBSET?(bb, b1)", "1:24: unknown bug 'bb': did you mean 'b1'?\n");
  Expect("SELECT b FROM Rhin WHERE b.id = 'x'", "1:15: unknown project 'Rhin': did you mean 'Rhino'?\n");
  Expect("SELECT b FROM Zebra WHERE b.id = 'x'", "1:15: unknown project 'Zebra'\n");
  ExpectWhere("b.titel = 'x'", "1:18: unknown field 'titel': did you mean 'title'?\n");
  ExpectWhere("b.vote = 3", "1:18: unknown field 'vote': did you mean 'votes'?\n");
  ExpectWhere("c.title = 'x'", "1:16: 'c' is not a variable of the SELECT: did you mean 'b'?\n");
  ExpectWhere("b.id = 'x' DISTANCE lev", "1:36: unknown metric 'lev': it is " + MetricChoices() + "\n");
  ExpectWhere("b.id = 'x' DISTANCE haming", "1:36: unknown metric 'haming': did you mean 'hamming'?\n");
  ExpectWhere("b.id = 'x' DISTANCE cosine", "1:36: unknown metric 'cosine': it is " + MetricChoices() + "\n");
  ExpectWhere("b.id = 'x' DISTANCE u(token)", "1:38: unknown metric 'token': did you mean 'tokens'?\n");
  ExpectWhere("b.id = 'x' DISTANCE u", "1:36: u needs the name of a metric of the configuration: u(name)\n");
  ExpectWhere("b.id = 'x' DISTANCE l(3)", "1:36: levenshtein takes no arguments\n");
  ExpectWhere("b.status = 'resolvd'", "1:27: unknown status 'resolvd': did you mean 'resolved'?\n");
  ExpectWhere("b.status = 'unknown'", "1:27: unknown status 'unknown': it is open, reopened, resolved or closed\n");
  ExpectWhere("b.signal = 'SIGSEG'", "1:27: unknown signal 'SIGSEG': did you mean 'SIGSEGV' or 'SIGSYS'?\n");
}

TEST_F(CheckErrorsTest, TellOfBugsOfSeveralProjects) {
  ExpectWhere("SUBSET?(b, 323)", "1:27: '323' is a bug of several projects: write `Configuration-323`\n");
}

TEST_F(CheckErrorsTest, TellOfUnknownParameters) {
  context_.parameters = {{"len", "x"}};
  ExpectWhere("SUBSET?(b[:lenn], tbug)",
              "1:26: unknown parameter ':lenn': did you mean 'len'?\n1:34: tbug, the bug that the query is about, is "
              "not set\n");
  ExpectWhere("SUBSET?(b[:len], b1)", "1:26: a length is a whole number, not 'x' (of :len)\n");
  ExpectWhere("INTERSECT?(b, \"open :x\")", "1:36: unknown parameter ':x'\n");
}

TEST_F(CheckErrorsTest, TellOfArgumentsOutOfRange) {
  ExpectWhere("INTERSECT?(b, b1, -3)", "1:34: d is negative: -3\n");
  ExpectWhere("INTERSECT?(b, b1, 0.5)", "1:34: d is a whole number, not 0.5\n");
  ExpectWhere("INTERSECT?(b, b1, 99999999999999999999)", "1:34: d is too large: 99999999999999999999\n");
  ExpectWhere("INTERSECT?(b, b1, n => 0)", "1:39: n is at least 1, not 0\n");
  ExpectWhere("INTERSECT?(b, b1, n => any)", "1:39: n is a number, not any\n");
  ExpectWhere("INTERSECT?(b, b1, 'x')", "1:34: d is a number or any, not 'x'\n");
  ExpectWhere("JACCARD?(b, b1, 1.5)", "1:32: t is a number from 0 to 1 with at most 9 decimals, not 1.5\n");
  ExpectWhere("JACCARD?(b, b1, -0.5)", "1:32: t is a number from 0 to 1 with at most 9 decimals, not -0.5\n");
  ExpectWhere("SUBSET?(b[0], b1)", "1:26: a length is at least 1, not 0\n");
  ExpectWhere("SUBSET?(PROJ(b, thread:x), b1)", "1:32: a thread's number is a whole number, not x\n");
  ExpectWhere("b.id = 'x' LIMIT -1", "1:33: LIMIT is negative: -1\n");
  ExpectWhere("b.created < 'soon'", "1:28: 'soon' is no date: write 2026-01-02 or 2026-01-02T03:04:05Z\n");
}

TEST_F(CheckErrorsTest, TellOfWrongArity) {
  ExpectWhere("SUBSET?(b, b1, 1, 2)", "1:34: too many arguments: SUBSET?(bug, pattern, d)\n");
  ExpectWhere("JACCARD?(b, b1)", "1:16: JACCARD? needs t: JACCARD?(bug, pattern, t, d)\n");
  ExpectWhere("SUBSET?(b, b1, n => 2)", "1:31: SUBSET? has no argument 'n': SUBSET?(bug, pattern, d)\n");
  ExpectWhere("INTERSECT?(b, b1, 1, d => 2)", "1:37: 'd' is given twice\n");
  ExpectWhere("INTERSECT?(b, b1, d => 1, 2)", "1:42: an argument without a name cannot follow a named one\n");
}

TEST_F(CheckErrorsTest, TellPatternsFromBugs) {
  ExpectWhere("SUBSET?(\"open\", b1)", "1:24: the first argument of SUBSET? is a bug, not a pattern\n");
  ExpectWhere("SUBSET?(b | b1, b1)", "1:24: the first argument of SUBSET? is a bug, not a pattern\n");
  ExpectWhere("SUBSET?(b, \"open\"[5])", "1:27: [len], PROJ and .failing take a bug, not a pattern\n");
  ExpectWhere("SUBSET?(b, PROJ(b1 | b2, stack))", "1:27: [len] and PROJ take a bug, not a pattern\n");
}

TEST_F(CheckErrorsTest, RefuseMetricsThatKnowNoPatterns) {
  ExpectWhere("INTERSECT?(b, \"open\") DISTANCE vsm",
              "1:30: a pattern cannot be compared by vsm: it is for pairs of traces\n");
  ExpectWhere("INTERSECT?(b, b1 | b2*) DISTANCE weighted",
              "1:35: a pattern cannot be compared by weighted: it is for pairs of traces\n");
  ExpectWhere("INTERSECT?(b, \"open\") DISTANCE u(tokens)",
              "1:30: a pattern cannot be compared by u: it is for pairs of traces\n");
  ExpectWhere("INTERSECT?(b, \"open\") DISTANCE renamed",
              "1:30: a pattern cannot be compared under renamed: that metric renames events, and a pattern whose "
              "events are renamed is no longer a pattern\n");
  ExpectWhere("INTERSECT?(b, b1 | b2) DISTANCE vsm", "");
}

TEST_F(CheckErrorsTest, TellOfColumnsAndOrders) {
  Expect("SELECT a, b, c, d, e WHERE a.id = 'x'", "1:20: more than 4 variables\n");
  Expect("SELECT distance WHERE tbug.id = 'x'",
         "1:8: SELECT names no variable\n1:23: 'tbug' is not a variable of the SELECT\n");
  Expect("SELECT b, COUNT(b) WHERE b.id = 'x'",
         "1:11: COUNT cannot stand beside other columns: it counts the rows that they would show\n");
  Expect("SELECT a, b WHERE a.id = 'x' ORDER BY created", "1:39: a field needs its bug: write a.created\n");
  ExpectWhere("b.id = 'x' ORDER BY b", "1:36: ORDER BY takes a field or distance: write b.id\n");
  ExpectWhere("b.id = 'x' ORDER BY c.id", "1:36: 'c' is not a variable of the SELECT: did you mean 'b'?\n");
  ExpectWhere("b.id = 'x' ORDER BY b.idd", "1:38: unknown field 'idd': did you mean 'id'?\n");
}

TEST_F(CheckErrorsTest, TellOfFieldsAndOperatorsThatDoNotFit) {
  ExpectWhere("b.created LIKE '2026%'", "1:16: LIKE is for texts, and 'created' is a date: use < and >=\n");
  ExpectWhere("b.status < 'open'", "1:16: a status has no order: use =, != or IN\n");
}

TEST_F(CheckErrorsTest, TellOfEventSetsThatCannotBe) {
  ExpectWhere("SUBSET?(PROJ(b, !stack), b1)",
              "1:32: 'stack' cannot be negated: ! drops events by name, glob, regular expression or granularity\n");
  ExpectWhere("SUBSET?(PROJ(b, \"read,net::*\"), b1)", "1:32: a list contains names only: give a glob by itself\n");
  ExpectWhere("SUBSET?(PROJ(b, \" , \"), b1)", "1:32: this names no events\n");
  EXPECT_TRUE(ErrorsOf("SELECT b WHERE SUBSET?(PROJ(b, /(/), b1)").starts_with("1:32: "));
}

TEST_F(CheckErrorsTest, LocatePatternErrorsInTheQuery) {
  EXPECT_TRUE(ErrorsOf("SELECT b WHERE INTERSECT?(b, \"open (read\")").starts_with("1:36: "));
  EXPECT_TRUE(ErrorsOf("SELECT b WHERE INTERSECT?(b, \"open ?? x\")").find("1:3") == 0);
  context_.parameters = {{"p", "open ("}};
  EXPECT_TRUE(ErrorsOf("SELECT b WHERE INTERSECT?(b, \"close :p\")").starts_with("1:37: "));
}

TEST_F(CheckErrorsTest, WarnOfNamesThatNoEventHas) {
  ExpectWhere("INTERSECT?(b, \"open clsoe\")", "1:36: warning: no event is named 'clsoe': did you mean 'close'?\n");
  ExpectWhere("INTERSECT?(PROJ(b, \"read, wrte\"), b1)",
              "1:42: warning: no event is named 'wrte': did you mean 'write'?\n");
  catalog_.events.clear();  // not cheaply known
  ExpectWhere("INTERSECT?(b, \"open clsoe\")", "");
}

TEST_F(CheckErrorsTest, WarnWhenEveryTraceMatches) {
  ExpectWhere("INTERSECT?(b, \"open close\", 2)",
              "1:44: warning: every trace matches: 2 edits can turn any trace into the pattern's 2 events\n");
  ExpectWhere("INTERSECT?(b, \"open close\", 1)", "");
  ExpectWhere("INTERSECT?(b, \"open*\")",
              "1:30: warning: every trace matches: the pattern matches a trace without events\n");
  ExpectWhere("INTERSECT?(b, \"open\", d => any)", "");
  ExpectWhere("INTERSECT?(b, b1 | \"open\", 1)",
              "1:43: warning: every trace matches: 1 edits can turn any trace into the pattern's 1 event\n");
}

TEST_F(CheckErrorsTest, ComeWithThoseOfTheParser) {
  Expect("SELECT b FROM Rhin WHERE INTERSECT?(b52, b.failing[0], t => 2 && b.titel ! 'x' LIMIT x",
         "1:15: unknown project 'Rhin': did you mean 'Rhino'?\n"
         "1:37: unknown bug 'b52': did you mean 'b2'?\n"
         "1:52: a length is at least 1, not 0\n"
         "1:56: INTERSECT? has no argument 't': INTERSECT?(bug, pattern, d, n)\n"
         "1:63: expected ',' or ')'\n"
         "1:68: unknown field 'titel': did you mean 'title'?\n"
         "1:74: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"
         "1:86: expected a number after LIMIT\n");
}

}  // namespace
}  // namespace oscope::bql
