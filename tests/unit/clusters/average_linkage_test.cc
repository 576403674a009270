#include "query/clusters/average_linkage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>

#include "base/cancel.h"

namespace oscope {
namespace {

// The header's definition over the full matrix, every pair of clusters measured anew before every join.
class PlainLinkage {
 public:
  explicit PlainLinkage(const LinkageInput& input)
      : input_(input), known_(input.items, Row(input.items)), apart_(known_) {
    for (const ItemPair& pair : input.pairs) {
      if (!known_[pair.a][pair.b]) known_[pair.a][pair.b] = known_[pair.b][pair.a] = pair.distance;
    }
    for (const auto& [a, b] : input.apart) apart_[a][b] = apart_[b][a] = 1;
    for (uint32_t i = 0; i < input.items; ++i) clusters_.push_back({i, {i}, 0});
  }

  std::vector<Join> Run() {
    std::vector<Join> joins;
    while (const auto best = Nearest()) {
      Cluster &left = clusters_[best->first], &right = clusters_[best->second];
      const uint64_t between = Sum(left, right);
      Join join{left.node, right.node, 0, left.within + right.within + between, Mean(left, right)};
      left.items.insert(left.items.end(), right.items.begin(), right.items.end());
      join.size = static_cast<uint32_t>(left.items.size());
      left.node = input_.items + static_cast<uint32_t>(joins.size());
      left.within = join.within;
      clusters_.erase(clusters_.begin() + static_cast<ptrdiff_t>(best->second));
      joins.push_back(join);
    }
    return joins;
  }

 private:
  using Row = std::vector<std::optional<uint32_t>>;
  struct Cluster {
    uint32_t node;
    std::vector<uint32_t> items;  // the first is the lowest
    uint64_t within;
  };

  uint64_t Sum(const Cluster& a, const Cluster& b) const {
    uint64_t sum = 0;
    for (const uint32_t i : a.items) {
      for (const uint32_t j : b.items) sum += known_[i][j].value_or(input_.far);
    }
    return sum;
  }

  double Mean(const Cluster& a, const Cluster& b) const {
    return static_cast<double>(Sum(a, b)) / static_cast<double>(a.items.size() * b.items.size());
  }

  bool MayJoin(const Cluster& a, const Cluster& b) const {
    bool any = false;
    for (const uint32_t i : a.items) {
      for (const uint32_t j : b.items) {
        if (apart_[i][j]) return false;
        any |= known_[i][j].has_value();
      }
    }
    return any;
  }

  // Clusters stay in the order of their lowest items, so the first of equal ones is the right one.
  std::optional<std::pair<size_t, size_t>> Nearest() const {
    std::optional<std::pair<size_t, size_t>> best;
    double least = 0;
    for (size_t a = 0; a < clusters_.size(); ++a) {
      for (size_t b = a + 1; b < clusters_.size(); ++b) {
        if (!MayJoin(clusters_[a], clusters_[b])) continue;
        const double mean = Mean(clusters_[a], clusters_[b]);
        if (best && mean >= least) continue;
        best = {a, b};
        least = mean;
      }
    }
    return best;
  }

