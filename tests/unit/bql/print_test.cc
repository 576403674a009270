#include "bql/check/print.h"

#include <gtest/gtest.h>

#include "bql/ast/print.h"
#include "bql/check/check.h"
#include "tests/unit/bql/list_catalog.h"
#include "tests/unit/bql/random_query.h"

namespace oscope::bql {
namespace {

TEST(Print, WritesOneTextForAllThatMeanTheSame) {
  const ListCatalog catalog;
  const auto printed = [&](std::string_view text) { return Print(*Compile(text, catalog, {}).select); };
  EXPECT_EQ(printed("select b from Rhino where (b.id = \"x\") and not (b.id in ('y'))"),
            "SELECT b FROM Rhino WHERE b.id = 'x' && !b.id IN ('y')");
  EXPECT_EQ(printed("SELECT b WHERE INTERSECT?(b, (b1 | 'close')*, n => 2)"),
            "SELECT b FROM ALL WHERE INTERSECT?(b, (`Demo-b1` | \"close\")*, 0, 2)");
  EXPECT_EQ(printed("SELECT b WHERE JACCARD?(b, b1, d => any, t => 0.250)"),
            "SELECT b FROM ALL WHERE JACCARD?(b, `Demo-b1`, 0.25, d => any)");
}

TEST(Print, ParsesAndChecksToTheSameQuery) {
  const ListCatalog catalog;
  RandomQuery queries(20260102);
  for (int i = 0; i < 1500; ++i) {
    const Select select = queries.Next();
    const std::string text = Print(select);
    const CheckedStatement checked = Compile(text, catalog, {});
    ASSERT_TRUE(checked.ok()) << RenderDiagnostics(text, checked.diagnostics);
    ASSERT_EQ(*checked.select, select) << text << "\n" << Print(*checked.select);
    ASSERT_EQ(Print(*checked.select), text);
    // The tree prints itself as well, and means the same.
    const std::string tree = ast::ToText(*ParseStatement(text).statement);
    const CheckedStatement again = Compile(tree, catalog, {});
    ASSERT_TRUE(again.ok()) << RenderDiagnostics(tree, again.diagnostics);
    ASSERT_EQ(*again.select, select) << tree;
  }
}

// Not every mutation is an error, but none may crash, hang, or leave an error without a place in the text.
TEST(Print, SurvivesMutations) {
  const ListCatalog catalog;
  RandomQuery queries(3);
  std::mt19937 random(5);
  const std::string_view bytes = "()[]'\"`,;|&!*./:=<>-?bAN 0\n\x80";
  for (int i = 0; i < 1500; ++i) {
    std::string text = Print(queries.Next());
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1 + random() % 5);
      else
        text.insert(at, 1, bytes[random() % bytes.size()]);
      if (text.empty()) text = "x";
    }
    const CheckedStatement checked = Compile(text, catalog, {});
    for (const Diagnostic& diagnostic : checked.diagnostics) {
      EXPECT_LE(diagnostic.span.begin, diagnostic.span.end) << text;
      EXPECT_LE(diagnostic.span.end, text.size()) << text;
    }
    RenderDiagnostics(text, checked.diagnostics);
  }
}

}  // namespace
}  // namespace oscope::bql
