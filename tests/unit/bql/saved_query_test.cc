#include "bql/check/saved_query.h"

#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "bql/check/print.h"
#include "tests/unit/bql/list_catalog.h"

namespace oscope::bql {
namespace {

class SavedQueryTest : public ::testing::Test {
 protected:
  // The query that a call becomes, or its errors.
  std::string Called(std::string_view text) {
    const CheckedStatement checked = Compile(text, catalog_, context_);
    return checked.select ? Print(*checked.select) : RenderShort(text, checked.diagnostics);
  }
  std::string ErrorsOf(std::string_view text) {
    return RenderShort(text, Compile(text, catalog_, context_).diagnostics);
  }
  void Create(std::string_view text) {
    const CheckedStatement checked = Compile(text, catalog_, context_);
    ASSERT_TRUE(checked.definition) << RenderDiagnostics(text, checked.diagnostics);
    context_.saved_queries.push_back(*checked.definition);
  }

  ListCatalog catalog_;
  CheckContext context_;
};

TEST_F(SavedQueryTest, ShippedOnesAreSelects) {
  EXPECT_EQ(Called("CALL suffix(b527)"), "SELECT b FROM ALL WHERE SUBSET?(`Demo-b527`.failing[50], b.failing[50], 10)");
  EXPECT_EQ(Called("CALL suffix(b527, d => 20, len => 30)"),
            "SELECT b FROM ALL WHERE SUBSET?(`Demo-b527`.failing[30], b.failing[30], 20)");
  EXPECT_EQ(Called("CALL regex(\"^open .* close$\")"), "SELECT b FROM ALL WHERE INTERSECT?(b, \"^open .* close$\")");
  EXPECT_EQ(Called("CALL stack(`Beanutils-342`, 3)"),
            "SELECT b FROM ALL WHERE SUBSET?(PROJ(`Beanutils-342`, stack), PROJ(b, stack), 3)");
  EXPECT_EQ(Called("CALL duplicates(Rhino)"),
            "SELECT b1, b2 FROM Rhino WHERE INTERSECT?(b1.failing[50], b2.failing[50], 10)");
  EXPECT_EQ(Called("CALL before(open, close)"), "SELECT x FROM ALL WHERE INTERSECT?(x, \"open close\")");
  EXPECT_EQ(Called("CALL before('open | read', close)"),
            "SELECT x FROM ALL WHERE INTERSECT?(x, \"(open | read) close\")");
}

TEST_F(SavedQueryTest, PassTheBugAtHandOn) {
  context_.parameters = {{"tbug", "b1"}, {"x", "b2"}};
  EXPECT_EQ(Called("EXPLAIN CALL suffix(tbug)"),
            "SELECT b FROM ALL WHERE SUBSET?(`Demo-b1`.failing[50], b.failing[50], 10)");
  EXPECT_EQ(Called("CALL suffix(:x)"), "SELECT b FROM ALL WHERE SUBSET?(`Demo-b2`.failing[50], b.failing[50], 10)");
}

TEST_F(SavedQueryTest, TellOfWrongCalls) {
  EXPECT_EQ(Called("CALL sufix(b527)"), "1:6: unknown query 'sufix': did you mean 'suffix'?\n");
  EXPECT_EQ(Called("CALL suffix()"), "1:1: 'bug' is missing: suffix(bug, len = 50, d = 10)\n");
  EXPECT_EQ(Called("CALL suffix(b1, 2, 3, 4)"), "1:23: too many arguments: suffix(bug, len = 50, d = 10)\n");
  EXPECT_EQ(Called("CALL suffix(b1, length => 2)"),
            "1:17: 'suffix' has no parameter 'length': suffix(bug, len = 50, d = 10)\n");
  EXPECT_EQ(Called("CALL suffix(b1, bug => b2)"), "1:17: 'bug' is given twice\n");
  EXPECT_EQ(Called("CALL suffix(:y)"), "1:13: unknown parameter ':y'\n");
}

TEST_F(SavedQueryTest, LocateErrorsInTheBodyAtTheArgument) {
  EXPECT_EQ(Called("CALL suffix(b52)"), "1:13: in suffix: unknown bug 'b52': did you mean 'b2'?\n");
  EXPECT_EQ(Called("CALL suffix(b527, d => -1)"), "1:24: in suffix: d is negative: '-1' (of :d)\n");
  EXPECT_EQ(Called("CALL duplicates(Rhin)"), "1:17: in duplicates: unknown project 'Rhin': did you mean 'Rhino'?\n");
}

TEST_F(SavedQueryTest, CanBeMadeAndCalled) {
  Create(
      "CREATE QUERY near(bug, events = 'read,write', d = 3) AS\n  SELECT b FROM ALL WHERE SUBSET?(PROJ(b, :events), "
      ":bug, :d)");
  EXPECT_EQ(context_.saved_queries[0].text, "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, :events), :bug, :d)");
  EXPECT_EQ(Signature(context_.saved_queries[0]), "near(bug, events = 'read,write', d = 3)");
  EXPECT_EQ(Called("CALL NEAR(b1)"), "SELECT b FROM ALL WHERE SUBSET?(PROJ(b, \"read,write\"), `Demo-b1`, 3)");
  EXPECT_EQ(ErrorsOf("CREATE QUERY near() AS SELECT b WHERE b.id = 'x'"),
            "1:14: there is a query 'near' already: remove it with DROP QUERY first\n");
  EXPECT_EQ(ErrorsOf("DROP QUERY nea"), "1:12: unknown query 'nea': did you mean 'near'?\n");
  EXPECT_EQ(ErrorsOf("DROP QUERY near"), "");
}

TEST_F(SavedQueryTest, TellOfWrongDefinitions) {
  EXPECT_EQ(ErrorsOf("CREATE QUERY suffix(x) AS SELECT b WHERE b.id = :x"),
            "1:14: 'suffix' is a query that comes with the program\n");
  EXPECT_EQ(ErrorsOf("DROP QUERY suffix"), "1:12: 'suffix' is a query that comes with the program\n");
  EXPECT_EQ(ErrorsOf("CREATE QUERY q(a, a) AS SELECT b WHERE b.id = :a"), "1:19: the parameter 'a' is named twice\n");
  EXPECT_EQ(ErrorsOf("CREATE QUERY q(a = 1, c) AS SELECT b WHERE b.id = :a"),
            "1:23: 'c' needs a default, since one before it has one\n");
  EXPECT_EQ(ErrorsOf("CREATE QUERY q(len) AS SELECT b WHERE SUBSET?(b[:lem], tbug, -1) && b.titel = :len"),
            "1:49: unknown parameter ':lem': did you mean 'len'?\n"
            "1:62: d is negative: -1\n"
            "1:71: unknown field 'titel': did you mean 'title'?\n");
}

TEST_F(SavedQueryTest, ParametersStandAnywhere) {
  Create(
      "CREATE QUERY q(p, e, pat, d, n, t, len, f) AS SELECT b FROM :p WHERE INTERSECT?(PROJ([:len]b, !:e), :pat, :d, "
      ":n) && "
      "JACCARD?(b, \"a :pat\", :t) && b.created IN (:f) LIMIT :n OFFSET :d");
  EXPECT_EQ(Called("CALL q(Rhino, \"read\", 'open', 1, 2, 0.25, 7, '2026-01-02')").substr(0, 61),
            "SELECT b FROM Rhino WHERE INTERSECT?(PROJ([7]b, !\"read\"), \"op");
}

TEST(ParameterValue, IsTextInQuotes) {
  EXPECT_EQ(ParameterValue("'it''s'"), ParameterValue::Text("it's"));
  EXPECT_EQ(ParameterValue("b1").kind, ParameterValue::Kind::kAny);
  EXPECT_EQ(ParameterValue("'a' | 'b'").kind, ParameterValue::Kind::kAny);
}

}  // namespace
}  // namespace oscope::bql
