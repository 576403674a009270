// Statements, and all that is said of each: the texts they print, every error and warning, the hints at a cursor.
#include <gtest/gtest.h>

#include "bql/ast/print.h"
#include "bql/check/check.h"
#include "bql/check/print.h"
#include "bql/metric_table.h"
#include "bql/syntax/hints.h"
#include "bql/syntax/parse.h"
#include "bql/syntax/scan.h"
#include "bql/syntax/split.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

struct Said {
  const char* text;
  std::string said;
};

std::string Diagnostics(std::string_view text, const CheckContext& context = {}) {
  return RenderShort(text, Compile(text, ListCatalog(), context).diagnostics);
}

TEST(StatementTables, EveryErrorAndWarning) {
  const Said statements[] = {
      {"SELECT", "1:7: expected a variable after SELECT\n"},
      {"SELECT b", "1:9: expected ',', FROM or WHERE\n"},
      {"SELECT b WHERE", "1:15: expected a condition\n"},
      {"SELECT b WHERE  -- nothing", "1:15: expected a condition\n"},
      {"SELECT b FROM WHERE b.id = 'x'", "1:15: expected a project or ALL after FROM\n"},
      {"SELECT b FROM , WHERE b.id = 'x'", "1:15: expected a project or ALL after FROM\n"},
      {"SELECT b, WHERE b.id = 'x'", "1:11: expected a variable, b.field or distance\n"},
      {"SELECT b WHERE b.id", "1:20: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE b.id =", "1:22: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.id = 'x' AND", "1:30: expected a condition\n"},
      {"SELECT b WHERE b.id = 'x' AND ;", "1:30: expected a condition\n"},
      {"SELECT b WHERE (b.id = 'x'", "1:27: expected '&&', '||' or ')'\n"},
      {"SELECT b WHERE b.id = 'x')",
       "1:26: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n"},
      {"SELECT b WHERE (b.id = ) && b.title = && b.id = 'x'",
       "1:24: expected a quoted text, a number, a date or a parameter\n1:39: expected a quoted text, a number, a date "
       "or a parameter\n"},
      {"SELECT b WHERE SUBSET?(b, ) && SUBSET?(, b) || b.id = 'x' LIMIT",
       "1:27: expected a bug or a pattern\n1:40: expected a bug\n1:64: expected a number after LIMIT\n"},
      {"SELECT b WHERE SUBSET?(b b1) LIMIT x ORDER BY",
       "1:26: expected ',' and a pattern\n1:36: expected a number after LIMIT\n1:46: expected a field or distance "
       "after ORDER BY\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT 1 LIMIT 2", "1:41: this clause is given twice\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT -1", "1:33: LIMIT is negative: -1\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT -.5", "1:33: expected a number after LIMIT\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT .5", "1:33: expected a number after LIMIT\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT 1.5", "1:33: LIMIT is a whole number, not 1.5\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT 1.",
       "1:34: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n"},
      {"SELECT b WHERE b.id = 'x' LIMIT 10x", "1:33: expected a number after LIMIT\n"},
      {"SELECT b WHERE b.id = 'x' OFFSET 9223372036854775808", "1:34: OFFSET is too large: 9223372036854775808\n"},
      {"SELECT b WHERE b.id = 'x' OFFSET 9223372036854775807", ""},
      {"SELECT b WHERE b.id = 'x' OFFSET 99999999999999999999999",
       "1:34: OFFSET is too large: 99999999999999999999999\n"},
      {"SELECT b WHERE JACCARD?(b, b1, 1.5)", "1:32: t is a number from 0 to 1 with at most 9 decimals, not 1.5\n"},
      {"SELECT b WHERE JACCARD?(b, b1, 1.000000001)",
       "1:32: t is a number from 0 to 1 with at most 9 decimals, not 1.000000001\n"},
      {"SELECT b WHERE JACCARD?(b, b1, 1.0000000000)", ""},
      {"SELECT b WHERE JACCARD?(b, b1, 0.1234567891)",
       "1:32: t is a number from 0 to 1 with at most 9 decimals, not 0.1234567891\n"},
      {"SELECT b WHERE JACCARD?(b, b1, 0.123456789)", ""},
      {"SELECT b WHERE JACCARD?(b, b1, 0.12345678900)", ""},
      {"SELECT b WHERE JACCARD?(b, b1, .5)",
       "1:32: expected a number, a parameter or a named argument such as d => 10\n"},
      {"SELECT b WHERE JACCARD?(b, b1, 00.5)", "1:32: t is a number from 0 to 1 with at most 9 decimals, not 00.5\n"},
      {"SELECT b WHERE JACCARD?(b, b1, -0.5)", "1:32: t is a number from 0 to 1 with at most 9 decimals, not -0.5\n"},
      {"SELECT b WHERE JACCARD?(b, b1)", "1:16: JACCARD? needs t: JACCARD?(bug, pattern, t, d)\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, 1, 0)", "1:37: n is at least 1, not 0\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, 1, 2, 3)", "1:40: too many arguments: INTERSECT?(bug, pattern, d, n)\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, d => 1, d => 2)", "1:42: 'd' is given twice\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, 1, d => 2)", "1:37: 'd' is given twice\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, t => 1)",
       "1:34: INTERSECT? has no argument 't': INTERSECT?(bug, pattern, d, n)\n"},
      {"SELECT b WHERE SUBSET?(b, b1, n => 1)", "1:31: SUBSET? has no argument 'n': SUBSET?(bug, pattern, d)\n"},
      {"SELECT b WHERE SUBSET?(b[0], b1)", "1:26: a length is at least 1, not 0\n"},
      {"SELECT b WHERE SUBSET?([0]b, b1)", "1:25: a length is at least 1, not 0\n"},
      {"SELECT b WHERE SUBSET?(b[-1], b1)", "1:26: a length is negative: -1\n"},
      {"SELECT b WHERE SUBSET?(b, b1, - )",
       "1:31: expected a number, a parameter or a named argument such as d => 10\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, thread:), b1)", "1:32: a thread's number is a whole number, not \n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, thread:x), b1)", "1:32: a thread's number is a whole number, not x\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, \"a,,b\"), b1)",
       "1:33: warning: no event is named 'a'\n1:36: warning: no event is named 'b'\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, \"\"), b1)", "1:32: this names no events\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, !stack), b1)",
       "1:32: 'stack' cannot be negated: ! drops events by name, glob, regular expression or granularity\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, !thread:1), b1)",
       "1:32: 'thread:1' cannot be negated: ! drops events by name, glob, regular expression or granularity\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, /(/), b1)", "1:32: regular expression: missing ): (\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, /x), b1)", "1:32: this regular expression is not closed: expected / after it\n"},
      {"SELECT b WHERE SUBSET?(\"x\", b)", "1:24: the first argument of SUBSET? is a bug, not a pattern\n"},
      {"SELECT b WHERE SUBSET?(b1, b2)", ""},
      {"SELECT b WHERE SUBSET?(b, b1 | )", "1:32: expected a bug or a pattern after '|'\n"},
      {"SELECT b WHERE SUBSET?(b, (b1 | \"x\")[5])", "1:27: [len] and PROJ take a bug, not a pattern\n"},
      {"SELECT b WHERE SUBSET?(b, \"x\"[5])", "1:27: [len], PROJ and .failing take a bug, not a pattern\n"},
      {"SELECT b WHERE SUBSET?(b, \"x\".failing)", "1:27: [len], PROJ and .failing take a bug, not a pattern\n"},
      {"SELECT b WHERE c.id = 'x'", "1:16: 'c' is not a variable of the SELECT: did you mean 'b'?\n"},
      {"SELECT b WHERE b.created < 'never'", "1:28: 'never' is no date: write 2026-01-02 or 2026-01-02T03:04:05Z\n"},
      {"SELECT b WHERE b.id LIKE", "1:25: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.id IN ()", "1:25: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.id IN ('x',)", "1:29: expected a quoted text, a number, a date or a parameter\n"},
      {"SELECT b WHERE b.id IS", "1:23: expected NULL\n"},
      {"SELECT b WHERE b.id IS NOT", "1:27: expected NULL\n"},
      {"SELECT b WHERE b.id NOT 'x'", "1:21: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE b.id ~ 'x'", "1:21: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE b.id = 'x", "1:23: this quote is not closed: expected ' after it\n"},
      {"SELECT b WHERE b.`id = 'x'",
       "1:18: this quote is not closed: expected ` after it\n1:18: unknown field 'id = 'x''\n1:27: expected a "
       "comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT a, b, c, d, e WHERE a.id = 'x'", "1:20: more than 4 variables\n"},
      {"SELECT a, a WHERE a.id = 'x'", ""},
      {"SELECT a.nothing WHERE a.id = 'x'", "1:10: unknown field 'nothing'\n"},
      {"SELECT distance WHERE b.id = 'x'",
       "1:8: SELECT names no variable\n1:23: 'b' is not a variable of the SELECT\n"},
      {"SELECT COUNT() WHERE b.id = 'x'", "1:14: expected a variable\n1:22: 'b' is not a variable of the SELECT\n"},
      {"SELECT COUNT(b), b WHERE b.id = 'x'",
       "1:8: COUNT cannot stand beside other columns: it counts the rows that they would show\n"},
      {"SELECT b WHERE b.id = 'x' ORDER BY nothing", "1:36: unknown field 'nothing'\n"},
      {"SELECT b WHERE b.id = 'x' ORDER BY b.nothing", "1:38: unknown field 'nothing'\n"},
      {"SELECT b WHERE b.id = 'x' ORDER", "1:32: expected BY\n"},
      {"SELECT b WHERE b.id = 'x' WITH", "1:31: expected SELF after WITH\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE", "1:35: expected a metric after DISTANCE: " + MetricChoices() + "\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE nothing", "1:36: unknown metric 'nothing': it is " + MetricChoices() + "\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE u(nothing)", "1:38: unknown metric 'nothing'\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE u()", "1:38: expected the metric's name\n"},
      {"SELECT b WHERE b.id = 'x' DISTANCE hamming(3)", "1:36: hamming takes no arguments\n"},
      {"SELECT b WHERE b.id = 'x' x",
       "1:27: expected '&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end\n"},
      {"FROM b", "1:1: expected SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY\n"},
      {"CALL", "1:5: expected a saved query's name after CALL\n"},
      {"CALL suffix(", "1:1: 'bug' is missing: suffix(bug, len = 50, d = 10)\n1:13: expected ',' or ')'\n"},
      {"CALL suffix(b1", "1:15: expected ',' or ')'\n"},
      {"CALL suffix(,)", "1:1: 'bug' is missing: suffix(bug, len = 50, d = 10)\n1:13: expected ',' or ')'\n"},
      {"CALL suffix(b1,)", "1:16: expected an argument\n"},
      {"CALL suffix(len => )",
       "1:1: 'bug' is missing: suffix(bug, len = 50, d = 10)\n1:20: expected a value after '=>'\n"},
      {"CALL suffix(tbug)", "1:13: unknown parameter ':tbug'\n"},
      {"CREATE", "1:7: expected QUERY after CREATE\n"},
      {"CREATE QUERY", "1:13: expected a name for the query\n"},
      {"CREATE QUERY q", "1:15: expected AS and a SELECT\n"},
      {"CREATE QUERY q( AS SELECT b WHERE b.id = 'x'", "1:20: expected ',' or ')'\n"},
      {"CREATE QUERY q(a = ) AS SELECT b WHERE b.id = 'x'", "1:20: expected a default value\n"},
      {"CREATE QUERY q(a) AS SHOW QUERIES", "1:22: expected SELECT after AS\n"},
      {"CREATE QUERY q AS", "1:18: expected SELECT after AS\n"},
      {"DROP", "1:5: expected QUERY after DROP\n"},
      {"DROP QUERY", "1:11: expected a saved query's name\n"},
      {"SHOW", "1:5: expected QUERIES after SHOW\n"},
      {"EXPLAIN", "1:8: expected SELECT or CALL after EXPLAIN\n"},
      {"EXPLAIN SHOW QUERIES", "1:9: expected SELECT or CALL after EXPLAIN\n"},
      {"EXPLAIN ANALYZE", "1:16: expected SELECT or CALL after EXPLAIN\n"},
      {"; SELECT b WHERE b.id = 'x'",
       "1:1: expected SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY\n"},
      {"SELECT b WHERE b.id = 'x'; x", "1:28: expected the end of the statement\n"},
      {"SELECT b WHERE SUBSET?(b, \"(a :x\")", "1:28: unclosed parenthesis\n1:31: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"a \"\"b\"\"\" && \"",
       "1:30: '\"' cannot be part of a plain event name: put the name in backquotes\n"
       "1:33: '\"' cannot be part of a plain event name: put the name in backquotes\n"
       "1:37: expected ',' or ')'\n1:40: expected a condition\n"},
      {"SELECT b WHERE SUBSET?(b, `run/zz`)", "1:27: no run begins with 'zz'\n"},
      {"SELECT b WHERE SUBSET?(b, `run/`)", "1:27: no run begins with ''\n"},
      {"SELECT b WHERE SUBSET?(b, 323)", "1:27: '323' is a bug of several projects: write `Configuration-323`\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, thread:4294967296), b1)", "1:32: a thread's number is below 2^32\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, thread:4294967295), b1)", ""},
      {"SELECT b WHERE b.signal LIKE 'x'", "1:16: LIKE is for texts, and 'signal' is a signal: use = or IN\n"},
      {"SELECT b WHERE b.signal = 'nonsense'",
       "1:27: unknown signal 'nonsense': write a name such as SIGSEGV, or a number\n"},
      {"SELECT b WHERE b.created LIKE '2026%'", "1:16: LIKE is for texts, and 'created' is a date: use < and >=\n"},
      {"SELECT b WHERE b.created = '2026-13-01'",
       "1:28: '2026-13-01' is no date: write 2026-01-02 or 2026-01-02T03:04:05Z\n"},
      {"SELECT b WHERE b.title < 'x'", ""},
      {"SELECT b WHERE SUBSET?(b, \"\")", "1:27: an empty pattern: '.' is any event\n"},
      {"SELECT b WHERE SUBSET?(b, '')", "1:27: an empty pattern: '.' is any event\n"},
      {"SELECT b WHERE b.title = 'x'''", ""},
      {"SELECT b WHERE b.title = '''", "1:26: this quote is not closed: expected ' after it\n"},
      {"SELECT b WHERE SUBSET?(b, \"/ :x/\")", ""},
      {"SELECT b WHERE SUBSET?(b, \"`:x`\")", "1:29: warning: no event is named ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"` :x\")", "1:28: unclosed backquote\n1:28: an empty pattern: '.' is any event\n"},
      {"SELECT b WHERE SUBSET?(b, \"read/ :x/\")", "1:34: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"(:x)\")", "1:29: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \":x\")", "1:28: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"read|:x\")", "1:33: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"read->:x\")", "1:34: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"^:x\")", "1:29: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"read :x::y\")", "1:33: warning: no event is named ':x::y'\n"},
      {"SELECT b WHERE SUBSET?(b, \"read :\")", "1:33: warning: no event is named ':'\n"},
      {"SELECT b WHERE SUBSET?(b, 'read ''a'' (')", "1:39: unclosed parenthesis\n"},
      {"SELECT b WHERE SUBSET?(b, 'read (''')", "1:33: unclosed parenthesis\n"},
      {"SELECT b WHERE SUBSET?(b, \"read ->\")", "1:33: expected an event after '->'\n"},
      {"SELECT b WHERE SUBSET?(b, \"a$ b$\")",
       "1:28: no trace can match: '^' can only come before the first event, '$' only after the last\n"},
      {"SELECT b WHERE (b.id = (x AND y) AND b.title = ) OR b.id ! 'x' LIMIT 0",
       "1:24: expected a quoted text, a number, a date or a parameter\n1:48: expected a quoted text, a number, a date "
       "or a parameter\n1:58: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE (b.id = ; b.title = 'x')",
       "1:23: expected a quoted text, a number, a date or a parameter\n1:26: expected the end of the statement\n"},
      {"SELECT b WHERE (b.id = 'x' b.id = 'y') AND b.title",
       "1:28: expected '&&', '||' or ')'\n1:51: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE SUBSET?(b, PROJ(b1, ) AND b.title",
       "1:36: expected events: a quoted list, a glob, /a regular expression/ or a word such as stack\n1:38: expected "
       "',' or ')'\n1:49: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE SUBSET?(b, b1 DISTANCE lcs", "1:30: expected ',' or ')'\n"},
      {"SELECT b WHERE SUBSET?(b, PROJ(b1 stack))", "1:35: expected ',' and the events to keep\n"},
      {"SELECT b WHERE SUBSET?(b, b1[) && b.id",
       "1:30: expected a length\n1:39: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE SUBSET?(b, b1[5) && b.id",
       "1:31: expected ']'\n1:40: expected a comparison: = != < <= > >= LIKE, IN or IS NULL\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, d => any, n => any)", "1:49: n is a number, not any\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, d => :x)", "1:39: unknown parameter ':x'\n"},
      {"SELECT b WHERE INTERSECT?(b, b1, d => 1.5)", "1:39: d is a whole number, not 1.5\n"},
      {"SELECT b WHERE b.id = :x && b.title IN (:x, :y)",
       "1:23: unknown parameter ':x'\n1:41: unknown parameter ':x'\n1:45: unknown parameter ':y'\n"},
      {"SELECT b FROM :x WHERE b.id = 'x'", "1:15: unknown parameter ':x'\n"},
      {"SELECT b FROM Rhin WHERE b.id = 'x'", "1:15: unknown project 'Rhin': did you mean 'Rhino'?\n"},
      {"SELECT b FROM Rhino, Rhino WHERE b.id = 'x'", ""},
      {"SELECT b FROM ALL, Rhino WHERE b.id = 'x'", ""},
      {"SELECT b WHERE SUBSET?(PROJ(b, raed), b1)", "1:32: warning: no event is named 'raed': did you mean 'read'?\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, \"read,raed\"), b1)",
       "1:38: warning: no event is named 'raed': did you mean 'read'?\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, \"map<a,b>::at\"), b1)", "1:33: warning: no event is named 'map<a,b>::at'\n"},
      {"SELECT b WHERE SUBSET?(PROJ(b, :x), b1)", "1:32: unknown parameter ':x'\n"},
      {"SELECT b WHERE SUBSET?(b, \"raed\")", "1:28: warning: no event is named 'raed': did you mean 'read'?\n"},
      {"SELECT b WHERE SUBSET?(b, \"read close\", 2)",
       "1:41: warning: every trace matches: 2 edits can turn any trace into the pattern's 2 events\n"},
      {"SELECT b WHERE SUBSET?(b, \"read close\", 1)", ""},
      {"SELECT b WHERE SUBSET?(b, \"read*\")",
       "1:27: warning: every trace matches: the pattern matches a trace without events\n"},
      {"SELECT b WHERE SUBSET?(b, \"read close\" | \"open\", 1)",
       "1:50: warning: every trace matches: 1 edits can turn any trace into the pattern's 1 event\n"},
      {"SELECT b WHERE SUBSET?(b, \"^read -> close$\", 9)", ""},
      {"SELECT b WHERE SUBSET?(b, b5)", "1:27: unknown bug 'b5': did you mean 'b1'?\n"},
      {"SELECT b WHERE SUBSET?(tbug, b)", "1:24: tbug, the bug that the query is about, is not set\n"},
      {"SELECT b WHERE SUBSET?(b, b1 | b5 | \"(\")",
       "1:32: unknown bug 'b5': did you mean 'b1'?\n1:38: unclosed parenthesis\n"},
      {"EXPLAIN CALL sufix(b1)", "1:14: unknown query 'sufix': did you mean 'suffix'?\n"},
      {"SELECT b WHERE SUBSET?(nothing.failing, b)", "1:24: unknown bug 'nothing'\n"},
      {"SELECT b, c WHERE b.id = 'x'", ""},
      {"SELECT b WHERE SUBSET?(b, b1) DISTANCE vsm", ""},
      {"SELECT b WHERE SUBSET?(b, \"read\", 1) DISTANCE hamming",
       "1:35: warning: every trace matches: 1 edits can turn any trace into the pattern's 1 event\n"},
      {"SELECT b WHERE SUBSET?(b, \"read\", 1) DISTANCE vsm",
       "1:27: a pattern cannot be compared by vsm: it is for pairs of traces\n"},
      {"SELECT b WHERE SUBSET?(b, \"read\", 1) DISTANCE u(tokens)",
       "1:27: a pattern cannot be compared by u: it is for pairs of traces\n"},
      {"SELECT b WHERE SUBSET?(b, (\"read\" | b1)*, 1)", ""},
      {"SELECT b WHERE SUBSET?(b, (b1*)*, 1) && INTERSECT?(b, b*)", ""},
  };
  for (const auto& [text, said] : statements) EXPECT_EQ(Diagnostics(text), said) << text;
}

// A statement with an error is never one that could be run.
TEST(StatementTables, AnErrorLeavesNothingToRun) {
  for (const char* text : {"SELECT b WHERE b.id = ", "SELECT b WHERE SUBSET?(b, b1, -1)",
                           "CREATE QUERY q(a, a) AS SELECT b WHERE b.id = :a", "CALL suffix(b5)"}) {
    const CheckedStatement checked = Compile(text, ListCatalog(), {});
    EXPECT_FALSE(checked.ok()) << text;
    EXPECT_FALSE(checked.select) << text;
    EXPECT_FALSE(checked.definition) << text;
  }
}

struct Printed {
  const char* text;
  const char* tree;   // as it was written
  const char* query;  // as it is meant
};

TEST(StatementTables, EveryTextThatIsPrinted) {
  const Printed statements[] = {
      {"SELECT b WHERE (b.id = 'a' || b.id = 'b') && b.id = 'c'",
       "SELECT b FROM ALL WHERE (b.id = 'a' || b.id = 'b') && b.id = 'c'",
       "SELECT b FROM ALL WHERE (b.id = 'a' || b.id = 'b') && b.id = 'c'"},
      {"SELECT b WHERE b.id = 'a' && b.id = 'b' || b.id = 'c'",
       "SELECT b FROM ALL WHERE b.id = 'a' && b.id = 'b' || b.id = 'c'",
       "SELECT b FROM ALL WHERE b.id = 'a' && b.id = 'b' || b.id = 'c'"},
      {"SELECT b WHERE b.id = 'a' || b.id = 'b' && b.id = 'c' || b.id = 'd'",
       "SELECT b FROM ALL WHERE b.id = 'a' || b.id = 'b' && b.id = 'c' || b.id = 'd'",
       "SELECT b FROM ALL WHERE b.id = 'a' || b.id = 'b' && b.id = 'c' || b.id = 'd'"},
      {"SELECT b WHERE b.id = 'a' && (b.id = 'b' && b.id = 'c')",
       "SELECT b FROM ALL WHERE b.id = 'a' && (b.id = 'b' && b.id = 'c')",
       "SELECT b FROM ALL WHERE b.id = 'a' && b.id = 'b' && b.id = 'c'"},
      {"SELECT b WHERE b.id = 'a' || (b.id = 'b' || b.id = 'c')",
       "SELECT b FROM ALL WHERE b.id = 'a' || (b.id = 'b' || b.id = 'c')",
       "SELECT b FROM ALL WHERE b.id = 'a' || b.id = 'b' || b.id = 'c'"},
      {"SELECT b WHERE !(b.id = 'a' && b.id = 'b')", "SELECT b FROM ALL WHERE !(b.id = 'a' && b.id = 'b')",
       "SELECT b FROM ALL WHERE !(b.id = 'a' && b.id = 'b')"},
      {"SELECT b WHERE !(b.id = 'a' || b.id = 'b') && !b.id = 'c'",
       "SELECT b FROM ALL WHERE !(b.id = 'a' || b.id = 'b') && !b.id = 'c'",
       "SELECT b FROM ALL WHERE !(b.id = 'a' || b.id = 'b') && !b.id = 'c'"},
      {"SELECT b WHERE !!b.id = 'a'", "SELECT b FROM ALL WHERE !!b.id = 'a'", "SELECT b FROM ALL WHERE !!b.id = 'a'"},
      {"SELECT b WHERE !!(b.id = 'a' || b.id = 'b')", "SELECT b FROM ALL WHERE !!(b.id = 'a' || b.id = 'b')",
       "SELECT b FROM ALL WHERE !!(b.id = 'a' || b.id = 'b')"},
      {"SELECT b WHERE SUBSET?(b, (b1))", "SELECT b FROM ALL WHERE SUBSET?(b, b1)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(b, ((b1 | b2)))", "SELECT b FROM ALL WHERE SUBSET?(b, b1 | b2)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1` | `Demo-b2`)"},
      {"SELECT b WHERE SUBSET?(b, (b1 | b2)*)", "SELECT b FROM ALL WHERE SUBSET?(b, (b1 | b2)*)",
       "SELECT b FROM ALL WHERE SUBSET?(b, (`Demo-b1` | `Demo-b2`)*)"},
      {"SELECT b WHERE SUBSET?(b, (\"x\")*)", "SELECT b FROM ALL WHERE SUBSET?(b, \"x\"*)",
       "SELECT b FROM ALL WHERE SUBSET?(b, \"x\"*)"},
      {"SELECT b WHERE SUBSET?(b, b1*)", "SELECT b FROM ALL WHERE SUBSET?(b, b1*)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1`*)"},
      {"SELECT b WHERE SUBSET?(([5]b)[3], b1)", "SELECT b FROM ALL WHERE SUBSET?(([5]b)[3], b1)",
       "SELECT b FROM ALL WHERE SUBSET?(([5]b)[3], `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?([5]b[3], b1)", "SELECT b FROM ALL WHERE SUBSET?([5]b[3], b1)",
       "SELECT b FROM ALL WHERE SUBSET?([5]b[3], `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ([5]b, stack)[3], b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ([5]b, stack)[3], b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ([5]b, stack)[3], `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?([4][5]b.failing, b1)", "SELECT b FROM ALL WHERE SUBSET?([4][5]b.failing, b1)",
       "SELECT b FROM ALL WHERE SUBSET?([4][5]b.failing, `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?((b)[5], b1)", "SELECT b FROM ALL WHERE SUBSET?(b[5], b1)",
       "SELECT b FROM ALL WHERE SUBSET?(b[5], `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, !\"a,b\"), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !\"a,b\"), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !\"a,b\"), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, a*), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, a*), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, \"a*\"), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, !/x\\/y/), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !/x\\/y/), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !/x\\/y/), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, thread:3), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, thread:3), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, thread:3), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, passing), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, passing), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, passing), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, execution), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, execution), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, execution), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, class), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, class), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, class), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(PROJ(b, !statement), b1)", "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !statement), b1)",
       "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, !statement), `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(b, b1, 0)", "SELECT b FROM ALL WHERE SUBSET?(b, b1, 0)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1`)"},
      {"SELECT b WHERE SUBSET?(b, b1, 3)", "SELECT b FROM ALL WHERE SUBSET?(b, b1, 3)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1`, 3)"},
      {"SELECT b WHERE SUBSET?(b, b1, any)", "SELECT b FROM ALL WHERE SUBSET?(b, b1, any)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `Demo-b1`, d => any)"},
      {"SELECT b WHERE INTERSECT?(b, b1, 0, 1)", "SELECT b FROM ALL WHERE INTERSECT?(b, b1, 0, 1)",
       "SELECT b FROM ALL WHERE INTERSECT?(b, `Demo-b1`)"},
      {"SELECT b WHERE INTERSECT?(b, b1, 0, 2)", "SELECT b FROM ALL WHERE INTERSECT?(b, b1, 0, 2)",
       "SELECT b FROM ALL WHERE INTERSECT?(b, `Demo-b1`, 0, 2)"},
      {"SELECT b WHERE INTERSECT?(b, b1, 3, 1)", "SELECT b FROM ALL WHERE INTERSECT?(b, b1, 3, 1)",
       "SELECT b FROM ALL WHERE INTERSECT?(b, `Demo-b1`, 3)"},
      {"SELECT b WHERE INTERSECT?(b, b1, any, 2)", "SELECT b FROM ALL WHERE INTERSECT?(b, b1, any, 2)",
       "SELECT b FROM ALL WHERE INTERSECT?(b, `Demo-b1`, d => any, n => 2)"},
      {"SELECT b WHERE INTERSECT?(b, b1, any, 1)", "SELECT b FROM ALL WHERE INTERSECT?(b, b1, any, 1)",
       "SELECT b FROM ALL WHERE INTERSECT?(b, `Demo-b1`, d => any)"},
      {"SELECT b WHERE JACCARD?(b, b1, 1)", "SELECT b FROM ALL WHERE JACCARD?(b, b1, 1)",
       "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 1)"},
      {"SELECT b WHERE JACCARD?(b, b1, 0)", "SELECT b FROM ALL WHERE JACCARD?(b, b1, 0)",
       "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 0)"},
      {"SELECT b WHERE JACCARD?(b, b1, 0.5, 0)", "SELECT b FROM ALL WHERE JACCARD?(b, b1, 0.5, 0)",
       "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 0.5)"},
      {"SELECT b WHERE JACCARD?(b, b1, 0.000000001, 2)", "SELECT b FROM ALL WHERE JACCARD?(b, b1, 0.000000001, 2)",
       "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 0.000000001, 2)"},
      {"SELECT b WHERE JACCARD?(b, b1, 0.5, any)", "SELECT b FROM ALL WHERE JACCARD?(b, b1, 0.5, any)",
       "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 0.5, d => any)"},
      {"SELECT b WHERE b.title LIKE 'x%' && b.title NOT LIKE 'it''s' && b.id IN ('a', \"b\") && b.id NOT IN ('c') && "
       "b.title IS NULL && b.title IS NOT NULL",
       "SELECT b FROM ALL WHERE b.title LIKE 'x%' && b.title NOT LIKE 'it''s' && b.id IN ('a', \"b\") && b.id NOT IN "
       "('c') && b.title IS NULL && b.title IS NOT NULL",
       "SELECT b FROM ALL WHERE b.title LIKE 'x%' && b.title NOT LIKE 'it''s' && b.id IN ('a', 'b') && b.id NOT IN "
       "('c') && b.title IS NULL && b.title IS NOT NULL"},
      {"SELECT b WHERE b.`odd field` = 'x' && b.created < 2026-01-02 && b.votes >= 3 && b.id <> 'z'",
       "SELECT b FROM ALL WHERE b.`odd field` = 'x' && b.created < '2026-01-02' && b.votes >= 3 && b.id != 'z'",
       "SELECT b FROM ALL WHERE b.`odd field` = 'x' && b.created < '2026-01-02' && b.votes >= '3' && b.id != 'z'"},
      {"SELECT COUNT(a, b) WHERE a.id = 'x' && b.id = 'y'",
       "SELECT COUNT(a, b) FROM ALL WHERE a.id = 'x' && b.id = 'y'",
       "SELECT COUNT(a, b) FROM ALL WHERE a.id = 'x' && b.id = 'y'"},
      {"SELECT b, b.title, distance FROM Rhino, Demo WHERE b.id = 'x' DISTANCE lcs ORDER BY b.title DESC LIMIT 5 "
       "OFFSET 2 WITH SELF",
       "SELECT b, b.title, distance FROM Rhino, Demo WHERE b.id = 'x' DISTANCE lcs ORDER BY b.title DESC LIMIT 5 "
       "OFFSET 2 WITH SELF",
       "SELECT b, b.title, distance FROM Demo, Rhino WHERE b.id = 'x' DISTANCE lcs ORDER BY b.title DESC LIMIT 5 "
       "OFFSET 2 WITH SELF"},
      {"SELECT b WHERE b.id = 'x' ORDER BY distance ASC LIMIT 0",
       "SELECT b FROM ALL WHERE b.id = 'x' ORDER BY distance LIMIT 0",
       "SELECT b FROM ALL WHERE b.id = 'x' ORDER BY distance LIMIT 0"},
      {"SELECT b WHERE b.id = 'x' DISTANCE l", "SELECT b FROM ALL WHERE b.id = 'x' DISTANCE l",
       "SELECT b FROM ALL WHERE b.id = 'x'"},
      {"SELECT b WHERE b.id = 'x' DISTANCE u(tokens, 3, \"x\"\"y\")",
       "SELECT b FROM ALL WHERE b.id = 'x' DISTANCE u(tokens, 3, \"x\"\"y\")",
       "SELECT b FROM ALL WHERE b.id = 'x' DISTANCE u(\"tokens\", \"3\", \"x\"\"y\")"},
      {"SELECT `all` WHERE `all`.id = 'x'", "SELECT `all` FROM ALL WHERE `all`.id = 'x'",
       "SELECT `all` FROM ALL WHERE `all`.id = 'x'"},
      {"SELECT `a b` WHERE `a b`.id = 'x'", "SELECT `a b` FROM ALL WHERE `a b`.id = 'x'",
       "SELECT `a b` FROM ALL WHERE `a b`.id = 'x'"},
      {"SELECT `1` WHERE `1`.id = 'x'", "SELECT `1` FROM ALL WHERE `1`.id = 'x'",
       "SELECT `1` FROM ALL WHERE `1`.id = 'x'"},
      {"SELECT a-b WHERE a-b.id = 'x'", "SELECT a-b FROM ALL WHERE a-b.id = 'x'",
       "SELECT a-b FROM ALL WHERE a-b.id = 'x'"},
      {"SELECT `-a` WHERE `-a`.id = 'x'", "SELECT `-a` FROM ALL WHERE `-a`.id = 'x'",
       "SELECT `-a` FROM ALL WHERE `-a`.id = 'x'"},
      {"SELECT `a-` WHERE `a-`.id = 'x'", "SELECT `a-` FROM ALL WHERE `a-`.id = 'x'",
       "SELECT `a-` FROM ALL WHERE `a-`.id = 'x'"},
      {"SELECT `a--b` WHERE `a--b`.id = 'x'", "SELECT `a--b` FROM ALL WHERE `a--b`.id = 'x'",
       "SELECT `a--b` FROM ALL WHERE `a--b`.id = 'x'"},
      {"SELECT b WHERE SUBSET?(b, `run/1f2e3d4c`)", "SELECT b FROM ALL WHERE SUBSET?(b, `run/1f2e3d4c`)",
       "SELECT b FROM ALL WHERE SUBSET?(b, `run/1f2e3d4c000000000000000000000001`)"},
      {"EXPLAIN ANALYZE SELECT b WHERE b.id = 'x'", "EXPLAIN ANALYZE SELECT b FROM ALL WHERE b.id = 'x'",
       "SELECT b FROM ALL WHERE b.id = 'x'"},
      {"EXPLAIN CALL suffix(b1, len => 3)", "EXPLAIN CALL suffix(b1, len => 3)",
       "SELECT b FROM ALL WHERE SUBSET?(`Demo-b1`.failing[3], b.failing[3], 10)"},
  };
  for (const auto& [text, tree, query] : statements) {
    const ParsedStatement parsed = ParseStatement(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(ast::ToText(*parsed.statement), tree);
    const CheckedStatement checked = Compile(text, ListCatalog(), {});
    ASSERT_TRUE(checked.select) << text << "\n" << RenderShort(text, checked.diagnostics);
    EXPECT_EQ(Print(*checked.select), query);
  }
}

TEST(StatementTables, AnExplanationIsOneAndMayMeasure) {
  const auto flags = [](std::string_view text) {
    const CheckedStatement checked = Compile(text, ListCatalog(), {});
    return std::pair(checked.explain, checked.analyze);
  };
  EXPECT_EQ(flags("SELECT b WHERE b.id = 'x'"), std::pair(false, false));
  EXPECT_EQ(flags("EXPLAIN SELECT b WHERE b.id = 'x'"), std::pair(true, false));
  EXPECT_EQ(flags("EXPLAIN ANALYZE SELECT b WHERE b.id = 'x'"), std::pair(true, true));
  EXPECT_EQ(flags("EXPLAIN ANALYZE CALL suffix(b1)"), std::pair(true, true));
}

// What is missing prints as a question mark, for messages about a tree that is not whole.
TEST(StatementTables, WhatIsMissingIsAQuestionMark) {
  EXPECT_EQ(ast::ToText(ast::Term{}), "?");
  EXPECT_EQ(ast::ToText(ast::Traces{}), "?");
  EXPECT_EQ(ast::ToText(ast::Condition{}), "?");
  EXPECT_EQ(ast::ToText(ast::Column{}), "?");
}

// "keywords ; variables ; what else may come ; 'the word to replace'". The last | is the cursor.
TEST(StatementTables, EveryHint) {
  const Said cursors[] = {
      {"|", "CALL, CREATE QUERY, DROP QUERY, EXPLAIN, SELECT, SHOW QUERIES ; ; ; ''"},
      {"EXPLAIN |", "ANALYZE, CALL, SELECT ; ; ; ''"},
      {"EXPLAIN ANALYZE |", "ANALYZE, CALL, SELECT ; ; ; ''"},
      {"SELECT |", "COUNT( ; ; ; ''"},
      {"SELECT a|", "COUNT( ; ; ; 'a'"},
      {"SELECT a |", "FROM, WHERE ; a ; ; ''"},
      {"SELECT a, |", "distance ; a ; ; ''"},
      {"SELECT COUNT(|", "FROM, WHERE ; ; ; ''"},
      {"SELECT COUNT(a), |", "distance ; a ; ; ''"},
      {"SELECT a.|", " ; ; fields ; ''"},
      {"SELECT a.tit|", " ; ; fields ; 'tit'"},
      {"SELECT distance |", "FROM, WHERE ; ; ; ''"},
      {"SELECT distance, a FROM |", "ALL ; ; projects ; ''"},
      {"SELECT a FROM Rhino|", "ALL ; ; projects ; 'Rhino'"},
      {"SELECT a FROM Rhino |", "WHERE ; ; ; ''"},
      {"SELECT a FROM Rhino, |", " ; ; projects ; ''"},
      {"SELECT a FROM ALL WHERE |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE (|", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE NOT |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE ! |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id = 'x' AND |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id = 'x' && |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id = 'x' || |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id = 'x' or |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id = 'x' |", "AND, DISTANCE, IN, IS, LIKE, LIMIT, OFFSET, OR, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id |", "AND, DISTANCE, IN, IS, LIKE, LIMIT, OFFSET, OR, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE (a.id = 'x' |", "AND, IN, IS, LIKE, OR ; ; ; ''"},
      {"SELECT a WHERE a.limit |", "AND, DISTANCE, IN, IS, LIKE, LIMIT, OFFSET, OR, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.from |", "AND, DISTANCE, IN, IS, LIKE, LIMIT, OFFSET, OR, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id IN (|", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SELECT a WHERE a.id IN ('|", " ; ; ; ''"},
      {"SELECT a WHERE a.id = '|", " ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(|", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a|", "PROJ( ; a ; bugs parameters ; 'a'"},
      {"SELECT a WHERE SUBSET?(a |", " ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(a.|", "failing ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(a, |", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, b1 | |", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, b1 |", " ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(a, (|", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, (\"|", " ; ; events ; ''"},
      {"SELECT a WHERE SUBSET?([5]|", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, b1, |", "d => , d => any ; ; parameters ; ''"},
      {"SELECT a WHERE INTERSECT?(a, b1, |", "d => , d => any, n =>  ; ; parameters ; ''"},
      {"SELECT a WHERE INTERSECT?(a, b1, 3, |", "d => , d => any, n =>  ; ; parameters ; ''"},
      {"SELECT a WHERE JACCARD?(a, b1, |", "d => , d => any, t =>  ; ; parameters ; ''"},
      {"SELECT a WHERE jaccard?(a, b1, |", "d => , d => any, t =>  ; ; parameters ; ''"},
      {"SELECT a WHERE SUBSET?(PROJ(|", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(PROJ(a|", "PROJ( ; a ; bugs parameters ; 'a'"},
      {"SELECT a WHERE SUBSET?(PROJ(a, |",
       "block, class, execution, instruction, method, package, passing, stack, statement, thread: ; ; events "
       "parameters ; ''"},
      {"SELECT a WHERE SUBSET?(PROJ(a, st|",
       "block, class, execution, instruction, method, package, passing, stack, statement, thread: ; ; events "
       "parameters ; 'st'"},
      {"SELECT a WHERE SUBSET?(PROJ(a, \"x|", " ; ; events ; 'x'"},
      {"SELECT a WHERE SUBSET?(PROJ(a, stack)|", " ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(PROJ(a, stack), |", "PROJ( ; a ; bugs parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, `Rhi|", " ; ; bugs ; '`Rhi'"},
      {"SELECT a WHERE SUBSET?(a, `Rhino-32|", " ; ; bugs ; '`Rhino-32'"},
      {"SELECT a WHERE SUBSET?(a, `two wor|", " ; ; bugs ; 'wor'"},
      {"SELECT a WHERE SUBSET?(a, \"net::So|", " ; ; events ; 'net::So'"},
      {"SELECT a WHERE SUBSET?(a, \"x -> org/a.B$c~|", " ; ; events ; 'org/a.B$c~'"},
      {"SELECT a WHERE SUBSET?(a, \"|", " ; ; events ; ''"},
      {"SELECT a WHERE SUBSET?(a, :|", " ; ; parameters ; ''"},
      {"SELECT a WHERE SUBSET?(a, :le|", " ; ; parameters ; 'le'"},
      {"SELECT a WHERE SUBSET?(a, b1) |",
       "AND, DISTANCE, IN, IS, LIKE, LIMIT, OFFSET, OR, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE SUBSET?(a, b1) DISTANCE |", " ; ; metrics ; ''"},
      {"SELECT a WHERE SUBSET?(a, b1) DISTANCE ham|", " ; ; metrics ; 'ham'"},
      {"SELECT a WHERE SUBSET?(a, b1) DISTANCE hamming |", "DISTANCE, LIMIT, OFFSET, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' ORDER |", "BY ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' ORDER BY |", "distance ; a ; fields ; ''"},
      {"SELECT a WHERE a.id = 'x' ORDER BY distance |",
       "ASC, DESC, DISTANCE, LIMIT, OFFSET, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' ORDER BY distance DESC |",
       "ASC, DESC, DISTANCE, LIMIT, OFFSET, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' ORDER BY a.|", " ; ; fields ; ''"},
      {"SELECT a WHERE a.id = 'x' LIMIT |", " ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' LIMIT 5 |", "DISTANCE, LIMIT, OFFSET, ORDER BY, WITH SELF ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' OFFSET |", " ; ; ; ''"},
      {"SELECT a WHERE a.id = 'x' OFFSET 5 |", "DISTANCE, LIMIT, OFFSET, ORDER BY, WITH SELF ; ; ; ''"},
      {"CALL |", " ; ; queries ; ''"},
      {"CALL suf|", " ; ; queries ; 'suf'"},
      {"CALL suffix|", " ; ; queries ; 'suffix'"},
      {"CALL suffix(|", " ; ; projects bugs parameters ; ''"},
      {"CALL suffix(b1, |", " ; ; projects bugs parameters ; ''"},
      {"CALL suffix(b1) |", " ; ; ; ''"},
      {"DROP |", "QUERY ; ; ; ''"},
      {"DROP QUERY |", " ; ; queries ; ''"},
      {"DROP QUERY q |", " ; ; ; ''"},
      {"CREATE |", "QUERY ; ; ; ''"},
      {"CREATE QUERY |", "AS ; ; ; ''"},
      {"CREATE QUERY q AS |", "SELECT ; ; ; ''"},
      {"CREATE QUERY q AS SELECT a WHERE |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; a ; ; ''"},
      {"SHOW |", "QUERIES ; ; ; ''"},
      {"SELECT a, b WHERE a.id = 'x'; SELECT c WHERE |", "INTERSECT?(, JACCARD?(, NOT, SUBSET?( ; c ; ; ''"},
      {"SELECT a; |", "CALL, CREATE QUERY, DROP QUERY, EXPLAIN, SELECT, SHOW QUERIES ; ; ; ''"},
      {"x.|", "CALL, CREATE QUERY, DROP QUERY, EXPLAIN, SELECT, SHOW QUERIES ; ; ; ''"},
  };
  for (const auto& [marked, said] : cursors) {
    std::string text = marked;
    const size_t cursor = text.rfind('|');
    text.erase(cursor, 1);
    const SyntaxHints hints = HintsAt(text, static_cast<uint32_t>(cursor));
    std::string found;
    for (const std::string& keyword : hints.keywords) found += (found.empty() ? "" : ", ") + keyword;
    found += " ;";
    for (const std::string& variable : hints.variables) found += " " + variable;
    found += " ;";
    const std::pair<bool, const char*> others[] = {{hints.projects, " projects"},    {hints.bugs, " bugs"},
                                                   {hints.events, " events"},        {hints.fields, " fields"},
                                                   {hints.metrics, " metrics"},      {hints.saved_queries, " queries"},
                                                   {hints.parameters, " parameters"}};
    for (const auto& [offered, name] : others) found += offered ? name : "";
    EXPECT_EQ(found + " ; '" + text.substr(hints.replace_begin) + "'", said) << marked;
  }
}

TEST(StatementTables, ParametersInEveryPlace) {
  CheckContext context;
  context.parameters = {{"p", "Rhino"},          {"bad", "Rhin"},     {"n", "3"},        {"minus", "-3"},
                        {"run", "run/1f2e3d4c"}, {"norun", "run/zz"}, {"open", "(read"}, {"both", "read | close"},
                        {"name", "net::read"},   {"tbug", "b2"}};
  const auto query = [&](std::string_view text) {
    const CheckedStatement checked = Compile(text, ListCatalog(), context);
    return checked.select ? Print(*checked.select).substr(std::string_view("SELECT b FROM ").size())
                          : RenderShort(text, checked.diagnostics);
  };
  EXPECT_EQ(query("SELECT b FROM :p WHERE b.id = 'x'"), "Rhino WHERE b.id = 'x'");
  EXPECT_EQ(query("SELECT b FROM :bad WHERE b.id = 'x'"), "1:15: unknown project 'Rhin': did you mean 'Rhino'?\n");
  EXPECT_EQ(query("SELECT b WHERE b.id = :n && b.title IN (:p, :n) LIMIT :n OFFSET :n"),
            "ALL WHERE b.id = '3' && b.title IN ('Rhino', '3') LIMIT 3 OFFSET 3");
  EXPECT_EQ(query("SELECT b WHERE b.id = 'x' LIMIT :minus"), "1:33: LIMIT is negative: '-3' (of :minus)\n");
  EXPECT_EQ(query("SELECT b WHERE b.id = 'x' LIMIT :p"), "1:33: LIMIT is a whole number, not 'Rhino' (of :p)\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, :run, :n)"),
            "ALL WHERE SUBSET?(b, `run/1f2e3d4c000000000000000000000001`, 3)");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, :norun)"), "1:27: no run begins with 'zz'\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(:norun, b)"), "1:24: no run begins with 'zz'\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(:bad, b)"), "1:24: unknown bug 'Rhin'\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, tbug)"), "ALL WHERE SUBSET?(b, `Demo-b2`)");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, `tbug`)"), "1:27: unknown bug 'tbug'\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \":both\")"), "ALL WHERE SUBSET?(b, \"read | close\")");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \"open :both\")"), "ALL WHERE SUBSET?(b, \"open (read | close)\")");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \":name -> :name\")"), "ALL WHERE SUBSET?(b, \"net::read -> net::read\")");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \"/x :both/\")"), "ALL WHERE SUBSET?(b, \"/x :both/\")");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \"`x :both`\")"), "ALL WHERE SUBSET?(b, \"`x :both`\")");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, \"open :open\")"), "1:33: unclosed parenthesis\n");
  EXPECT_EQ(query("SELECT b WHERE SUBSET?(b, :open)"), "1:27: unclosed parenthesis\n");
  EXPECT_EQ(query("SELECT b WHERE JACCARD?(b, b1, :n)"),
            "1:32: t is a number from 0 to 1 with at most 9 decimals, not '3' (of :n)\n");
}

