#include "query/clusters/best_cut.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace oscope {
namespace {

Partition Cut(const LinkageInput& input) {
  const auto joins = LinkByAverage(input);
  EXPECT_TRUE(joins.ok());
  return CutTree(input.items, input.far, *joins);
}

LinkageInput Input(uint32_t items, uint32_t far, std::vector<ItemPair> pairs) {
  return {.items = items, .far = far, .pairs = std::move(pairs), .apart = {}};
}

// Two groups of `size` items, `inside` from each other, the groups `between` apart.
LinkageInput TwoGroups(uint32_t size, uint32_t inside, uint32_t between) {
  LinkageInput input = Input(2 * size, 601, {});
  for (uint32_t a = 0; a < 2 * size; ++a) {
    for (uint32_t b = a + 1; b < 2 * size; ++b) input.pairs.push_back({a, b, a / size == b / size ? inside : between});
  }
  return input;
}

TEST(BestCut, TheDataSaysHowManyClustersThereAre) {
  EXPECT_EQ(Cut(TwoGroups(3, 50, 500)), (Partition{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(Cut(TwoGroups(3, 50, 100)), (Partition{{0, 1, 2, 3, 4, 5}}));
}

TEST(BestCut, TwoBugsThatAreHardlyNearerThanFarAreNoCluster) {
  EXPECT_EQ(Cut(Input(2, 601, {{0, 1, 440}})), (Partition{{0, 1}}));
  EXPECT_EQ(Cut(Input(2, 601, {{0, 1, 460}})), (Partition{{0}, {1}}));
}

TEST(BestCut, EqualBugsAreOneCluster) {
  EXPECT_EQ(Cut(Input(4, 601, {{0, 1, 0}, {0, 2, 0}, {1, 2, 0}})), (Partition{{0, 1, 2}, {3}}));
  EXPECT_EQ(Cut(Input(0, 601, {})), Partition{});
}

TEST(BestCut, EqualBugsDoNotPartFromOthersThatHardlyDiffer) {
  EXPECT_EQ(Cut(TwoGroups(2, 0, 20)), (Partition{{0, 1, 2, 3}}));
  EXPECT_EQ(Cut(TwoGroups(2, 0, 500)), (Partition{{0, 1}, {2, 3}}));
}

TEST(BestCut, WhatIsFarFromAClusterDoesNotChangeIt) {
  LinkageInput input = TwoGroups(3, 50, 500);
  const Partition before = Cut(input);
  input.items += 2;
  input.pairs.push_back({6, 7, 300});
  Partition expected = before;
  expected.push_back({6, 7});
  EXPECT_EQ(Cut(input), expected);
}

// The best sum over all cuts there are, by trying both choices at every node.
double BestSum(uint32_t items, const std::vector<Join>& joins, const std::vector<double>& qualities,
               std::vector<uint32_t> open) {
  if (open.empty()) return 0;
  const uint32_t node = open.back();
  open.pop_back();
  const double whole = qualities[node] + BestSum(items, joins, qualities, open);
  if (node < items) return whole;
  open.push_back(joins[node - items].left);
  open.push_back(joins[node - items].right);
  return std::max(whole, BestSum(items, joins, qualities, open));
}

std::vector<uint32_t> Roots(uint32_t items, const std::vector<Join>& joins) {
  std::vector<bool> below(items + joins.size());
  for (const Join& join : joins) below[join.left] = below[join.right] = true;
  std::vector<uint32_t> roots;
  for (uint32_t node = 0; node < below.size(); ++node) {
    if (!below[node]) roots.push_back(node);
  }
  return roots;
}

// By the definition: which node a cluster is, and what it adds.
double SumOf(const Partition& partition, uint32_t items, const std::vector<Join>& joins,
             const std::vector<double>& qualities) {
  std::vector<std::vector<uint32_t>> below(items + joins.size());
  for (uint32_t item = 0; item < items; ++item) below[item] = {item};
  for (size_t i = 0; i < joins.size(); ++i) {
    std::vector<uint32_t>& all = below[items + i];
    all = below[joins[i].left];
    all.insert(all.end(), below[joins[i].right].begin(), below[joins[i].right].end());
    std::sort(all.begin(), all.end());
  }
  double sum = 0;
  for (const auto& cluster : partition) {
    const auto node = std::find(below.begin(), below.end(), cluster);
    EXPECT_NE(node, below.end());
    if (node != below.end()) sum += qualities[static_cast<size_t>(node - below.begin())];
  }
  return sum;
}

TEST(BestCut, NoCutOfTheTreeIsBetter) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    LinkageInput input = Input(static_cast<uint32_t>(1 + random() % 11), static_cast<uint32_t>(2 + random() % 600), {});
    for (uint32_t a = 0; a < input.items; ++a) {
      for (uint32_t b = a + 1; b < input.items; ++b) {
        if (random() % 3 != 0) input.pairs.push_back({a, b, static_cast<uint32_t>(random() % input.far)});
      }
    }
    const auto joins = LinkByAverage(input);
    ASSERT_TRUE(joins.ok());
    const std::vector<double> qualities = NodeQualities(input.items, input.far, *joins);
    const Partition partition = CutTree(input.items, input.far, *joins);
    size_t items = 0;
    for (const auto& cluster : partition) items += cluster.size();
    ASSERT_EQ(items, input.items);
    EXPECT_NEAR(SumOf(partition, input.items, *joins, qualities),
                BestSum(input.items, *joins, qualities, Roots(input.items, *joins)), 1e-9);
  }
}

}  // namespace
}  // namespace oscope
