#include "query/semantics/symmetry.h"

#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "named_catalog.h"

namespace oscope {
namespace {

bool Symmetric(const std::string& where, uint32_t first = 0, uint32_t second = 1, const std::string& tail = "") {
  const std::string text = "SELECT a, b, c FROM ALL WHERE " + where + tail;
  const bql::CheckedStatement checked = bql::Compile(text, NamedCatalog(), {});
  EXPECT_TRUE(checked.ok()) << bql::RenderDiagnostics(text, checked.diagnostics);
  return checked.select && IsSymmetric(*checked.select, first, second);
}

// In any order, each as often as it stands there.
TEST(IsSymmetric, LongChains) {
  std::string ascending, descending;
  for (int i = 0; i < 5000; ++i) {
    ascending += fmt::format("{}a.id = {}", i == 0 ? "" : " || ", i);
    descending += fmt::format(" || b.id = {}", 4999 - i);
  }
  EXPECT_TRUE(Symmetric(ascending + descending));
  EXPECT_FALSE(Symmetric(ascending + descending + " || a.id = 7"));
  EXPECT_TRUE(Symmetric(ascending + descending + " || a.id = 7 || b.id = 7"));
  EXPECT_FALSE(Symmetric("(a.id = 1 && b.id = 2) || (b.id = 1 || a.id = 2)"));
  EXPECT_TRUE(Symmetric("(a.id = 1 && !(b.id = 2)) || (!(a.id = 2) && b.id = 1)"));
}

TEST(IsSymmetric, PredicatesWhoseSidesMayChangePlaces) {
  EXPECT_TRUE(Symmetric("INTERSECT?(a, b, 5)"));
  EXPECT_TRUE(Symmetric("INTERSECT?(a.failing[50], b.failing[50], 5)"));
  EXPECT_TRUE(Symmetric("JACCARD?(a, b, 0.5, 5)"));
  EXPECT_FALSE(Symmetric("SUBSET?(a, b, 5)"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b, 5, 2)")) << "n counts traces of the left side";
  EXPECT_FALSE(Symmetric("INTERSECT?(a[50], b[49], 5)"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a.failing, b, 5)"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b | \"x\", 5)"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b*, 5)"));
}

TEST(IsSymmetric, IsOfTwoVariables) {
  EXPECT_TRUE(Symmetric("INTERSECT?(a, c, 5)", 0, 2));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, c, 5)", 0, 1));
  EXPECT_TRUE(Symmetric("INTERSECT?(a, c, 5) && INTERSECT?(b, c, 5)", 0, 1)) << "each is as near to the third";
  EXPECT_FALSE(Symmetric("INTERSECT?(a, c, 5) && INTERSECT?(b, c, 6)", 0, 1));
}

TEST(IsSymmetric, PartsMayStandInAnyOrder) {
  EXPECT_TRUE(Symmetric("INTERSECT?(a, b527) && INTERSECT?(b, b527)"));
  EXPECT_TRUE(Symmetric("SUBSET?(a, b, 5) && SUBSET?(b, a, 5)"));
  EXPECT_TRUE(Symmetric("SUBSET?(a, b, 5) || SUBSET?(b, a, 5)"));
  EXPECT_TRUE(Symmetric("!(SUBSET?(a, b, 5) && SUBSET?(b, a, 5))"));
  EXPECT_FALSE(Symmetric("SUBSET?(a, b, 5) && !SUBSET?(b, a, 5)"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b527) && INTERSECT?(a, b527) && INTERSECT?(b, b527)"))
      << "as often, not only the same ones";
  EXPECT_FALSE(Symmetric("(INTERSECT?(a, b527) || INTERSECT?(b, b527)) && INTERSECT?(a, b528)"));
}

TEST(IsSymmetric, FieldsCountToo) {
  EXPECT_TRUE(Symmetric("INTERSECT?(a, b) && a.status = 'open' && b.status = 'open'"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b) && a.status = 'open'"));
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b) && a.status = 'open' && b.status = 'closed'"));
  EXPECT_TRUE(Symmetric("INTERSECT?(a, b) && c.status = 'open'"));
}

TEST(IsSymmetric, NothingIsKnownOfAUsersMetric) {
  EXPECT_FALSE(Symmetric("INTERSECT?(a, b)", 0, 1, " DISTANCE u(mine)"));
  EXPECT_TRUE(Symmetric("INTERSECT?(a, b)", 0, 1, " DISTANCE recent"));
  EXPECT_TRUE(Symmetric("SUBSET?(a, b) && SUBSET?(b, a)", 0, 1, " DISTANCE u(mine)"))
      << "both orders are asked for anyway";
}

}  // namespace
}  // namespace oscope