// The session's parameters are not those of a definition: only its own, and the bug at hand, are known in it.
TEST(StatementTables, ADefinitionKnowsItsOwnParameters) {
  CheckContext context;
  context.parameters = {{"x", "b1"}};
  EXPECT_EQ(Diagnostics("CREATE QUERY q(y) AS SELECT b WHERE SUBSET?(b, :x) && b.id = :y", context),
            "1:48: unknown parameter ':x': did you mean 'y'?\n");
  EXPECT_EQ(Diagnostics("CREATE QUERY q(y) AS SELECT b WHERE SUBSET?(b, :y) && SUBSET?(b, tbug)", context), "");
}

TEST(StatementTables, ASavedTextThatIsNoQueryIsAnError) {
  const Said saved[] = {
      {"SHOW QUERIES", "1:1: in odd: a saved query is a SELECT\n"},
      {"SELECT b WHERE b.titel = 'x'", "1:18: in odd: unknown field 'titel': did you mean 'title'?\n"},
      {"SELECT b WHERE", "1:15: in odd: expected a condition\n"}};
  for (const auto& [text, said] : saved) {
    std::vector<Diagnostic> diagnostics;
    EXPECT_FALSE(CheckSavedQuery({"odd", {}, text, false}, {}, ListCatalog(), {}, diagnostics));
    EXPECT_EQ(RenderShort(text, diagnostics), said);
  }
}

