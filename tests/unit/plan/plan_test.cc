#include <fmt/core.h>
#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "named_catalog.h"
#include "query/plan/query_plan.h"
#include "query/rules/optimise_plan.h"

namespace oscope {
namespace {

bql::Select Checked(std::string_view text) {
  bql::CheckedStatement checked = bql::Compile(text, NamedCatalog(), {});
  EXPECT_TRUE(checked.ok()) << bql::RenderDiagnostics(text, checked.diagnostics);
  return checked.select.value_or(bql::Select{});
}

QueryPlan Planned(std::string_view text, bool use_index = true) {
  return OptimisePlan(MakePlan(Checked(text)), use_index);
}

using Role = PredicatePlan::Role;
using Matcher = TailMatching::Matcher;

// Nothing when the tails of the index do not serve the predicate.
std::optional<Matcher> MatcherOf(const PredicatePlan& predicate) {
  return predicate.tails ? std::optional(predicate.tails->matcher) : std::nullopt;
}
constexpr std::optional<Matcher> kLiteral = std::nullopt, kByEdits = Matcher::kEdits, kByRecent = Matcher::kRecent;

TEST(Plan, TheSuffixQueryIsASearchOverTailsWithAFallingBound) {
  EXPECT_EQ(PrintPlan(Planned("SELECT b FROM ALL WHERE SUBSET?(b527.failing[50], b.failing[50], 10) LIMIT 50")),
            "rank by distance, limit 50\n"
            "  read the reports of the rows that are shown\n"
            "  rows of b where SUBSET?(`Rhino-b527`.failing[50], b.failing[50], 10)\n"
            "    SUBSET?(`Rhino-b527`.failing[50], b.failing[50], 10): search b by length, sketch or postings, "
            "bit-parallel levenshtein\n"
            "      keep the 50 nearest: the bound falls as they are found\n"
            "      `Rhino-b527`.failing[50]: tails of the index\n"
            "      b.failing[50]: tails of the index\n");
}

TEST(Plan, ByRecentTailsAreSearchedButNotJoined) {
  const QueryPlan search =
      Planned("SELECT b FROM ALL WHERE SUBSET?(b527.failing[100], b.failing[100], 800) DISTANCE recent LIMIT 10");
  EXPECT_EQ(MatcherOf(search.predicates.at(0)), kByRecent);
  EXPECT_NE(PrintPlan(search).find("search b by the latest methods of every tail\n"), std::string::npos)
      << PrintPlan(search);
  const QueryPlan join = Planned("SELECT a, b FROM ALL WHERE SUBSET?(a[50], b[50], 300) DISTANCE recent");
  EXPECT_EQ(join.predicates.at(0).role, Role::kJoin);
  EXPECT_EQ(MatcherOf(join.predicates.at(0)), kLiteral);
}

TEST(Plan, WithoutTheIndexTracesAreReadWhole) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE SUBSET?(b527[50], b[50], 10) LIMIT 50", false);
  EXPECT_FALSE(plan.use_tails);
  EXPECT_EQ(MatcherOf(plan.predicates.at(0)), kLiteral);
}

TEST(Plan, AWordThatChoosesTracesMakesWayForTheSuffix) {
  const QueryPlan plan =
      Planned("SELECT b FROM ALL WHERE INTERSECT?(PROJ(b, stack)[50][20], PROJ(b527, stack)[20], 3)");
  ASSERT_EQ(plan.predicates.size(), 1u);
  EXPECT_EQ(MatcherOf(plan.predicates[0]), kByEdits);
  ASSERT_EQ(plan.predicates[0].predicate.left.ops.size(), 2u);
  EXPECT_EQ(plan.predicates[0].predicate.left.ops[0].length, 20u);
}

TEST(Plan, AProjectionBeforeTheSuffixNeedsWholeTraces) {
  const QueryPlan plan = Planned("SELECT b FROM ALL WHERE INTERSECT?(PROJ(b, class)[20], PROJ(b527, class)[20], 3)");
  EXPECT_EQ(MatcherOf(plan.predicates[0]), kLiteral);
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
  EXPECT_EQ(Planned("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527) || INTERSECT?(b[5], b527) && b.status = 'open'")
                .predicates.size(),
            1u);
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
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) && INTERSECT?(b[5], b528[5], 2) LIMIT 7"),
            std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0.5, 2) LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT COUNT(b) FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT 7"), std::nullopt);
}

