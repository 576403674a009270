#include "query/distance/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "query/distance/cosine.h"
#include "query/distance/embedding.h"
#include "query/distance/hamming.h"
#include "query/distance/lcs.h"
#include "query/distance/levenshtein_metric.h"
#include "query/distance/recent.h"
#include "query/distance/renamed.h"
#include "query/distance/vsm.h"
#include "query/distance/weighted.h"
#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

// The textbook table.
uint64_t SlowLcs(Sequence a, Sequence b) {
  std::vector<std::vector<uint64_t>> table(a.size() + 1, std::vector<uint64_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

uint64_t SlowHamming(Sequence a, Sequence b) {
  uint64_t distance = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) distance += i >= a.size() || i >= b.size() || a[i] != b[i];
  return distance;
}

long double Cosine(Sequence a, Sequence b) {
  std::map<uint32_t, long double> in_a, in_b;
  for (const uint32_t event : a) ++in_a[event];
  for (const uint32_t event : b) ++in_b[event];
  long double dot = 0, aa = 0, bb = 0;
  for (const auto& [event, count] : in_a) dot += count * in_b[event], aa += count * count;
  for (const auto& [event, count] : in_b) bb += count * count;
  return dot / std::sqrt(aa * bb);
}

TEST(Lcs, AgreesWithTheTable) {
  std::mt19937 random(1);
  for (int i = 0; i < 600; ++i) {
    const Events a = RandomEvents(random, 300, 1 + i % 40), b = RandomEvents(random, 300, 1 + i % 40);
    ASSERT_EQ(LcsLength(a, b), SlowLcs(a, b));
    ASSERT_EQ(LcsDistance(a, b), a.size() + b.size() - 2 * SlowLcs(a, b));
    ASSERT_EQ(EmbeddingDistance(a, b), std::min(a.size(), b.size()) - SlowLcs(a, b));
  }
  for (const size_t size : {63u, 64u, 65u, 127u, 128u, 129u}) {
    const Events same(size, 7);
    EXPECT_EQ(LcsLength(same, same), size);
    Events other(size, 8);
    EXPECT_EQ(LcsLength(same, other), 0u);
    other.push_back(7);
    EXPECT_EQ(LcsLength(same, other), 1u);
  }
}

TEST(Embedding, IsZeroForASubsequence) {
  EXPECT_EQ(EmbeddingDistance(Events{1, 3}, Events{1, 2, 3}), 0u);
  EXPECT_EQ(EmbeddingDistance(Events{3, 1}, Events{1, 2, 3}), 1u);
  EXPECT_EQ(EmbeddingDistance(Events{}, Events{1}), 0u);
}

TEST(Hamming, AgreesWithItsDefinition) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const Events a = RandomEvents(random, 700, 3), b = RandomEvents(random, 700, 3);
    ASSERT_EQ(HammingWithin(a, b, kUnbounded), SlowHamming(a, b));
  }
}

TEST(Vsm, AgreesWithFloatingPointWhereThatIsExactEnough) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Events a = RandomEvents(random, 60, 6), b = RandomEvents(random, 60, 6);
    if (a.empty() || b.empty()) continue;
    const long double exact = 1000 * (1 - Cosine(a, b));
    ASSERT_NEAR(static_cast<double>(VsmDistance(a, b)), static_cast<double>(exact), 0.5000001);
  }
}

TEST(Vsm, TheEdges) {
  EXPECT_EQ(VsmDistance(Events{}, Events{}), 0u);
  EXPECT_EQ(VsmDistance(Events{1}, Events{}), 1000u);
  EXPECT_EQ(VsmDistance(Events{1}, Events{2}), 1000u);
  EXPECT_EQ(VsmDistance(Events{1, 2, 2}, Events{2, 1, 2}), 0u);
  EXPECT_EQ(VsmDistance(Events{1, 1, 2}, Events{1, 2, 2}), 200u);
  const Events many(3'000'000, 1);
  EXPECT_EQ(VsmDistance(many, Events{1}), 0u);
}