TEST(StatementTables, ASavedQueryKeepsThePlaceOfAnArgumentByName) {
  EXPECT_EQ(Diagnostics("CALL suffix(d => x, bug => b1)"), "1:18: in suffix: d is a whole number, not 'x' (of :d)\n");
  EXPECT_EQ(Diagnostics("CALL suffix(b1, 0)"), "1:17: in suffix: a length is at least 1, not '0' (of :len)\n");
  EXPECT_EQ(Diagnostics("CALL stack(b1, len => 3)"), "1:16: 'stack' has no parameter 'len': stack(bug, d)\n");
  EXPECT_EQ(Diagnostics("CALL suffix(bg => b1)"), "1:13: 'suffix' has no parameter 'bg': did you mean 'bug'?\n");
}

struct Place {
  const char* text;
  size_t end;
};

TEST(Scan, NumbersEndWhereWordsDoNotGoOn) {
  const Place numbers[] = {{"5", 1},    {"-5", 2},  {"5.25", 4}, {"-5.25)", 5}, {"-", 0},    {"-.5", 0},
                           {".5", 0},   {"5.", 1},  {"5.x", 1},  {"5x", 0},     {"", 0},     {"5-6", 0},
                           {"5 -6", 1}, {"5--", 1}, {"1.5x", 0}, {"x", 0},      {"007,", 3}, {"5.5.5", 3}};
  for (const auto& [text, end] : numbers) EXPECT_EQ(NumberEnd(text, 0), end) << text;
  EXPECT_EQ(NumberEnd("d 12", 2), 4u);
}

