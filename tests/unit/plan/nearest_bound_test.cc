#include "query/operators/nearest_bound.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace oscope {
namespace {

TEST(NearestBound, FallsToTheKthNearest) {
  NearestBound nearest(2, 30);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 30u);
  nearest.Found(12);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 30u);
  nearest.Found(20);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 20u);
  nearest.Found(5, 20);  // the same bug, nearer
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 12u);
}

TEST(NearestBound, OfNoneIsNothing) {
  NearestBound nearest(0, 30);
  EXPECT_EQ(nearest.bound(), 0u);
  nearest.Found(0);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 0u);
}

TEST(NearestBound, OfOneFallsToNothingAtOnce) {
  NearestBound nearest(1, 30);
  nearest.Found(0);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 0u);
}

TEST(NearestBound, NeverRises) {
  NearestBound nearest(1, 5);
  nearest.Found(5);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 5u);
  nearest.Found(7);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 5u);
}

// Distances are counted one by one up to a limit; beyond it the bound stays as it was, which costs time only.
TEST(NearestBound, CountsUpToItsLimit) {
  constexpr uint64_t kLast = NearestBound::kCounted - 1;
  NearestBound nearest(1, UINT64_MAX);
  nearest.Found(NearestBound::kCounted);
  nearest.Found(UINT64_MAX);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), UINT64_MAX);
  nearest.Found(kLast, NearestBound::kCounted);  // the same bug, which was not counted before
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), kLast);
  NearestBound two(2, 2000);
  two.Found(kLast);
  two.Found(3, kLast);
  two.Tighten();
  EXPECT_EQ(two.bound(), 2000u) << "one bug, not two";
  two.Found(kLast);
  two.Tighten();
  EXPECT_EQ(two.bound(), kLast);
}

TEST(NearestBound, StaysWithoutALimit) {
  NearestBound nearest(std::nullopt, 30);
  for (int i = 0; i < 100; ++i) nearest.Found(1);
  nearest.Tighten();
  EXPECT_EQ(nearest.bound(), 30u);
}

// Never below the k-th nearest of what all threads together found.
TEST(NearestBound, IsNeverTooLowWhileThreadsMoveBugsAbout) {
  constexpr size_t kBugs = 64, kKeep = 8;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    NearestBound nearest(kKeep, 100);
    std::vector<std::atomic<uint64_t>> best(kBugs);
    for (auto& one : best) one = 100;
    const auto work = [&](uint32_t thread_seed) {
      std::mt19937 random(thread_seed);
      for (int i = 0; i < 2000; ++i) {
        const size_t bug = random() % kBugs;
        const uint64_t distance = 20 + random() % 80;
        uint64_t now = best[bug];
        while (distance < now && !best[bug].compare_exchange_weak(now, distance)) {
        }
        if (distance < now) nearest.Found(distance, now == 100 ? std::nullopt : std::optional<uint64_t>(now));
        nearest.Tighten();
      }
    };
    std::thread a(work, 2 * seed), b(work, 2 * seed + 1);
    a.join();
    b.join();
    std::vector<uint64_t> all(best.begin(), best.end());
    std::sort(all.begin(), all.end());
    nearest.Tighten();
    EXPECT_EQ(nearest.bound(), all[kKeep - 1]);
  }
}

}  // namespace
}  // namespace oscope
