#include "bql/syntax/parse.h"

#include <gtest/gtest.h>

#include "bql/ast/print.h"

namespace oscope::bql {
namespace {

// The text of the tree; errors in its place.
std::string Reprinted(std::string_view text) {
  const ParsedStatement parsed = ParseStatement(text);
  return parsed.ok() ? ast::ToText(*parsed.statement) : RenderShort(text, parsed.diagnostics);
}

// Of a condition or of what follows it.
std::string Where(const std::string& condition) {
  const std::string text = Reprinted("SELECT b WHERE " + condition);
  const std::string_view head = "SELECT b FROM ALL WHERE ";
  return text.starts_with(head) ? text.substr(head.size()) : text;
}

TEST(Parse, TakesKeywordsInAnyCase) {
  EXPECT_EQ(
      Reprinted(
          "select b from all where intersect?(b, \"x\") distance H order by DISTANCE desc limit 5 offset 2 with self"),
      "SELECT b FROM all WHERE INTERSECT?(b, \"x\") DISTANCE H ORDER BY distance DESC LIMIT 5 OFFSET 2 WITH SELF");
  EXPECT_EQ(Reprinted("SeLeCt b WhErE b.id = 'x' oRdEr By b.created aSc"),
            "SELECT b FROM ALL WHERE b.id = 'x' ORDER BY b.created");
}

TEST(Parse, TakesWordsForSigns) {
  EXPECT_EQ(Where("NOT b.id = 'x' AND b.id = 'y' OR b.id <> 'z'"), "!b.id = 'x' && b.id = 'y' || b.id != 'z'");
}

TEST(Parse, BindsAndTighterThanOr) {
  EXPECT_EQ(Where("(b.id = 'a' || b.id = 'b') && b.id = 'c'"), "(b.id = 'a' || b.id = 'b') && b.id = 'c'");
  EXPECT_EQ(Where("b.id = 'a' || (b.id = 'b' && b.id = 'c')"), "b.id = 'a' || b.id = 'b' && b.id = 'c'");
  EXPECT_EQ(Where("!(b.id = 'a' && b.id = 'b')"), "!(b.id = 'a' && b.id = 'b')");
  EXPECT_EQ(Where("!!(!b.id = 'a')"), "!!!b.id = 'a'");
}

TEST(Parse, TakesBothQuotesAndDoubledOnes) {
  EXPECT_EQ(Where("b.title = 'it''s' && b.title = \"say \"\"x\"\"\""),
            "b.title = 'it''s' && b.title = \"say \"\"x\"\"\"");
  const ParsedStatement parsed = ParseStatement("SELECT b WHERE b.title = 'it''s'");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.statement->select.where.field.values[0].text, "it's");
}

TEST(Parse, PassesOverComments) {
  EXPECT_EQ(Reprinted("-- what\nSELECT b -- a bug\nWHERE b.id = 'a--b' -- end"),
            "SELECT b FROM ALL WHERE b.id = 'a--b'");
}

TEST(Parse, TakesNamesWithDashesAndInBackquotes) {
  EXPECT_EQ(Where("SUBSET?(b, BEANUTILS-342)"), "SUBSET?(b, BEANUTILS-342)");
  EXPECT_EQ(Where("SUBSET?(b, `BEANUTILS-342`, 3) -- x"), "SUBSET?(b, `BEANUTILS-342`, 3)");
  EXPECT_EQ(Where("SUBSET?(b, b1-- comment\n)"), "SUBSET?(b, b1)");
  EXPECT_EQ(Where("SUBSET?(b, 342)"), "SUBSET?(b, 342)");
}

TEST(Parse, NestsTraceOperatorsInAnyOrder) {
  EXPECT_EQ(Where("SUBSET?(PROJ(b, class)[20], b)"), "SUBSET?(PROJ(b, class)[20], b)");
  EXPECT_EQ(Where("SUBSET?([5]b[3], ([5]b)[3])"), "SUBSET?([5]b[3], ([5]b)[3])");
  EXPECT_EQ(Where("SUBSET?([1][2]b[3][4], PROJ(PROJ([9]b.failing, method), !\"log\"))"),
            "SUBSET?([1][2]b[3][4], PROJ(PROJ([9]b.failing, method), !\"log\"))");
  const ParsedStatement parsed = ParseStatement("SELECT b WHERE SUBSET?([1][2]b[3][4], b)");
  std::vector<std::string> lengths;
  for (const ast::TraceOp& op : parsed.statement->select.where.set.left.ops) lengths.push_back(op.length.text);
  EXPECT_EQ(lengths, (std::vector<std::string>{"3", "4", "2", "1"}));
}

TEST(Parse, TakesUnionsAndStarsOutsideQuotes) {
  EXPECT_EQ(Where("INTERSECT?(b, b1 | b2 | \"close\")"), "INTERSECT?(b, b1 | b2 | \"close\")");
  EXPECT_EQ(Where("INTERSECT?(b, (b1 | \"x\")*)"), "INTERSECT?(b, (b1 | \"x\")*)");
  EXPECT_EQ(Where("INTERSECT?(b, (b1|b2*)* | ([5]b1)**)"), "INTERSECT?(b, (b1 | b2*)* | [5]b1*)");
}

TEST(Parse, TakesEverySetOfEvents) {
  for (const char* events : {"\"read,write,close\"",
                             "org/apache/commons/lang/*",
                             "net::*",
                             "*Socket*",
                             "/^parse_/",
                             "/a\\/b,;/",
                             "!/x/",
                             "stack",
                             "execution",
                             "method",
                             "statement",
                             "block",
                             "instruction",
                             "class",
                             "package",
                             "thread:3",
                             "passing",
                             "!\"log\"",
                             "!log.*",
                             ":events",
                             "!:events",
                             "read"}) {
    const std::string condition = std::string("INTERSECT?(PROJ(b, ") + events + "), \"x\")";
    EXPECT_EQ(Where(condition), condition);
  }
}

TEST(Parse, TakesArgumentsByPlaceAndByName) {
  for (const char* arguments : {"10", "10, 3", "d => 10, n => 3", "n => :n", "d => any", ":d", "any", "0.5", "-3"}) {
    const std::string condition = std::string("INTERSECT?(b, \"x\", ") + arguments + ")";
    EXPECT_EQ(Where(condition), condition);
  }
}

TEST(Parse, TakesEveryFieldTest) {
  for (const char* test : {"= 'x'", "!= 'x'", "< 'x'", "<= 'x'", "> 3", ">= :x", "LIKE '%x_'", "NOT LIKE '%'",
                           "IN ('a', 'b', 3)", "NOT IN (:x)", "IS NULL", "IS NOT NULL"}) {
    EXPECT_EQ(Where(std::string("b.title ") + test), std::string("b.title ") + test);
  }
  EXPECT_EQ(Where("b.created < 2026-01-02"), "b.created < '2026-01-02'");
  EXPECT_EQ(Where("b.`odd field` == 'x'"), "b.`odd field` = 'x'");
  EXPECT_EQ(Where("b.limit = 'x'"), "b.limit = 'x'");  // after a dot no word is reserved
}

TEST(Parse, TakesEveryMetric) {
  for (const char* metric : {"h", "l", "hamming", "levenshtein", "lcs", "embedding", "vsm", "weighted", "recent",
                             "renamed", "u(tokens)", "u(tokens, 3, \"x\", :y)"}) {
    EXPECT_EQ(Where(std::string("b.id = 'x' DISTANCE ") + metric), std::string("b.id = 'x' DISTANCE ") + metric);
  }
}

TEST(Parse, TakesEveryColumn) {
  EXPECT_EQ(Reprinted("SELECT b.title, b.status, distance, c WHERE b.id = 'x'"),
            "SELECT b.title, b.status, distance, c FROM ALL WHERE b.id = 'x'");
  EXPECT_EQ(Reprinted("SELECT COUNT( a , b ) FROM Rhino, `x y`, :p WHERE a.id = 'x'"),
            "SELECT COUNT(a, b) FROM Rhino, `x y`, :p WHERE a.id = 'x'");
  EXPECT_EQ(Reprinted("SELECT count WHERE count.id = 'x'"), "SELECT count FROM ALL WHERE count.id = 'x'");
}

TEST(Parse, TakesEveryStatement) {
  for (const char* text : {"EXPLAIN SELECT b FROM ALL WHERE b.id = 'x'", "EXPLAIN ANALYZE CALL suffix(tbug, len => 20)",
                           "CALL duplicates(Rhino)", "CALL now()",
                           "CREATE QUERY q(p, q = 50, r = 'x') AS SELECT b FROM ALL WHERE SUBSET?(b, :p[:q])",
                           "SHOW QUERIES", "DROP QUERY q"}) {
    EXPECT_EQ(Reprinted(text), text);
    EXPECT_EQ(Reprinted(std::string(text) + " ; "), text);
  }
  EXPECT_EQ(Reprinted("CREATE QUERY q AS SELECT b WHERE b.id = 'x'"),
            "CREATE QUERY q() AS SELECT b FROM ALL WHERE b.id = 'x'");
}

TEST(Parse, KeepsTheTextOfADefinition) {
  const ParsedStatement parsed = ParseStatement("CREATE QUERY q(p) AS select  b where b.id = :p ;");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.statement->definition.select_text, "select  b where b.id = :p");
}