TEST(Scan, QuotesEndAtOneThatIsNotDoubled) {
  const Place quoted[] = {{"''", 2},          {"'a'", 3},       {"'a''b' c", 6}, {"''''", 4},
                          {"'''", kUnclosed}, {"'", kUnclosed}, {"'a\"'", 4},    {"\"'\"'", 3}};
  for (const auto& [text, end] : quoted) EXPECT_EQ(QuotedEnd(text, 0), end) << text;
}

TEST(Scan, RegularExpressionsEndOnTheirLine) {
  const Place regexes[] = {{"/a/", 3},           {"/a\\/b/", 6},         {"/a", kUnclosed},  {"/a\\/", kUnclosed},
                           {"/a\n/", kUnclosed}, {"/a\\\n/", kUnclosed}, {"/\\", kUnclosed}, {"//", 2}};
  for (const auto& [text, end] : regexes) EXPECT_EQ(RegexEnd(text, 0), end) << text;
}

TEST(Scan, WordsHaveSingleDashesInside) {
  const Place words[] = {{"a-b", 3},  {"a--b", 1},     {"a-", 1}, {"-a", 0},     {"a_1", 3},
                         {"ab.c", 2}, {"\xc3\xa4", 2}, {"", 0},   {"A-B-C d", 5}};
  for (const auto& [text, end] : words) EXPECT_EQ(WordEnd(text, 0), end) << text;
}