// As recent.h says it, in floating point.
long double SlowRecent(Sequence a, Sequence b, const EventWeights& weights) {
  const auto weigh = [&](Sequence events) {
    std::map<uint32_t, long double> weighed;
    for (size_t i = 0; i < events.size(); ++i) {
      const long double rarity = weights.rarity.at(events[i]) / 65536.0L;
      weighed[events[i]] = rarity * 10 / (10 + static_cast<long double>(events.size() - 1 - i));
    }
    return weighed;
  };
  const auto product = [](const auto& left, const auto& right) {
    long double sum = 0;
    for (const auto& [event, weight] : left) sum += right.contains(event) ? weight * right.at(event) : 0;
    return sum;
  };
  const auto ours = weigh(a), theirs = weigh(b);
  return 1000 * (1 - product(ours, theirs) / std::sqrt(product(ours, ours) * product(theirs, theirs)));
}

TEST(Recent, AgreesWithFloatingPointWhereThatIsExactEnough) {
  std::mt19937 random(7);
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{1, 2, 3, 50, 900, 1000}, 1000);
  for (int i = 0; i < 2000; ++i) {
    const Events a = RandomEvents(random, 60, 6), b = RandomEvents(random, 60, 6);
    if (a.empty() || b.empty()) continue;
    const uint64_t distance = RecentDistance(WeighRecent(a, weights), WeighRecent(b, weights));
    ASSERT_NEAR(static_cast<double>(distance), static_cast<double>(SlowRecent(a, b, weights)), 0.51);
  }
}

TEST(Recent, TheEdges) {
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{5, 5, 5}, 5);
  const auto distance = [&](const Events& a, const Events& b) {
    return RecentDistance(WeighRecent(a, weights), WeighRecent(b, weights));
  };
  EXPECT_EQ(distance({}, {}), 0u);
  EXPECT_EQ(distance({1}, {}), 1000u);
  EXPECT_EQ(distance({1}, {2}), 1000u);
  EXPECT_EQ(distance({0, 1, 1, 2}, {1, 2, 2}), 132u);
  EXPECT_EQ(distance({1, 1, 1, 2}, {2, 2, 1, 2}), 0u) << "only the last place of an event counts";
  EXPECT_EQ(distance({7, 7}, {7}), 0u) << "nobody has counted 7";
  // What lies beyond the reach does not count.
  Events far(2000, 1);
  far.front() = 2;
  EXPECT_EQ(distance(far, Events(3, 1)), 0u);
}

TEST(Recent, RareEventsAndEventsNearTheEndCountMore) {
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{100, 100, 1, 1}, 100);
  const auto distance = [&](const Events& a, const Events& b) {
    return RecentDistance(WeighRecent(a, weights), WeighRecent(b, weights));
  };
  EXPECT_LT(distance({0, 2}, {1, 2}), distance({2, 0}, {3, 0})) << "the rare one is shared";
  Events early(20, 0), late(20, 0);
  early.front() = 2;
  late[18] = 2;
  EXPECT_GT(distance(late, Events(20, 0)), distance(early, Events(20, 0)))
      << "the rare one is missed more where it came late";
}

// Only the last kReach events count: the one just inside, and the one just outside.
TEST(Recent, ReachesAsFarAsItSays) {
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{1000, 1, 1000}, 1000);
  const auto distance = [&](size_t events) {
    Events far(events, 0);
    far.front() = 1;  // the rare one
    return RecentDistance(WeighRecent(far, weights), WeighRecent(Events(events, 0), weights));
  };
  EXPECT_GT(distance(RecentEvents::kReach), 0u);
  EXPECT_EQ(distance(RecentEvents::kReach + 1), 0u);
  EXPECT_EQ(WeighRecent(Events(RecentEvents::kReach, 0), weights).entries.size(), 1u);
}

TEST(Weighted, ReachesAsFarAsItsWindow) {
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{1000, 1, 1000}, 1000);
  const WeightedParameters parameters;
  const auto distance = [&](size_t events) {
    Events far(events, 0);
    far.front() = 1;
    return WeightedDistance(far, Events(events, 0), weights, parameters);
  };
  EXPECT_GT(distance(parameters.window), 0u);
  EXPECT_EQ(distance(parameters.window + 1), 0u);
}

