#include "query/plan/query_plan.h"

#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "named_catalog.h"

namespace oscope {
namespace {

bql::Select Checked(std::string_view text) {
  bql::CheckedStatement checked = bql::Compile(text, NamedCatalog(), {});
  EXPECT_TRUE(checked.ok()) << bql::RenderDiagnostics(text, checked.diagnostics);
  return checked.select.value_or(bql::Select{});
}

QueryPlan Planned(std::string_view text, bool use_index = true) { return OptimisePlan(MakePlan(Checked(text)), use_index); }

using Role = PredicatePlan::Role;
using Method = PredicatePlan::Method;

TEST(Plan, TheSuffixQueryIsASearchOverTailsWithAFallingBound) {
  EXPECT_EQ(PrintPlan(Planned("SELECT b FROM ALL WHERE SUBSET?(b527.failing[50], b.failing[50], 10) LIMIT 50")),
            "rank by distance, limit 50\n"
            "  read the reports of the rows that are shown\n"
            "  rows of b where SUBSET?(`Rhino-b527`.failing[50], b.failing[50], 10)\n"
            "    SUBSET?(`Rhino-b527`.failing[50], b.failing[50], 10): search b by length, sketch or postings, bit-parallel levenshtein\n"
            "      keep the 50 nearest: the bound falls as they are found\n"
            "      `Rhino-b527`.failing[50]: tails of the index\n"
            "      b.failing[50]: tails of the index\n");
}

TEST(Plan, ByRecentTailsAreSearchedButNotJoined) {
  const QueryPlan search = Planned("SELECT b FROM ALL WHERE SUBSET?(b527.failing[100], b.failing[100], 800) DISTANCE recent LIMIT 10");
  EXPECT_EQ(search.predicates.at(0).method, Method::kTails);
  EXPECT_NE(PrintPlan(search).find("search b by the latest methods of every tail\n"), std::string::npos) << PrintPlan(search);
  const QueryPlan join = Planned("SELECT a, b FROM ALL WHERE SUBSET?(a[50], b[50], 300) DISTANCE recent");
  EXPECT_EQ(join.predicates.at(0).role, Role::kJoin);
  EXPECT_EQ(join.predicates.at(0).method, Method::kLiteral);
}

TEST(Plan, WithoutTheIndexTracesAreReadWhole) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE SUBSET?(b527[50], b[50], 10) LIMIT 50", false);
  EXPECT_FALSE(plan.use_tails);
  EXPECT_EQ(plan.predicates.at(0).method, Method::kLiteral);
}

TEST(Plan, AWordThatChoosesTracesMakesWayForTheSuffix) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE INTERSECT?(PROJ(b, stack)[50][20], PROJ(b527, stack)[20], 3)");
  ASSERT_EQ(plan.predicates.size(), 1u);
  EXPECT_EQ(plan.predicates[0].method, Method::kTails);
  ASSERT_EQ(plan.predicates[0].predicate.left.ops.size(), 2u);
  EXPECT_EQ(plan.predicates[0].predicate.left.ops[0].length, 20u);
}

TEST(Plan, AProjectionBeforeTheSuffixNeedsWholeTraces) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE INTERSECT?(PROJ(b, class)[20], PROJ(b527, class)[20], 3)");
  EXPECT_EQ(plan.predicates[0].method, Method::kLiteral);
  EXPECT_NE(PrintPlan(plan).find("PROJ(b, class)[20]: whole traces"), std::string::npos);
}

TEST(Plan, RolesComeFromTheVariables) {
  const auto role = [](std::string_view text) { return Planned(text).predicates.at(0).role; };
  EXPECT_EQ(role("SELECT b FROM ALL WHERE INTERSECT?(b527, b528)"), Role::kConstant);
  EXPECT_EQ(role("SELECT b FROM ALL WHERE INTERSECT?(b, \"close\")"), Role::kSearch);
  EXPECT_EQ(role("SELECT a, b FROM ALL WHERE SUBSET?(a, b)"), Role::kJoin);
  EXPECT_EQ(role("SELECT a, b FROM ALL WHERE INTERSECT?(a, b | b527)"), Role::kPerRow);
  EXPECT_EQ(role("SELECT a, b, c FROM ALL WHERE INTERSECT?(a, b | c)"), Role::kPerRow);
}

TEST(Plan, TheSamePredicateIsDecidedOnce) {
  EXPECT_EQ(Planned("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527) || INTERSECT?(b[5], b527) && b.status = 'open'").predicates.size(), 1u);
}

TEST(Plan, FieldsAreAskedFirst) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5]) && b.status = 'open'");
  EXPECT_EQ(plan.select.where.parts.at(0).kind, bql::Condition::Kind::kField);
  EXPECT_TRUE(plan.reports_first);
  EXPECT_FALSE(plan.runs_first);
}

TEST(Plan, TestsAndSignalsNeedTheRuns) {
  EXPECT_TRUE(Planned("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5]) && b.signal = 11").runs_first);
}

TEST(Plan, ABugWithoutTracesCanSatisfyANegation) {
  EXPECT_TRUE(Planned("SELECT b FROM ALL WHERE !INTERSECT?(b[5], b527[5])").reports_first);
  EXPECT_FALSE(Planned("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5])").reports_first);
}

TEST(Plan, ABugWithoutTracesCanSatisfyAUnionByItsOtherParts) {
  EXPECT_TRUE(Planned("SELECT b FROM ALL WHERE INTERSECT?(b527, b | \"a\")").reports_first);
  EXPECT_FALSE(Planned("SELECT b FROM ALL WHERE INTERSECT?(b, b527 | \"a\")").reports_first);
}

TEST(Plan, OnlyTheNearestAreKeptWhenNothingElseDecides) {
  const auto kept = [](std::string_view text) { return Planned(text).predicates.at(0).keep_nearest; };
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT 7 OFFSET 3"), 10u);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2)"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) ORDER BY b.title LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) ORDER BY distance DESC LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) && INTERSECT?(b[5], b528[5], 2) LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0.5, 2) LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT COUNT(b) FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT 7"), std::nullopt);
}

TEST(Plan, AJaccardThatHoldsOfFarTracesIsNotSearchedFor) {
  EXPECT_EQ(Planned("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0, 2)").predicates[0].method, Method::kLiteral);
  EXPECT_EQ(Planned("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0.1, 2)").predicates[0].method, Method::kTails);
}

}  // namespace
}  // namespace oscope