TEST(Scan, BareEventsEndAtBlanksAndComments) {
  const Place bare[] = {{"net::* )", 6}, {"org/a-b.c$d~e@f", 15}, {"a--b", 1}, {"a-", 2}, {"a,b", 1}, {"", 0}};
  for (const auto& [text, end] : bare) EXPECT_EQ(BareEnd(text, 0), end) << text;
  EXPECT_EQ(SkipBlanks(" \t\r\n\f\v-- x\n -- y", 0), 16u);
  EXPECT_EQ(SkipBlanks("a b", 1), 2u);
  EXPECT_EQ(SkipBlanks("- a", 0), 0u);
}

TEST(Scan, LettersAreComparedInAnyCase) {
  EXPECT_TRUE(EqualsIgnoringCase("SeLect", "sElect"));
  EXPECT_TRUE(EqualsIgnoringCase("AZ", "az"));
  EXPECT_FALSE(EqualsIgnoringCase("select", "selec"));
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
  EXPECT_FALSE(EqualsIgnoringCase("@", "`"));
}

TEST(Split, OfSeveralSaysWhereEachBegins) {
  const auto statements = SplitStatements("a 'x' ; -- c\n b `y");
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].text, "a 'x'");
  EXPECT_EQ(statements[0].offset, 0u);
  EXPECT_TRUE(statements[0].finished);
  EXPECT_FALSE(statements[0].open_quote);
  EXPECT_EQ(statements[1].text, "b `y");
  EXPECT_EQ(statements[1].offset, 14u);
  EXPECT_FALSE(statements[1].finished);
  EXPECT_TRUE(statements[1].open_quote);
}

TEST(Limits, AreToldExactlyAtTheirBounds) {
  const std::string text = "SELECT b WHERE ((b.id = 'x'))";
  SyntaxLimits limits;
  limits.bytes = text.size();
  limits.nesting = 2;
  EXPECT_TRUE(ParseStatement(text, limits).ok());
  EXPECT_TRUE(ParseStatement("SELECT b WHERE (b.id='((')&&b.n<3", {limits.bytes + 9, 1, 50}).ok());
  limits.bytes = text.size() - 1;
  EXPECT_EQ(RenderShort(text, ParseStatement(text, limits).diagnostics),
            "1:1: the statement has 29 bytes, more than 28 (--max-query-bytes raises this limit)\n");
  limits.bytes = text.size();
  limits.nesting = 1;
  EXPECT_EQ(RenderShort(text, ParseStatement(text, limits).diagnostics),
            "1:17: nested deeper than 1 (--max-nesting raises this limit)\n");
}

}  // namespace
}  // namespace oscope::bql
