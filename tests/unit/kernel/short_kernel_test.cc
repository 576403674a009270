#include "query/distance/short_kernel.h"

#include <gtest/gtest.h>

#include <array>
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

template <typename Id>
void ExpectOracle(const Events& query, uint32_t ids, const Rows<Id>& rows, uint64_t bound, uint64_t max_bound) {
  const ShortQuery short_query(query, ids, max_bound);
  for (const SimdLevel level : SimdLevelsHere()) {
    std::vector<uint16_t> distances(rows.tails.size());
    DistancesWithin<Id>(short_query, rows.column, rows.tails, bound, distances, level);
    for (size_t i = 0; i < rows.events.size(); ++i) {
      const std::optional<uint32_t> expected = LevenshteinWithin(query, rows.events[i], static_cast<uint32_t>(bound));
      ASSERT_EQ(distances[i], expected ? *expected : kOverBound)
          << "level " << static_cast<int>(level) << ", " << query.size() << " events against " << rows.events[i].size() << ", bound "
          << bound << ", row " << i;
    }
  }
}

// Half of the rows are edited copies, half are random; ids from `ids` on are the query's alone.
template <typename Id>
Rows<Id> RandomRows(std::mt19937& random, const Events& query, uint32_t ids, size_t max_length, size_t count) {
  Rows<Id> rows;
  for (size_t i = 0; i < count; ++i) {
    Events row = random() % 2 != 0 ? EditedCopy(random, query, random() % (1 + max_length / 4), ids)
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
    ASSERT_NO_FATAL_FAILURE(ExpectOracle(query, ids, RandomRows<Id>(random, query, ids, max_length, 40), bound, bound + random() % 40));
  }
}

TEST(ShortKernel, IsTheOracleOnNarrowIds) { CompareRandomShapes<uint16_t>(1); }
TEST(ShortKernel, IsTheOracleOnWideIds) { CompareRandomShapes<uint32_t>(2); }

TEST(ShortKernel, EveryBoundOfEveryLengthUpToSeventy) {
  std::mt19937 random(3);
  for (size_t length = 0; length <= 70; ++length) {
    const Events query = RandomEvents(random, length, 6);
    const Rows<uint16_t> rows = RandomRows<uint16_t>(random, query, 6, length + 4, 12);
    for (uint64_t bound = 0; bound <= length + 5; ++bound) ASSERT_NO_FATAL_FAILURE(ExpectOracle(query, 6, rows, bound, bound));
  }
}

TEST(ShortKernel, MoreDifferentEventsThanCodes) {
  std::mt19937 random(4);
  Events query(256);
  for (uint32_t i = 0; i < 256; ++i) query[i] = i;
  Rows<uint16_t> rows = RandomRows<uint16_t>(random, query, 300, 256, 20);
  Events swapped = query;
  std::swap(swapped[254], swapped[255]);  // the two events with one code
  rows.Add(swapped);
  rows.Add(query);
  for (const uint64_t bound : {0, 1, 2, 30, 200, 256}) ASSERT_NO_FATAL_FAILURE(ExpectOracle(query, 300, rows, bound, bound));
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