// The bound is looked at every 256 events.
TEST(Hamming, WithinTheBoundAroundAStride) {
  for (const size_t length : {255u, 256u, 257u, 511u, 512u, 513u}) {
    const Events a(length, 1);
    for (const size_t differing : {size_t{0}, size_t{254}, size_t{255}, size_t{256}, length - 1}) {
      if (differing >= length) continue;
      Events b = a;
      b[differing] = 2;
      EXPECT_EQ(HammingWithin(a, b, 1), 1u);
      EXPECT_EQ(HammingWithin(a, b, 0), std::nullopt);
    }
    Events longer = a;
    longer.push_back(1);
    EXPECT_EQ(HammingWithin(a, longer, 1), 1u);
    EXPECT_EQ(HammingWithin(longer, a, 0), std::nullopt);
    EXPECT_EQ(HammingWithin(a, Events(length, 2), length), length);
    EXPECT_EQ(HammingWithin(a, Events(length, 2), length - 1), std::nullopt);
  }
}

TEST(Cosine, OfLargeNumbers) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 2000; ++i) {
    // a and b are squares of lengths, and no product is greater than that of the lengths.
    const uint64_t a = random() >> (random() % 40), b = random() >> (random() % 40);
    if (a == 0 || b == 0) continue;
    const long double most = std::sqrt(static_cast<long double>(a)) * std::sqrt(static_cast<long double>(b));
    const auto dot = static_cast<uint64_t>(most * static_cast<long double>(random() % 1000) / 1000);
    const long double exact = 1000 * static_cast<long double>(dot) / most;
    ASSERT_NEAR(static_cast<double>(CosineInThousandths(dot, a, b)), static_cast<double>(exact), 0.500001)
        << dot << " " << a << " " << b;
  }
  EXPECT_EQ(CosineInThousandths(UINT64_MAX, UINT64_MAX, UINT64_MAX), 1000u);
  EXPECT_EQ(CosineInThousandths(0, UINT64_MAX, UINT64_MAX), 0u);
  // Rounded to nearest: 0.4995 and a little less.
  EXPECT_EQ(CosineInThousandths(4995, 10'000, 10'000), 500u);
  EXPECT_EQ(CosineInThousandths(4994, 10'000, 10'000), 499u);
}

TEST(Renamed, NumbersByFirstAppearance) {
  EXPECT_EQ(RenameByAppearance(Events{7, 8, 7, 2}), (Events{0, 1, 0, 2}));
  const auto metric = MakeRenamed();
  EXPECT_EQ(metric->Within(Events{7, 8, 7}, Events{1, 2, 1}, 0).value(), 0u);
  EXPECT_EQ(metric->Within(Events{7, 8, 7}, Events{1, 2, 2}, 5).value(), 1u);
  EXPECT_EQ(metric->Within(Events{7, 8, 7}, Events{1, 2, 2}, 0).value(), std::nullopt);
}

TEST(WeighEvents, IsTheLogarithmInFixedPoint) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t traces = 1 + random() % 10'000'000, with = 1 + random() % traces;
    const EventWeights weights = WeighEvents(std::vector<uint64_t>{with}, traces);
    const long double exact = std::log2(1 + static_cast<long double>(traces) / static_cast<long double>(with)) * 65536;
    ASSERT_NEAR(static_cast<double>(weights.rarity[0]), static_cast<double>(exact), 2.5) << traces << " " << with;
    ASSERT_GE(weights.unknown, weights.rarity[0]);
  }
  EXPECT_EQ(WeighEvents({}, 1).unknown, 65536u);
  EXPECT_EQ(WeighEvents({}, 0).unknown, 65536u);
  EXPECT_GT(WeighEvents({}, UINT64_MAX).unknown, 0u);
  EXPECT_EQ(WeighEvents(std::vector<uint64_t>{0, 1}, 8).rarity[0],
            WeighEvents(std::vector<uint64_t>{0, 1}, 8).rarity[1]);
}

// The least cost over all alignments, by trying them all.
uint64_t SlowCost(Sequence a, Sequence b, const std::vector<uint64_t>& wa, const std::vector<uint64_t>& wb, size_t i,
                  size_t j) {
  if (i == a.size() && j == b.size()) return 0;
  uint64_t least = UINT64_MAX;
  if (i < a.size()) least = std::min(least, wa[i] + SlowCost(a, b, wa, wb, i + 1, j));
  if (j < b.size()) least = std::min(least, wb[j] + SlowCost(a, b, wa, wb, i, j + 1));
  if (i < a.size() && j < b.size() && a[i] == b[j]) {
    least = std::min(least, std::max(wa[i], wb[j]) - std::min(wa[i], wb[j]) + SlowCost(a, b, wa, wb, i + 1, j + 1));
  }
  return least;
}

