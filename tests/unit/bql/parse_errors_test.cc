// What is told of texts that are not BQL: every message with its place, and all of them at once.
#include <gtest/gtest.h>

#include "bql/metric_table.h"
#include "bql/syntax/parse.h"

namespace oscope::bql {
namespace {

std::string ErrorsOf(std::string_view text, const SyntaxLimits& limits = {}) {
  return RenderShort(text, ParseStatement(text, limits).diagnostics);
}

TEST(ParseErrors, SayWhatWasExpected) {
  const std::pair<const char*, std::string> cases[] = {
      {"", "1:1: expected SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY\n"},
      {"SELEC b", "1:1: expected SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY\n"},
      {"SELECT", "1:7: expected a variable after SELECT\n"},
      {"SELECT b", "1:9: expected ',', FROM or WHERE\n"},
      {"SELECT b,", "1:10: expected a variable, b.field or distance\n"},
      {"SELECT b b2 WHERE b.id = 'x'", "1:10: expected ',', FROM or WHERE\n"},
      {"SELECT b FROM WHERE b.id = 'x'", "1:15: expected a project or ALL after FROM\n"},
      {"SELECT b FROM Rhino", "1:20: expected ',' or WHERE\n"},
      {"SELECT b FROM Rhino LIMIT 5", "1:21: expected ',' or WHERE\n"},
      {"SELECT b WHERE", "1:15: expected a condition\n"},
      {"SELECT b FROM ALL WHERE INTERSECT?(b", "1:37: expected ',' and a pattern\n"},
      {"SELECT b FROM ALL WHERE INTERSECT?(b  -- more \n ", "1:37: expected ',' and a pattern\n"},
      {"SELECT b WHERE INTERSECT?", "1:26: expected '('\n"},
      {"SELECT b WHERE INTERSECT?(", "1:27: expected a bug\n"},
      {"SELECT b WHERE INTERSECT?(b,", "1:29: expected a bug or a pattern\n"},
      {"SELECT b WHERE INTERSECT?(b, \"x\"", "1:33: expected ',' or ')'\n"},
      {"SELECT b WHERE INTERSECT?(b, \"x\",)",
       "1:34: expected a number, a parameter or a named argument such as d => 10\n"},
      {"SELECT b WHERE INTERSECT?(b, \"x\", d =>)", "1:39: expected a value after '=>'\n"},
      {"SELECT b WHERE INTERSECT?(b, \"x\" | )", "1:36: expected a bug or a pattern after '|'\n"},
      {"SELECT b WHERE INTERSECT(b, \"x\")", "1:16: expected INTERSECT?, JACCARD? or SUBSET?\n"},
      {"SELECT b WHERE OVERLAP?(b, \"x\")", "1:16: expected INTERSECT?, JACCARD? or SUBSET?\n"},
      {"SELECT b WHERE SUBSET?(b[], \"x\")", "1:26: expected a length\n"},
      {"SELECT b WHERE SUBSET?(b[5, \"x\")", "1:27: expected ']'\n"},
      {"SELECT b WHERE SUBSET?([5], \"x\")", "1:27: expected a bug\n"},
      {"SELECT b WHERE SUBSET?(b.status, \"x\")",
       "1:26: expected 'failing', the only part of a bug that is a set of traces\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b), \"x\")", "1:30: expected ',' and the events to keep\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, ), \"x\")",
       "1:32: expected events: a quoted list, a glob, /a regular expression/ or a word such as stack\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, /x), \"x\")",
       "1:32: this regular expression is not closed: expected / after it\n"},
      {"SELECT b WHERE b", "1:17: expected '.' and a field\n"},
      {"SELECT b WHERE b.", "1:18: expected a field\n"},
      {"SELECT b WHERE b.title", "1:23: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE b.title = resolved", "1:26: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.title IN 'x'", "1:27: expected '('\n"},
      {"SELECT b WHERE b.title IN ()", "1:28: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.title IS 'x'", "1:27: expected NULL\n"},
      {"SELECT b WHERE (b.id = 'x'", "1:27: expected '&&', '||' or ')'\n"},
      {"SELECT b WHERE b.id = 'x')",
       "1:26: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE", "1:35: expected a metric after DISTANCE: " + MetricChoices() + "\n"},
      {"SELECT b WHERE b.id = 'x' ORDER created", "1:33: expected BY\n"},
      {"SELECT b WHERE b.id = 'x' ORDER BY", "1:35: expected a field or distance after ORDER BY\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT", "1:32: expected a number after LIMIT\n"},
      {"SELECT b WHERE b.id = 'x' WITH", "1:31: expected SELF after WITH\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT 5 LIMIT 6", "1:41: this clause is given twice\n"},
      {"EXPLAIN SHOW QUERIES", "1:9: expected SELECT or CALL after EXPLAIN\n"},
      {"SHOW", "1:5: expected QUERIES after SHOW\n"},
      {"SHOW QUERIES x", "1:14: expected the end of the statement\n"},
      {"DROP QUERY", "1:11: expected a saved query's name\n"},
      {"CREATE QUERY q(p) SELECT b WHERE b.id = 'x'", "1:19: expected AS and a SELECT\n"},
      {"CALL q(1", "1:9: expected ',' or ')'\n"},
  };
  for (const auto& [text, errors] : cases) EXPECT_EQ(ErrorsOf(text), errors) << text;
}

TEST(ParseErrors, ComeAllAtOnce) {
  EXPECT_EQ(ErrorsOf("SELECT b FROM WHERE INTERSECT?(b,, 3) && SUBSET?(b \"x\") || b.status & 'x' LIMIT ORDER created"),
            "1:15: expected a project or ALL after FROM\n"
            "1:34: expected a bug or a pattern\n"
            "1:52: expected ',' and a pattern\n"
            "1:69: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"
            "1:81: expected a number after LIMIT\n"
            "1:87: expected BY\n");
  EXPECT_EQ(ErrorsOf("SELECT b WHERE (INTERSECT?(b, PROJ(b, ), 3) && foo(b)) && b.title LIKE && b.a = 'x' foo bar "
                     "LIMIT 5 WHERE x"),
            "1:39: expected events: a quoted list, a glob, /a regular expression/ or a word such as stack\n"
            "1:48: expected INTERSECT?, JACCARD? or SUBSET?\n"
            "1:72: expected a quoted text, a number, a date or a parameter\n"
            "1:85: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n"
            "1:101: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n");
}

TEST(ParseErrors, TellOfAnUnclosedQuoteWhereItBegins) {
  // The thesis prints this query so, in section 3.3.2.
  EXPECT_EQ(ErrorsOf("SELECT b FROM ALL WHERE INTERSECT?(b, \"getKeySet)"),
            "1:39: this quote is not closed: expected \" after it\n");
  EXPECT_EQ(ErrorsOf("SELECT b WHERE b.title = 'x\n && b.id = 3 foo"),
            "1:26: this quote is not closed: expected ' after it\n"
            "2:14: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n");
  // Its doubled quotes are still one each.
  const ParsedStatement doubled = ParseStatement("SELECT b WHERE INTERSECT?(b, \"x\"\")");
  EXPECT_EQ(doubled.statement->select.where.set.right.term.text, "x\"");
  EXPECT_EQ(ErrorsOf("SELECT b WHERE SUBSET?(b, `x)"), "1:27: this quote is not closed: expected ` after it\n");
}

TEST(ParseErrors, LieInTheRightLine) {
  EXPECT_EQ(ErrorsOf("SELECT b\nWHERE INTERSECT?(b,\n  \"α\",\n  ,)"),
            "4:3: expected a number, a parameter or a named argument such as d => 10\n");
}

TEST(ParseErrors, LeaveWhatWasWhole) {
  const ParsedStatement parsed = ParseStatement("SELECT b FROM Rhino WHERE SUBSET?(b, b52 && b.id = 'x' LIMIT 3");
  ASSERT_TRUE(parsed.statement.has_value());
  const ast::Condition& where = parsed.statement->select.where;
  ASSERT_EQ(where.parts.size(), 2u);
  EXPECT_TRUE(where.parts[0].set.broken);
  EXPECT_EQ(where.parts[0].set.right.term.text, "b52");
  EXPECT_FALSE(where.parts[1].field.broken);
  EXPECT_EQ(parsed.statement->select.limit->text, "3");
}

TEST(ParseErrors, RefuseWhatIsTooLongOrTooDeep) {
  EXPECT_EQ(ErrorsOf(std::string(1 << 20, 'x')),
            "1:1: the statement has 1048576 bytes, more than 262144 (--max-query-bytes raises this limit)\n");
  const std::string deep = "SELECT b WHERE " + std::string(100'000, '(');
  EXPECT_EQ(ErrorsOf(deep), "1:216: nested deeper than 200 (--max-nesting raises this limit)\n");
  const std::string brackets = "SELECT b WHERE SUBSET?(" + std::string(100'000, '[');
  EXPECT_EQ(ErrorsOf(brackets), "1:223: nested deeper than 200 (--max-nesting raises this limit)\n");
  SyntaxLimits limits;
  limits.nesting = 1;
  EXPECT_EQ(ErrorsOf("SELECT b WHERE (SUBSET?(b, b))", limits),
            "1:24: nested deeper than 1 (--max-nesting raises this limit)\n");
}

TEST(ParseErrors, NestAsDeepAsTheLimitAllows) {
  const std::string text = "SELECT b WHERE " + std::string(200, '(') + "b.id = 'x'" + std::string(200, ')');
  EXPECT_EQ(ErrorsOf(text), "");
  const std::string pattern = "SELECT b WHERE SUBSET?(b, " + std::string(199, '(') + "b1" + std::string(199, ')') + ")";
  EXPECT_EQ(ErrorsOf(pattern), "");
}

TEST(ParseErrors, LongChainsDoNotNest) {
  std::string text = "SELECT b WHERE ";
  for (int i = 0; i < 10'000; ++i) text += "b.id='x'&&";
  EXPECT_EQ(ErrorsOf(text + "b.id='x'"), "");
  EXPECT_EQ(ErrorsOf("SELECT b WHERE " + std::string(200'000, '!') + "b.id='x'"), "");
  std::string prefixes = "SELECT b WHERE SUBSET?(";
  for (int i = 0; i < 50'000; ++i) prefixes += "[1]";
  EXPECT_EQ(ErrorsOf(prefixes + "b, b)"), "");
  EXPECT_EQ(ErrorsOf("SELECT b WHERE SUBSET?(b, b1" + std::string(200'000, '*') + ")"), "");
}

TEST(ParseErrors, StopAtTheirLimit) {
  std::string text = "SELECT b WHERE ";
  for (int i = 0; i < 20'000; ++i) text += "&&";
  EXPECT_EQ(ParseStatement(text).diagnostics.size(), SyntaxLimits{}.errors);
}

TEST(ParseErrors, NeverLoopOnClausesOutOfPlace) {
  for (const char* text :
       {"SELECT b WHERE b.id = 'x' WHERE WHERE", "SELECT b WHERE b.id = 'x' FROM FROM x", "FROM WHERE",
        "SELECT SELECT SELECT", "SELECT b WHERE && || && )", "SELECT b FROM FROM FROM WHERE",
        "SELECT b WHERE LIMIT LIMIT ; LIMIT", ";", "CREATE LIMIT"}) {
    EXPECT_NE(ErrorsOf(text), "") << text;
  }
}

}  // namespace
}  // namespace oscope::bql
