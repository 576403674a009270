#include "query/distance/long_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/kernel/random_events.h"

namespace oscope {
namespace {

void ExpectDistance(const Events& a, const Events& b, uint64_t bound, std::optional<uint32_t> expected) {
  const LongQuery query(a);
  for (const SimdLevel level : SimdLevelsHere()) {
    ASSERT_EQ(query.DistanceWithin(b, bound, level), expected)
        << "level " << static_cast<int>(level) << ", " << a.size() << " events against " << b.size() << ", bound "
        << bound;
  }
}

TEST(LongKernel, IsTheOracleOnRandomShapes) {
  std::mt19937 random(1);
  for (int round = 0; round < 1500; ++round) {
    const size_t max_length = round % 3 == 0 ? 30 : 300;
    const uint32_t alphabet = 1 + static_cast<uint32_t>(random() % (round % 2 != 0 ? 4 : 200));
    const Events a = RandomEvents(random, random() % (max_length + 1), alphabet);
    const Events b = random() % 2 != 0 ? EditedCopy(random, a, random() % (max_length / 3), alphabet)
                                       : RandomEvents(random, random() % (max_length + 1), alphabet);
    const uint32_t distance = Levenshtein(a, b);
    for (const uint64_t bound : {uint64_t{distance}, uint64_t{distance} + random() % 70, uint64_t{UINT64_MAX}}) {
      ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, bound, distance));
    }
    if (distance > 0) {
      ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, distance - 1, std::nullopt));
      ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, random() % distance, std::nullopt));
    }
  }
}

// Lengths around several strips, with bounds for both kinds of strips and for diagonal transition.
TEST(LongKernel, IsTheOracleOnStripsAndBands) {
  std::mt19937 random(2);
  for (int round = 0; round < 24; ++round) {
    const Events a = RandomEvents(random, 900 + random() % 1500, 1 + static_cast<uint32_t>(random() % 60));
    const uint32_t alphabet = 1 + static_cast<uint32_t>(random() % 60);
    const Events b = round % 2 != 0 ? EditedCopy(random, a, random() % 900, alphabet)
                                    : RandomEvents(random, 900 + random() % 1500, alphabet);
    const uint32_t distance = Levenshtein(a, b);
    for (const uint64_t bound : {0u, 40u, 300u, 600u, distance - 1, distance, distance + 1, 5000u}) {
      ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, bound, bound >= distance ? std::optional(distance) : std::nullopt));
    }
  }
}

// As many different events as a byte has values, and around them.
TEST(LongKernel, IsTheOracleAroundAByteOfDifferentEvents) {
  std::mt19937 random(4);
  for (const uint32_t distinct : {254u, 255u, 256u, 257u}) {
    Events a(distinct);
    std::iota(a.begin(), a.end(), 0u);
    std::shuffle(a.begin(), a.end(), random);
    for (int i = 0; i < 500; ++i) a.push_back(static_cast<uint32_t>(random() % distinct));
    Events swapped = a;
    std::swap(swapped[distinct - 1], swapped[distinct - 2]);
    for (const Events& b : {swapped, EditedCopy(random, a, 60, distinct + 1), EditedCopy(random, a, 500, distinct + 1),
                            RandomEvents(random, 700, distinct + 1)}) {
      const uint32_t distance = Levenshtein(a, b);
      for (const uint64_t bound : {distance - 1, distance, distance + 1, 5000u}) {
        ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, bound, bound >= distance ? std::optional(distance) : std::nullopt))
            << distinct;
      }
    }
  }
}

// Lengths at the ends of words and of strips, and bounds at those of the two kinds of strips, at every instruction set.
TEST(LongKernel, IsTheOracleAtTheEndsOfStrips) {
  std::mt19937 random(5);
  for (const size_t words : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (const size_t length : {words * 64 - 1, words * 64, words * 64 + 1}) {
      const Events a = RandomEvents(random, length, 3), b = RandomEvents(random, length + random() % 3, 3);
      const uint32_t distance = Levenshtein(a, b);
      for (const uint64_t bound :
           {words * 64 - 1, words * 64, words * 64 + 1, size_t{distance}, size_t{distance} - 1}) {
        ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, bound, bound >= distance ? std::optional(distance) : std::nullopt))
            << length;
      }
    }
  }
}

// As long as the longest trace of the thesis. The oracle would take minutes: what is known is how the copy was made.
TEST(LongKernel, FiftyThousandEvents) {
  std::mt19937 random(3);
  const Events a = RandomEvents(random, 50'012, 20'000);
  ExpectDistance(a, a, 0, 0);
  Events b = a;
  for (size_t i = 0; i < 40; ++i) b[i * 1200 + 7] = 30'000 + static_cast<uint32_t>(i);  // events that a does not have
  ExpectDistance(a, b, 100, 40);
  ExpectDistance(a, b, 39, std::nullopt);
  b.erase(b.begin() + 5, b.begin() + 15);
  ExpectDistance(a, b, 100, 49);  // one of the other events was among these
  for (uint32_t& event : b) event += 100'000;
  ExpectDistance(a, b, 60'000, 50'012);
  ExpectDistance(a, b, 50'011, std::nullopt);
}

TEST(LongKernel, EmptyAndEqual) {
  ExpectDistance({}, {}, 0, 0);
  ExpectDistance({}, {1, 2}, 2, 2);
  ExpectDistance({}, {1, 2}, 1, std::nullopt);
  ExpectDistance({1, 2}, {}, 5, 2);
  EXPECT_EQ(LongDistanceWithin(Events{1, 2, 3}, Events{1, 3, 4}, 2), 2u);
  EXPECT_EQ(LongDistanceWithin(Events{1, 2, 3}, Events{1, 3, 4}, 1), std::nullopt);
}

}  // namespace
}  // namespace oscope
