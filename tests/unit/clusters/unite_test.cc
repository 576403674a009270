#include "query/clusters/unite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace oscope {
namespace {

TEST(Unite, WholeClustersGoTogether) {
  EXPECT_EQ(Unite({{0, 3}, {1, 2}, {4}}, {{0, 1}}, {}), (Partition{{0, 1, 2, 3}, {4}}));
  EXPECT_EQ(Unite({{0, 3}, {1, 2}, {4}}, {{0, 3}}, {}), (Partition{{0, 3}, {1, 2}, {4}}));
}

TEST(Unite, OnlyTheNamedOnesWhereOthersMustStayApart) {
  EXPECT_EQ(Unite({{0, 3}, {1, 2}, {4}}, {{0, 1}}, {{2, 3}}), (Partition{{0, 1}, {2}, {3}, {4}}));
}

TEST(Unite, ObeysAllOnRandomInput) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    const uint32_t items = 2 + pick(14);
    std::vector<uint32_t> group_of(items), cluster_of(items);
    for (uint32_t i = 0; i < items; ++i) group_of[i] = pick(items), cluster_of[i] = pick(items);
    std::vector<std::pair<uint32_t, uint32_t>> apart;
    for (uint32_t a = 0; a < items; ++a) {
      for (uint32_t b = a + 1; b < items; ++b) {
        if (group_of[a] != group_of[b] && cluster_of[a] != cluster_of[b] && pick(4) == 0) apart.emplace_back(a, b);
      }
    }
    Partition partition(items), groups(items);
    for (uint32_t i = 0; i < items; ++i) {
      partition[cluster_of[i]].push_back(i);
      groups[group_of[i]].push_back(i);
    }
    std::erase_if(partition, [](const auto& one) { return one.empty(); });
    std::erase_if(groups, [](const auto& one) { return one.size() < 2; });
    const Partition united = Unite(partition, groups, apart);
    std::vector<size_t> place(items, items);
    size_t seen = 0;
    for (size_t i = 0; i < united.size(); ++i) {
      EXPECT_TRUE(std::is_sorted(united[i].begin(), united[i].end()));
      for (const uint32_t item : united[i]) place[item] = i, ++seen;
    }
    EXPECT_EQ(seen, items);
    for (const auto& [a, b] : apart) EXPECT_NE(place[a], place[b]);
    for (const auto& group : groups) {
      for (const uint32_t item : group) EXPECT_EQ(place[item], place[group.front()]);
    }
  }
}

}  // namespace
}  // namespace oscope
