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