  const LinkageInput& input_;
  std::vector<Row> known_, apart_;
  std::vector<Cluster> clusters_;
};

LinkageInput RandomInput(std::mt19937& random) {
  const auto pick = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
  LinkageInput input;
  input.items = 1 + pick(24);
  input.far = 1 + pick(random() % 2 ? 5 : 700);  // few distances make many ties
  const uint32_t density = 1 + pick(10);
  for (uint32_t a = 0; a < input.items; ++a) {
    for (uint32_t b = a + 1; b < input.items; ++b) {
      const bool turned = pick(2) == 0;
      if (pick(10) < density) input.pairs.push_back({turned ? b : a, turned ? a : b, pick(input.far)});
      if (pick(30) == 0) input.apart.emplace_back(turned ? b : a, turned ? a : b);
    }
  }
  std::shuffle(input.pairs.begin(), input.pairs.end(), random);
  return input;
}

void ExpectSame(const std::vector<Join>& joins, const std::vector<Join>& expected) {
  ASSERT_EQ(joins.size(), expected.size());
  for (size_t i = 0; i < joins.size(); ++i) {
    EXPECT_EQ(joins[i].left, expected[i].left) << "join " << i;
    EXPECT_EQ(joins[i].right, expected[i].right) << "join " << i;
    EXPECT_EQ(joins[i].size, expected[i].size);
    EXPECT_EQ(joins[i].within, expected[i].within);
    EXPECT_EQ(joins[i].height, expected[i].height);
  }
}

TEST(AverageLinkage, EqualsThePlainOneOnRandomInput) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const LinkageInput input = RandomInput(random);
    const auto joins = LinkByAverage(input);
    ASSERT_TRUE(joins.ok());
    ExpectSame(*joins, PlainLinkage(input).Run());
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(AverageLinkage, HeightsNeverFall) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto joins = LinkByAverage(RandomInput(random));
    ASSERT_TRUE(joins.ok());
    EXPECT_TRUE(
        std::is_sorted(joins->begin(), joins->end(), [](const Join& a, const Join& b) { return a.height < b.height; }));
  }
}

TEST(AverageLinkage, APairThatIsNotGivenIsFar) {
  const auto joins = LinkByAverage({.items = 3, .far = 10, .pairs = {{0, 1, 2}, {2, 1, 4}}, .apart = {}});
  ASSERT_TRUE(joins.ok());
  ExpectSame(*joins, {{0, 1, 2, 2, 2}, {3, 2, 3, 16, 7}});
}

TEST(AverageLinkage, ApartStaysApartThroughOthers) {
  const auto joins = LinkByAverage({.items = 3, .far = 10, .pairs = {{0, 1, 2}, {2, 1, 4}}, .apart = {{2, 0}}});
  ASSERT_TRUE(joins.ok());
  ExpectSame(*joins, {{0, 1, 2, 2, 2}});
}

TEST(AverageLinkage, NothingToJoin) {
  EXPECT_TRUE(LinkByAverage({})->empty());
  EXPECT_TRUE(LinkByAverage({.items = 2, .far = 5, .pairs = {}, .apart = {}})->empty());
  EXPECT_TRUE(LinkByAverage({.items = 2, .far = 5, .pairs = {{0, 1, 3}}, .apart = {{0, 1}}})->empty());
}

TEST(AverageLinkage, StopsWhenCancelled) {
  CancelSource source;
  source.Cancel();
  const auto joins = LinkByAverage({.items = 2, .far = 5, .pairs = {{0, 1, 3}}, .apart = {}}, source.token());
  ASSERT_FALSE(joins.ok());
  EXPECT_EQ(joins.error().code, ErrorCode::kCancelled);
}

// 20,000 bugs in families of 50 with some pairs between families: half a million pairs.
TEST(AverageLinkage, TakesTwentyThousandItems) {
  constexpr uint32_t kItems = 20'000, kFamily = 50, kFar = 601;
  std::mt19937 random(3);
  LinkageInput input{.items = kItems, .far = kFar, .pairs = {}, .apart = {}};
  for (uint32_t a = 0; a < kItems; ++a) {
    for (uint32_t b = a + 1; b < (a / kFamily + 1) * kFamily; ++b) {
      input.pairs.push_back({a, b, static_cast<uint32_t>(random() % 200)});
    }
    const auto other = static_cast<uint32_t>(random() % kItems);
    if (other / kFamily != a / kFamily) input.pairs.push_back({a, other, static_cast<uint32_t>(400 + random() % 200)});
  }
  uint64_t told = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto joins = LinkByAverage(input, {}, [&] { ++told; });
  const auto took = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
  ASSERT_TRUE(joins.ok());
  EXPECT_EQ(told, joins->size());
  EXPECT_GE(joins->size(), kItems - kItems / kFamily);
}

}  // namespace
}  // namespace oscope