std::vector<uint64_t> SlowWeights(const Events& x, const EventWeights& weights, uint64_t half) {
  std::vector<uint64_t> out;
  for (size_t i = 0; i < x.size(); ++i) {
    const uint64_t rarity = x[i] < weights.rarity.size() ? weights.rarity[x[i]] : weights.unknown;
    out.push_back(std::max<uint64_t>(1, rarity * half / (half + x.size() - 1 - i)));
  }
  return out;
}

TEST(Weighted, IsTheLeastCostOfAnAlignment) {
  std::mt19937 random(5);
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{100, 50, 1}, 100);
  for (int i = 0; i < 300; ++i) {
    const Events a = RandomEvents(random, 7, 4), b = RandomEvents(random, 7, 4);
    if (a.empty() && b.empty()) continue;
    const auto wa = SlowWeights(a, weights, 16), wb = SlowWeights(b, weights, 16);
    uint64_t total = 0;
    for (const uint64_t weight : wa) total += weight;
    for (const uint64_t weight : wb) total += weight;
    const auto exact = static_cast<long double>(SlowCost(a, b, wa, wb, 0, 0)) * 1000 / static_cast<long double>(total);
    ASSERT_EQ(WeightedDistance(a, b, weights), static_cast<uint64_t>(std::floor(exact + 0.5L)));
    ASSERT_EQ(WeightedDistance(a, b, weights), WeightedDistance(b, a, weights));
    ASSERT_EQ(WeightedDistance(a, a, weights), 0u);
  }
}

TEST(Weighted, RareEventsAndEventsNearTheEndCountMore) {
  const EventWeights weights = WeighEvents(std::vector<uint64_t>{1000, 1, 1000, 1000}, 1000);
  const Events base = {0, 2, 3, 0};
  EXPECT_GT(WeightedDistance(Events{0, 1, 2, 3, 0}, base, weights),
            WeightedDistance(Events{0, 0, 2, 3, 0}, base, weights));
  EXPECT_GT(WeightedDistance(Events{0, 2, 3, 2}, base, weights), WeightedDistance(Events{2, 2, 3, 0}, base, weights));
  EXPECT_EQ(WeightedDistance(Events{}, Events{}, weights), 0u);
  EXPECT_EQ(WeightedDistance(Events{1}, Events{}, weights), 1000u);
}

TEST(SequenceMetric, WithinIsTheDistanceUpToTheBound) {
  std::mt19937 random(6);
  std::vector<std::unique_ptr<SequenceMetric>> metrics;
  metrics.push_back(MakeLevenshtein());
  metrics.push_back(MakePlainLevenshtein());
  metrics.push_back(MakeHamming());
  metrics.push_back(MakeLcs());
  metrics.push_back(MakeEmbedding());
  metrics.push_back(MakeVsm());
  metrics.push_back(MakeRenamed());
  metrics.push_back(MakeWeighted(WeighEvents(std::vector<uint64_t>{3, 2, 1}, 3)));
  for (int i = 0; i < 200; ++i) {
    const Events a = RandomEvents(random, 20, 4), b = RandomEvents(random, 20, 4);
    for (const auto& metric : metrics) {
      const auto whole = metric->Within(a, b, kUnbounded).value();
      ASSERT_TRUE(whole);
      ASSERT_EQ(metric->Within(b, a, kUnbounded).value(), whole);
      ASSERT_EQ(metric->Within(a, a, 0).value(), 0u);
      ASSERT_EQ(metric->Within(a, b, *whole).value(), whole);
      if (*whole > 0) {
        ASSERT_EQ(metric->Within(a, b, *whole - 1).value(), std::nullopt);
      }
    }
    ASSERT_EQ(metrics[0]->Within(a, b, kUnbounded).value(), Levenshtein(a, b));
    ASSERT_EQ(metrics[1]->Within(a, b, kUnbounded).value(), Levenshtein(a, b));
  }
}

}  // namespace
}  // namespace oscope