// A tail has 256 events.
TEST(Plan, TheIndexServesSuffixesUpToATail) {
  const auto reads = [](std::string_view length, std::string_view metric) {
    const QueryPlan plan =
        Planned(fmt::format("SELECT b FROM ALL WHERE INTERSECT?(b[{0}], b527[{0}], 2) DISTANCE {1}", length, metric));
    return std::pair(MatcherOf(plan.predicates.at(0)), PrintPlan(plan).find("whole traces") == std::string::npos);
  };
  EXPECT_EQ(reads("255", "l"), std::pair(kByEdits, true));
  EXPECT_EQ(reads("256", "l"), std::pair(kByEdits, true));
  EXPECT_EQ(reads("257", "l"), std::pair(kLiteral, false));
  EXPECT_EQ(reads("256", "recent"), std::pair(kByRecent, true));
  EXPECT_EQ(reads("257", "recent"), std::pair(kLiteral, false));
  EXPECT_EQ(reads("256", "lcs"), std::pair(kLiteral, true)) << "read from the index, and compared by the metric";
}

TEST(Plan, WhatCanBeSearchedFor) {
  const auto method = [](std::string_view where) {
    return MatcherOf(Planned(fmt::format("SELECT a, b FROM ALL WHERE {}", where)).predicates.at(0));
  };
  EXPECT_EQ(method("INTERSECT?(b[50], b527[50])"), kByEdits);
  EXPECT_EQ(method("INTERSECT?(b[50], b527[50] | b528[20])"), kByEdits);
  EXPECT_EQ(method("SUBSET?(b527[50], b[50])"), kByEdits);
  EXPECT_EQ(method("SUBSET?(PROJ(b527[50], method), b[50])"), kLiteral)
      << "which granularities a trace has the index does not say";
  EXPECT_EQ(method("SUBSET?(PROJ(b527[50], \"x\"), b[50])"), kByEdits);
  EXPECT_EQ(method("SUBSET?(b527[50], PROJ(b[50], \"x\"))"), kLiteral);
  EXPECT_EQ(method("SUBSET?(b527[50], PROJ(b[50], stack))"), kByEdits);
  EXPECT_EQ(method("SUBSET?(b527[50], [20]b[50])"), kLiteral);
  EXPECT_EQ(method("SUBSET?([20]b527[50], b[50])"), kByEdits);
  EXPECT_EQ(method("INTERSECT?(b[50], b527)"), kLiteral);
  EXPECT_EQ(method("INTERSECT?(b, b527[50])"), kLiteral);
  EXPECT_EQ(method("INTERSECT?(b[50], \"x\")"), kLiteral);
  EXPECT_EQ(method("INTERSECT?(b[50], b527[50] | \"x\")"), kLiteral);
  EXPECT_EQ(method("INTERSECT?(b[50], b527[50]*)"), kLiteral);
  EXPECT_EQ(method("SUBSET?(b527[50], b[50] | b528[50])"), kLiteral);
  EXPECT_EQ(method("SUBSET?(a[50], b[50])"), kByEdits);
  EXPECT_EQ(method("SUBSET?(a, b[50])"), kLiteral);
  EXPECT_EQ(method("SUBSET?(a[50], b)"), kLiteral);
  EXPECT_EQ(method("JACCARD?(a[50], b[50], 0)"), kLiteral);
  EXPECT_EQ(method("JACCARD?(a[50], b[50], 0.000000001)"), kByEdits);
}

TEST(Plan, TwoCutsOfOneKindAreOne) {
  const auto cuts = [](std::string_view traces) {
    const QueryPlan plan = Planned(fmt::format("SELECT b FROM ALL WHERE INTERSECT?({}, b527)", traces));
    std::string text;
    for (const bql::TraceOp& op : plan.predicates.at(0).predicate.left.ops) {
      text += op.kind == bql::TraceOp::Kind::kPrefix   ? fmt::format("first {};", op.length)
              : op.kind == bql::TraceOp::Kind::kSuffix ? fmt::format("last {};", op.length)
                                                       : std::string("project;");
    }
    return text;
  };
  EXPECT_EQ(cuts("b[50][20]"), "last 20;");
  EXPECT_EQ(cuts("b[20][50]"), "last 20;");
  EXPECT_EQ(cuts("[20]([50]b)"), "first 20;");
  EXPECT_EQ(cuts("([20]b)[50]"), "first 20;last 50;") << "one after the other";
  EXPECT_EQ(cuts("[20]b[50]"), "last 50;first 20;");
  EXPECT_EQ(cuts("PROJ(b[50], stack)[20]"), "last 20;project;");
  EXPECT_EQ(cuts("PROJ(b[50], \"x\")[20]"), "last 50;project;last 20;");
}