TEST(Parse, SaysWhereNodesLie) {
  const std::string_view text =
      "SELECT b FROM Rhino WHERE SUBSET?( [5]b , PROJ(b527, stack)[3] , d => 10 ) && b.id = 'x'";
  const ParsedStatement parsed = ParseStatement(text);
  ASSERT_TRUE(parsed.ok());
  const auto at = [&](TextSpan span) { return text.substr(span.begin, span.end - span.begin); };
  const ast::Condition& where = parsed.statement->select.where;
  EXPECT_EQ(at(where.span), text.substr(26));
  const ast::SetPredicate& set = where.parts[0].set;
  EXPECT_EQ(at(set.span), "SUBSET?( [5]b , PROJ(b527, stack)[3] , d => 10 )");
  EXPECT_EQ(at(set.left.span), "[5]b");
  EXPECT_EQ(at(set.right.span), "PROJ(b527, stack)[3]");
  EXPECT_EQ(at(set.right.ops[0].events.span), "stack");
  EXPECT_EQ(at(set.arguments[0].span), "d => 10");
  EXPECT_EQ(at(set.arguments[0].value.span), "10");
  EXPECT_EQ(at(where.parts[1].field.span), "b.id = 'x'");
  EXPECT_EQ(at(parsed.statement->select.from[0].span), "Rhino");
}

TEST(Parse, PrintsWhatParsesToTheSameText) {
  for (const char* text :
       {"select b where ((b.id = 'a')) or (b.id = 'b' or (b.id = 'c')) and !(b.x is null or b.y is null)",
        "select b where subset?((((b)))[5], ((\"x\")*)*) or not (not b.id = 'x')"}) {
    const std::string once = Reprinted(text);
    EXPECT_EQ(Reprinted(once), once);
  }
}

}  // namespace
}  // namespace oscope::bql
