#include "query/distance/short_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include "tests/unit/kernel/random_events.h"

namespace oscope {
namespace {

// Rows of every kind, as a column.
template <typename Id>
struct Rows {
  std::vector<Id> column;
  std::vector<RowTail> tails;
  std::vector<Events> events;

  void Add(const Events& row) {
    column.insert(column.end(), row.begin(), row.end());
    tails.push_back({column.size(), static_cast<uint32_t>(row.size())});
    events.push_back(row);
  }
};

std::vector<uint32_t> OracleDistances(const Events& query, const std::vector<Events>& rows) {
  std::vector<uint32_t> distances;
  for (const Events& row : rows) distances.push_back(Levenshtein(query, row));
  return distances;
}

// `exact` are the distances by the oracle.
template <typename Id>
void ExpectDistances(const Events& query, uint32_t ids, const Rows<Id>& rows, const std::vector<uint32_t>& exact,
                     uint64_t bound, uint64_t max_bound) {
  const ShortQuery short_query(query, ids, max_bound);
  for (const SimdLevel level : SimdLevelsHere()) {
    std::vector<uint16_t> distances(rows.tails.size());
    DistancesWithin<Id>(short_query, rows.column, rows.tails, bound, distances, level);
    for (size_t i = 0; i < rows.events.size(); ++i) {
      ASSERT_EQ(distances[i], exact[i] <= bound ? exact[i] : kOverBound)
          << "level " << static_cast<int>(level) << ", " << query.size() << " events against " << rows.events[i].size()
          << ", bound " << bound << ", row " << i;
    }
  }
}

template <typename Id>
void ExpectOracle(const Events& query, uint32_t ids, const Rows<Id>& rows, uint64_t bound, uint64_t max_bound) {
  ExpectDistances(query, ids, rows, OracleDistances(query, rows.events), bound, max_bound);
}

// Half of the rows are edited copies, half are random; ids from `ids` on are the query's alone.
template <typename Id>
Rows<Id> RandomRows(std::mt19937& random, const Events& query, uint32_t ids, size_t max_length, size_t count) {
  Rows<Id> rows;
  for (size_t i = 0; i < count; ++i) {
    Events row = random() % 2 != 0
                     ? EditedCopy(random, query, random() % (1 + max_length / 4), ids)
                     : RandomEvents(random, random() % 4 != 0 ? query.size() : random() % (max_length + 1), ids);
    for (uint32_t& event : row) event %= ids;
    row.resize(std::min<size_t>(row.size(), kMaxShortEvents));
    rows.Add(row);
  }
  return rows;
}

template <typename Id>
void CompareRandomShapes(uint32_t seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 400; ++round) {
    const size_t max_length = std::array<size_t, 6>{3, 20, 50, 70, 130, 256}[random() % 6];
    const uint32_t ids = 1 + static_cast<uint32_t>(random() % (random() % 2 != 0 ? 4 : 300));
    const Events query = RandomEvents(random, random() % (max_length + 1), ids + 1);
    const uint64_t bound = random() % 3 != 0 ? random() % (max_length / 2 + 2) : random() % 300;
    ASSERT_NO_FATAL_FAILURE(
        ExpectOracle(query, ids, RandomRows<Id>(random, query, ids, max_length, 40), bound, bound + random() % 40));
  }
}

TEST(ShortKernel, IsTheOracleOnNarrowIds) { CompareRandomShapes<uint16_t>(1); }
TEST(ShortKernel, IsTheOracleOnWideIds) { CompareRandomShapes<uint32_t>(2); }

TEST(ShortKernel, EveryBoundOfEveryLengthUpToSeventy) {
  std::mt19937 random(3);
  for (size_t length = 0; length <= 70; ++length) {
    const Events query = RandomEvents(random, length, 6);
    const Rows<uint16_t> rows = RandomRows<uint16_t>(random, query, 6, length + 4, 12);
    const std::vector<uint32_t> exact = OracleDistances(query, rows.events);
    for (uint64_t bound = 0; bound <= length + 5; ++bound)
      ASSERT_NO_FATAL_FAILURE(ExpectDistances(query, 6, rows, exact, bound, bound));
  }
}

// A query of so many different events, then some of them again, in random order.
Events QueryOfDistinct(std::mt19937& random, uint32_t distinct) {
  Events query(distinct);
  std::iota(query.begin(), query.end(), 0u);
  std::shuffle(query.begin(), query.end(), random);
  while (query.size() < kMaxShortEvents) query.push_back(static_cast<uint32_t>(random() % distinct));
  return query;
}

// A code is a byte, and 0 is for events that the query does not have: 255 are left.
template <typename Id>
void CompareAroundTheCodes(uint32_t seed) {
  std::mt19937 random(seed);
  for (const uint32_t distinct : {254u, 255u, 256u}) {
    const Events query = QueryOfDistinct(random, distinct);
    ASSERT_EQ(ShortQuery(query, 300, 256).exact(), distinct <= 255);
    for (const uint32_t row_ids : {distinct, distinct + 1, 300u}) {
      Rows<Id> rows = RandomRows<Id>(random, query, row_ids, kMaxShortEvents, 12);
      // The last two that get a code of their own, or share one, change places; then each stands for the other.
      const auto last = std::find(query.begin(), query.end(), query[distinct - 1]),
                 before = std::find(query.begin(), query.end(), query[distinct - 2]);
      Events changed = query;
      std::swap(changed[static_cast<size_t>(last - query.begin())],
                changed[static_cast<size_t>(before - query.begin())]);
      rows.Add(changed);
      for (uint32_t& event : changed) event = event == *last ? *before : event;
      rows.Add(changed);
      for (uint32_t& event : changed) event = event == *before ? *last : event;
      rows.Add(changed);
      rows.Add(query);
      const std::vector<uint32_t> exact = OracleDistances(query, rows.events);
      for (const uint64_t bound : {0, 1, 2, 15, 16, 31, 32, 40, 64, 130, 256}) {
        ASSERT_NO_FATAL_FAILURE(ExpectDistances(query, 300, rows, exact, bound, bound))
            << distinct << " different events";
      }
    }
  }
}

TEST(ShortKernel, AsManyDifferentEventsAsCodesNarrow) { CompareAroundTheCodes<uint16_t>(4); }
TEST(ShortKernel, AsManyDifferentEventsAsCodesWide) { CompareAroundTheCodes<uint32_t>(6); }

// The greatest 16-bit number stands for an event that no row has, as long as none has it.
TEST(ShortKernel, AsManyNamesAsNarrowIdsHave) {
  std::mt19937 random(7);
  for (const uint32_t ids : {65'534u, 65'535u, 65'536u}) {
    Events query = RandomEvents(random, 40, ids);
    for (size_t i = 0; i < query.size(); i += 4) query[i] = ids - 1;
    for (size_t i = 1; i < query.size(); i += 4) query[i] = ids;  // none of the rows' events
    const ShortQuery short_query(query, ids, 40);
    EXPECT_EQ(short_query.repeated().empty(), ids > 65'535);
    EXPECT_EQ(short_query.narrow().empty(), ids > 65'535);
    Rows<uint16_t> rows;
    for (int i = 0; i < 20; ++i) {
      Events row = EditedCopy(random, query, random() % 6, ids);
      for (uint32_t& event : row)
        event = event >= ids ? (random() % 2 == 0 ? ids - 1 : static_cast<uint32_t>(random() % ids)) : event;
      rows.Add(row);
    }
    for (const uint64_t bound : {0, 5, 10, 15, 20, 31, 40})
      ASSERT_NO_FATAL_FAILURE(ExpectOracle(query, ids, rows, bound, 40)) << ids << " names";
  }
}

// Rows of one length wait until a group of them is full: one fewer, exactly as many, one more, for every width of a
// band.
TEST(ShortKernel, AsManyRowsAsAGroupHas) {
  std::mt19937 random(8);
  const Events query = RandomEvents(random, 256, 40);
  for (const size_t length : {query.size(), query.size() - 3}) {
    std::vector<Events> all;
    for (size_t i = 0; i < 257; ++i) {
      all.push_back(EditedCopy(random, query, random() % 60, 40));
      all.back().resize(length, 7);
    }
    const std::vector<uint32_t> exact = OracleDistances(query, all);
    for (const size_t count : {1u, 15u, 16u, 17u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u, 129u, 255u, 256u, 257u}) {
      Rows<uint16_t> narrow;
      Rows<uint32_t> wide;
      for (size_t i = 0; i < count; ++i) narrow.Add(all[i]), wide.Add(all[i]);
      for (const uint64_t bound : {15, 16, 31, 32, 63, 64, 127, 128, 255}) {
        ASSERT_NO_FATAL_FAILURE(ExpectDistances(query, 40, narrow, exact, bound, bound)) << count << " rows";
        ASSERT_NO_FATAL_FAILURE(ExpectDistances(query, 40, wide, exact, bound, bound)) << count << " rows";
      }
    }
  }
}

TEST(ShortKernelDeathTest, RefusesWhatItHasNoRoomFor) {
  const Events longest(kMaxShortEvents, 1), longer(kMaxShortEvents + 1, 1);
  EXPECT_EQ(ShortQuery(longest, 2, 10).events().size(), kMaxShortEvents);
  EXPECT_DEATH(ShortQuery(longer, 2, 10), "");
  const ShortQuery query(longest, 2, 10);
  Rows<uint16_t> rows;
  rows.Add(longest);
  ASSERT_NO_FATAL_FAILURE(ExpectOracle(longest, 2, rows, 10, 10));
  std::vector<uint16_t> distances(1), none;
  EXPECT_DEATH(DistancesWithin<uint16_t>(query, rows.column, rows.tails, 11, distances), "")
      << "a greater bound than was announced";
  EXPECT_DEATH(DistancesWithin<uint16_t>(query, rows.column, rows.tails, 10, none), "") << "no room for the distances";
  Rows<uint16_t> too_long;
  too_long.Add(longer);
  EXPECT_DEATH(DistancesWithin<uint16_t>(query, too_long.column, too_long.tails, 10, distances), "");
}

TEST(ShortKernel, SharedEndsAndBounds) {
  std::mt19937 random(5);
  const Events query = RandomEvents(random, 50, 1000);
  Rows<uint16_t> rows;
  for (int i = 0; i < 100; ++i) {
    Events row = RandomEvents(random, 50, 1000);
    std::copy(query.end() - 20, query.end(), row.end() - 20);
    rows.Add(row);
  }
  for (const uint64_t bound : {10, 29, 30, 31, 60}) ASSERT_NO_FATAL_FAILURE(ExpectOracle(query, 1000, rows, bound, 60));
}

TEST(ShortKernel, NoRowsAndNoQuery) {
  ExpectOracle<uint16_t>({}, 5, {}, 3, 3);
  Rows<uint16_t> rows;
  rows.Add({});
  rows.Add({1, 2});
  ExpectOracle<uint16_t>({}, 5, rows, 1, 3);
  ExpectOracle<uint16_t>({1}, 5, rows, 1, 3);
  ExpectOracle<uint16_t>({9}, 5, rows, 0, 3);  // an id that no row has
}

}  // namespace
}  // namespace oscope