TEST(Plan, WhatIsReadBeforeTheSearch) {
  const auto read = [](std::string_view columns, std::string_view where, std::string_view tail = "") {
    const QueryPlan plan = Planned(fmt::format("SELECT {} FROM ALL WHERE {} {}", columns, where, tail));
    return std::string(plan.runs_first ? "runs" : plan.reports_first ? "reports" : "nothing");
  };
  const char* const near = "INTERSECT?(b[5], b527[5])";
  EXPECT_EQ(read("b", near), "nothing");
  EXPECT_EQ(read("b.title", near), "nothing") << "the reports of the rows that are shown are enough";
  EXPECT_EQ(read("b.test", near), "runs");
  EXPECT_EQ(read("b, b.signal", near), "runs");
  EXPECT_EQ(read("b", near, "ORDER BY title"), "reports");
  EXPECT_EQ(read("b", near, "ORDER BY test"), "runs");
  EXPECT_EQ(read("b", near, "ORDER BY distance DESC"), "nothing");
  EXPECT_EQ(read("b", "b.test = 'x'"), "runs");
  EXPECT_EQ(read("b", "b.title = 'x'"), "reports");
  const std::string either = std::string(near) + " || " + near;
  EXPECT_EQ(read("b", either), "nothing");
  EXPECT_EQ(read("b", std::string(near) + " || INTERSECT?(b527[5], b528[5])"), "reports") << "every bug may satisfy it";
  EXPECT_EQ(read("b", std::string(near) + " && INTERSECT?(b527[5], b528[5])"), "nothing");
  EXPECT_EQ(read("a, b", near), "reports") << "nothing is asked of a";
  EXPECT_EQ(read("a, b", "INTERSECT?(a[5], b[5])"), "nothing");
  EXPECT_EQ(read("a, b, c", "INTERSECT?(a[5], b[5]) && SUBSET?(b527[5], c[5])"), "nothing");
}

TEST(Plan, OnlyTheNearestOfASearchAreKept) {
  const auto kept = [](std::string_view text) { return Planned(text).predicates.at(0).keep_nearest; };
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) && b.status = 'open' LIMIT 7"), 7u)
      << "fields are asked before";
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) ORDER BY distance LIMIT 7"), 7u);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT 0"), 0u);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE SUBSET?(b[5], b527[5], 2) LIMIT 7"), 7u);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2, 1) LIMIT 7"), 7u);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2, 2) LIMIT 7"), std::nullopt)
      << "the second trace may be far";
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) || b.status = 'open' LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE !INTERSECT?(b[5], b527[5], 2) LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) && !(b.status = 'open') LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT a, b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT 7"), std::nullopt)
      << "of a row the search finds one bug alone";
  EXPECT_EQ(kept("SELECT a, b FROM ALL WHERE INTERSECT?(a[5], b[5], 2) LIMIT 7"), std::nullopt);
  EXPECT_EQ(kept("SELECT b FROM ALL WHERE INTERSECT?(b527[5], b528[5], 2) LIMIT 7"), std::nullopt);
  const uint64_t most = UINT64_MAX / 2;
  EXPECT_EQ(kept(fmt::format("SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5], 2) LIMIT {0} OFFSET {0}", most)),
            most + most);
}

TEST(Plan, SetPredicatesKeepTheirOrderBehindTheFields) {
  const QueryPlan plan = Planned(
      "SELECT b FROM ALL WHERE INTERSECT?(b[5], b527[5]) && b.status = 'open' && INTERSECT?(b[6], b527[6]) && (b.id = "
      "1 || INTERSECT?(b[7], b527[7])) && "
      "!(b.title = 'x')");
  std::string order;
  for (const bql::Condition& part : plan.select.where.parts) {
    using Kind = bql::Condition::Kind;
    order += part.kind == Kind::kField ? "field "
             : part.kind == Kind::kNot ? "not "
             : part.kind == Kind::kOr  ? "or "
                                       : fmt::format("set{} ", part.set.left.ops[0].length);
  }
  EXPECT_EQ(order, "field not set5 set6 or ");
}

TEST(Plan, AJaccardThatHoldsOfFarTracesIsNotSearchedFor) {
  EXPECT_EQ(MatcherOf(Planned("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0, 2)").predicates[0]), kLiteral);
  EXPECT_EQ(MatcherOf(Planned("SELECT b FROM ALL WHERE JACCARD?(b[5], b527[5], 0.1, 2)").predicates[0]), kByEdits);
}

}  // namespace
}  // namespace oscope
