// What the operators of a query share: its limits, the wish to stop, what was found so far.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>

#include "query/operators/memory_budget.h"
#include "query/operators/parallel_bugs.h"
#include "query/operators/partial_matches.h"
#include "query/operators/query_context.h"
#include "query/operators/search_result.h"

namespace oscope {
namespace {

TEST(MemoryBudget, HasAsManyBytesAsItSays) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.Take(0).ok());
  EXPECT_TRUE(budget.Take(60).ok());
  EXPECT_TRUE(budget.Take(40).ok()) << "exactly as many";
  EXPECT_EQ(budget.taken(), 100u);
  EXPECT_TRUE(budget.Take(0).ok());
  const Status over = budget.Take(1);
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.error().code, ErrorCode::kLimit);
  EXPECT_NE(over.error().message.find("100"), std::string::npos) << over.error().message;
  EXPECT_FALSE(MemoryBudget(0).Take(1).ok());
}

TEST(QueryContext, SaysWhenToStop) {
  CancelSource source;
  const CancelToken& cancelled = source.token();
  const QueryContext without_time(1, std::nullopt, cancelled);
  EXPECT_TRUE(without_time.Check().ok());
  const QueryContext with_time(1, std::chrono::hours(24), cancelled), over(1, std::chrono::milliseconds(-1), cancelled);
  EXPECT_TRUE(with_time.Check().ok());
  ASSERT_FALSE(over.Check().ok());
  EXPECT_EQ(over.Check().error().code, ErrorCode::kLimit);
  source.Cancel();
  for (const QueryContext* context : {&without_time, &with_time, &over}) {
    ASSERT_FALSE(context->Check().ok());
    EXPECT_EQ(context->Check().error().code, ErrorCode::kCancelled);
  }
}

TEST(ForEachInParallel, DoesEachOnce) {
  const QueryContext context(1, std::nullopt, CancelToken());
  for (const size_t count : {0u, 1u, 7u, 8u, 9u, 1000u}) {
    std::vector<std::atomic<int>> done(count);
    EXPECT_TRUE(ForEachInParallel(count, 8, context, [&](size_t i) -> Status {
                  ++done[i];
                  return {};
                }).ok());
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ForEachInParallel, StopsAtTheFirstError) {
  const QueryContext context(1, std::nullopt, CancelToken());
  for (const size_t failing : {0u, 1u, 99u}) {
    std::atomic<int> failures = 0;
    tbb::task_arena one(1);
    const Status status = one.execute([&] {
      return ForEachInParallel(100, 4, context, [&](size_t i) -> Status {
        if (i < failing) return {};
        ++failures;
        return Invalid("item {}", i);
      });
    });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(status.error().message.starts_with("item "));
    EXPECT_EQ(failures, 1) << "nothing is begun after an error";
  }
}

TEST(ForEachInParallel, LooksWhetherItIsCancelled) {
  CancelSource source;
  source.Cancel();
  const QueryContext context(1, std::nullopt, source.token());
  std::atomic<int> done = 0;
  const auto work = [&](size_t) -> Status {
    ++done;
    return {};
  };
  const Status status = ForEachInParallel(100, 4, context, work);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(done, 0);
  // It is asked again on the way, not at the beginning alone: after a few items at the latest.
  source.Reset();
  tbb::task_arena one(1);
  const Status later = one.execute([&] {
    return ForEachInParallel(1000, 4, context, [&](size_t) -> Status {
      ++done;
      source.Cancel();
      return {};
    });
  });
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.error().code, ErrorCode::kCancelled);
  EXPECT_LE(done, 8);
}

SearchResult Matches(uint32_t count, uint32_t first = 0) {
  SearchResult matches;
  for (uint32_t i = 0; i < count; ++i) matches.push_back({first + i, 1000 + i});
  return matches;
}

TEST(PartialMatches, KeepsTheNearestHundred) {
  PartialMatches partial;
  partial.Add(Matches(3));
  EXPECT_TRUE(partial.Nearest().empty()) << "nobody watches";
  partial.Watch();
  partial.Add({});
  EXPECT_TRUE(partial.Nearest().empty());
  partial.Add(Matches(PartialMatches::kKept));
  EXPECT_EQ(partial.Nearest(), Matches(PartialMatches::kKept));
  partial.Add(Matches(1, 500));
  // Two at 1000: the bug with the lesser number comes first, and the farthest goes.
  SearchResult expected = Matches(PartialMatches::kKept - 1);
  expected.insert(expected.begin() + 1, {500, 1000});
  EXPECT_EQ(partial.Nearest(), expected);
}

TEST(PartialMatches, ABugCountsWithItsNearest) {
  PartialMatches partial;
  partial.Watch();
  partial.Add(SearchResult{{7, 20}, {3, 20}});
  partial.Add(SearchResult{{7, 5}});
  partial.Add(SearchResult{{7, 9}});
  EXPECT_EQ(partial.Nearest(), (SearchResult{{7, 5}, {3, 20}}));
}

// More than sixteen times as many come in before anyone asks: the nearest are still there.
TEST(PartialMatches, ManyBetweenTwoLooks) {
  static_assert(PartialMatches::kKept == 100);
  for (const uint32_t count : {16u * 100 - 1, 16u * 100, 16u * 100 + 1}) {
    PartialMatches partial;
    partial.Watch();
    SearchResult all = Matches(count);
    std::reverse(all.begin(), all.end());
    for (const BugMatch& match : all) partial.Add({&match, 1});
    EXPECT_EQ(partial.Nearest(), Matches(PartialMatches::kKept)) << count;
  }
}

TEST(SearchResult, FindsABugByItsNumber) {
  const SearchResult matches = {{2, 9}, {5, 0}, {8, 3}};
  EXPECT_EQ(FindMatch(matches, 2)->distance, 9u);
  EXPECT_EQ(FindMatch(matches, 5)->distance, 0u);
  EXPECT_EQ(FindMatch(matches, 8)->distance, 3u);
  for (const uint32_t missing : {0u, 1u, 3u, 6u, 9u}) EXPECT_EQ(FindMatch(matches, missing), nullptr);
  EXPECT_EQ(FindMatch({}, 1), nullptr);
}

TEST(SearchResult, WhichPairsAreWanted) {
  for (const JoinOrder order : {JoinOrder::kBoth, JoinOrder::kRightGreater, JoinOrder::kRightLess})
    EXPECT_FALSE(Wants(order, 3, 3));
  EXPECT_TRUE(Wants(JoinOrder::kBoth, 3, 4));
  EXPECT_TRUE(Wants(JoinOrder::kBoth, 4, 3));
  EXPECT_TRUE(Wants(JoinOrder::kRightGreater, 3, 4));
  EXPECT_FALSE(Wants(JoinOrder::kRightGreater, 4, 3));
  EXPECT_FALSE(Wants(JoinOrder::kRightLess, 3, 4));
  EXPECT_TRUE(Wants(JoinOrder::kRightLess, 4, 3));
}

}  // namespace
}  // namespace oscope
