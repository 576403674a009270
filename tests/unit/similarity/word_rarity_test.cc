#include "query/similarity/word_rarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace oscope {
namespace {

TEST(FixedLog2, PowersOfTwoAreExact) {
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(FixedLog2(uint64_t{1} << i), i << 16);
}

TEST(FixedLog2, IsTheLogarithm) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const uint64_t value = std::max<uint64_t>(1, random() >> (random() % 64));
    ASSERT_NEAR(FixedLog2(value) / 65536.0, std::log2(static_cast<double>(value)), 2.0 / 65536) << value;
  }
}

TEST(WordStatistics, RarityOfWords) {
  WordCounter counter;
  counter.AddStack({"cart", "test", "cart"});
  counter.AddStack({"test"});
  counter.AddStack({});
  counter.AddStack({"test", "zebra"});
  const WordStatistics statistics = counter.Freeze();
  ASSERT_EQ(statistics.size(), 3u);
  const auto rarity = [&](std::string_view word) { return statistics.rarity(*statistics.Find(word)) / 65536.0; };
  EXPECT_NEAR(rarity("cart"), std::log2(1 + 4.0 / 1), 1e-4);
  EXPECT_NEAR(rarity("test"), std::log2(1 + 4.0 / 3), 1e-4);
  EXPECT_EQ(statistics.unknown_rarity(), statistics.rarity(*statistics.Find("zebra")));
  EXPECT_FALSE(statistics.Find("tes"));
  EXPECT_FALSE(statistics.Find("zebras"));
  EXPECT_EQ(statistics.word(*statistics.Find("cart")), "cart");
}

TEST(WordStatistics, TheOrderOfStacksDoesNotMatter) {
  WordCounter one, other;
  one.AddStack({"a", "b"});
  one.AddStack({"c"});
  other.AddStack({"c"});
  other.AddStack({"b", "a"});
  const WordStatistics first = one.Freeze(), second = other.Freeze();
  for (const char* word : {"a", "b", "c"}) {
    EXPECT_EQ(first.Find(word), second.Find(word));
    EXPECT_EQ(first.rarity(*first.Find(word)), second.rarity(*second.Find(word)));
  }
}

}  // namespace
}  // namespace oscope
