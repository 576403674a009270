#include "index/sketch/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "query/distance/levenshtein.h"
#include "tests/unit/kernel/random_events.h"

namespace oscope {
namespace {

constexpr uint64_t kHashOfRead = 4725887394098076003u, kSketchChecksum = 18035640904784052959u,
                   kBitsChecksum = 18350594834252957259u;

std::vector<uint64_t> HashesOfNames(uint32_t names) {
  std::vector<uint64_t> hashes;
  for (uint32_t i = 0; i < names; ++i) hashes.push_back(SketchHash(fmt::format("net::Socket::read{}", i)));
  return hashes;
}

Events Suffix(const Events& events, size_t length) {
  return Events(events.end() - static_cast<ptrdiff_t>(std::min(length, events.size())), events.end());
}

struct Sketched {
  Sketched(std::vector<Events> events, uint32_t names) : rows(std::move(events)), hashes(HashesOfNames(names)) {
    SketchBuilder builder(rows.size(), hashes);
    for (const Events& row : rows) builder.AddRow(std::span<const uint32_t>(row));
    bytes = builder.Finish();
  }
  SketchView View() const { return *SketchView::Make(std::as_bytes(std::span(bytes)), rows.size()); }
  SketchQuery Query(const Events& suffix, uint64_t length) const {
    std::vector<uint64_t> of_events;
    for (const uint32_t event : suffix) of_events.push_back(hashes[event]);
    return SketchQuery(of_events, length);
  }

  std::vector<Events> rows;
  std::vector<uint64_t> hashes;
  std::string bytes;
};

std::vector<uint32_t> Find(const Sketched& sketched, const SketchQuery& query, uint64_t bound, SimdLevel level) {
  std::vector<uint32_t> rows;
  Survivors(sketched.View(), query, 0, sketched.rows.size(), bound, rows, level);
  return rows;
}

// The definition, on bits.
std::vector<uint32_t> FindSlowly(const Sketched& sketched, const SketchQuery& query, uint64_t bound) {
  const SketchQuery::Test test = query.TestFor(bound);
  const SketchView view = sketched.View();
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < sketched.rows.size(); ++row) {
    uint64_t misses = 0;
    for (const uint16_t bit : test.bits) misses += (static_cast<uint32_t>(view.column(bit)[row / 8]) >> (row % 8)) & 1;
    if (misses <= test.misses) rows.push_back(row);
  }
  return rows;
}

// Rows near the query in every way, some short, and some far from it.
Sketched RandomSketch(std::mt19937& random, const Events& query, uint32_t names, size_t count) {
  std::vector<Events> rows;
  for (size_t i = 0; i < count; ++i) {
    switch (random() % 3) {
      case 0: rows.push_back(EditedCopy(random, query, random() % 40, names)); break;
      case 1: rows.push_back(Suffix(EditedCopy(random, query, random() % 12, names), random() % 60)); break;
      default: rows.push_back(RandomEvents(random, random() % 120, names)); break;
    }
  }
  return Sketched(std::move(rows), names);
}

TEST(Sketch, NoRowWithinTheBoundIsLost) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    const uint32_t names = 2 + static_cast<uint32_t>(random() % (round % 2 != 0 ? 10 : 500));
    const Events query = RandomEvents(random, random() % 130, names);
    const Sketched sketched = RandomSketch(random, query, names, 70);
    for (const uint64_t length : {1, 2, 24, 25, 26, 30, 49, 50, 51, 60, 100, 200}) {
      const Events suffix = Suffix(query, length);
      const SketchQuery sketch_query = sketched.Query(suffix, length);
      std::vector<uint32_t> distances;
      for (const Events& row : sketched.rows) distances.push_back(Levenshtein(suffix, Suffix(row, length)));
      for (uint64_t bound = 0; bound <= 52; bound += 1 + bound / 12) {
        const std::vector<uint32_t> found = Find(sketched, sketch_query, bound, BestSimdLevel());
        for (uint32_t row = 0; row < distances.size(); ++row) {
          if (distances[row] > bound) continue;
          ASSERT_TRUE(std::binary_search(found.begin(), found.end(), row))
              << "length " << length << ", bound " << bound << ", row of " << sketched.rows[row].size() << " events at "
              << distances[row];
        }
      }
    }
  }
}

// Events that move across the zones' border, which costs few edits.
TEST(Sketch, ShiftedRowsAreNotLost) {
  std::mt19937 random(2);
  const Events query = RandomEvents(random, 110, 1000);
  std::vector<Events> rows;
  for (size_t front = 0; front <= 8; ++front) {
    for (size_t back = 0; back <= 8; ++back) {
      Events row = RandomEvents(random, front, 1000);
      row.insert(row.end(), query.begin() + static_cast<ptrdiff_t>(back), query.end());
      rows.push_back(row);
      Events other(query.begin() + static_cast<ptrdiff_t>(front), query.end() - static_cast<ptrdiff_t>(back));
      const Events more = RandomEvents(random, back % 3, 1000);
      other.insert(other.begin() + static_cast<ptrdiff_t>(other.size() - 30), more.begin(), more.end());
      rows.push_back(other);
    }
  }
  const Sketched sketched(rows, 1000);
  for (const uint64_t length : {20, 30, 50, 51, 70, 110}) {
    const Events suffix = Suffix(query, length);
    for (uint32_t row = 0; row < rows.size(); ++row) {
      const uint32_t distance = Levenshtein(suffix, Suffix(rows[row], length));
      const std::vector<uint32_t> found = Find(sketched, sketched.Query(suffix, length), distance, BestSimdLevel());
      ASSERT_TRUE(std::binary_search(found.begin(), found.end(), row))
          << "length " << length << ", distance " << distance;
    }
  }
}

TEST(Sketch, EveryLevelCountsAlike) {
  std::mt19937 random(3);
  for (const size_t rows : {0, 1, 63, 64, 65, 300, 1000, 2100}) {
    const Events query = RandomEvents(random, 120, 300);
    const Sketched sketched = RandomSketch(random, query, 300, rows);
    for (const uint64_t length : {10, 50, 100}) {
      const SketchQuery sketch_query = sketched.Query(Suffix(query, length), length);
      for (uint64_t bound = 0; bound <= 51; bound += 3) {
        const std::vector<uint32_t> expected = FindSlowly(sketched, sketch_query, bound);
        for (const SimdLevel level : SimdLevelsHere()) ASSERT_EQ(Find(sketched, sketch_query, bound, level), expected);
      }
    }
  }
}

TEST(Sketch, RangesOfRows) {
  std::mt19937 random(4);
  const Events query = RandomEvents(random, 60, 50);
  const Sketched sketched = RandomSketch(random, query, 50, 700);
  const SketchQuery sketch_query = sketched.Query(Suffix(query, 50), 50);
  const std::vector<uint32_t> all = Find(sketched, sketch_query, 20, BestSimdLevel());
  for (const auto& [first, last] :
       std::vector<std::pair<uint64_t, uint64_t>>{{0, 0}, {0, 700}, {1, 65}, {64, 128}, {100, 333}, {699, 700}}) {
    std::vector<uint32_t> expected;
    for (const uint32_t row : all) {
      if (row >= first && row < last) expected.push_back(row);
    }
    std::vector<uint32_t> found;
    Survivors(sketched.View(), sketch_query, first, last, 20, found);
    EXPECT_EQ(found, expected);
  }
}

// The inner loop takes 512 words of 64 rows at a time.
TEST(Sketch, AsManyRowsAsOneCallTakes) {
  std::mt19937 random(8);
  const Events query = RandomEvents(random, 50, 300);
  for (const size_t count : {32'767u, 32'768u, 32'769u, 65'600u}) {
    std::vector<Events> rows(count);
    for (size_t i = 0; i < count; ++i) {
      // The ends of the stretches are near; so are some in between.
      const bool near = i < 2 || i + 2 >= count || (i >= 32'766 && i < 32'770) || random() % 1000 == 0;
      rows[i] = near ? EditedCopy(random, query, random() % 8, 300) : RandomEvents(random, 8, 300);
    }
    const Sketched sketched(std::move(rows), 300);
    const SketchQuery sketch_query = sketched.Query(query, 50);
    const std::vector<uint32_t> expected = FindSlowly(sketched, sketch_query, 10);
    ASSERT_GT(expected.size(), 10u);
    for (const SimdLevel level : SimdLevelsHere())
      ASSERT_EQ(Find(sketched, sketch_query, 10, level), expected) << count << " rows";
    std::vector<uint32_t> end, expected_end;
    for (const uint32_t row : expected) {
      if (row >= 100 && row < count - 1) expected_end.push_back(row);
    }
    Survivors(sketched.View(), sketch_query, 100, count - 1, 10, end);
    ASSERT_EQ(end, expected_end);
  }
}

// How many rows have a bit is what the columns say; beyond the last row none has any.
TEST(Sketch, CountsAreThoseOfTheColumns) {
  std::mt19937 random(9);
  for (const size_t count : {1u, 63u, 64u, 65u, 200u}) {
    const Sketched sketched = RandomSketch(random, RandomEvents(random, 60, 50), 50, count);
    const SketchView view = sketched.View();
    const size_t bytes = (count + 63) / 64 * 8;
    for (uint32_t bit = 0; bit < kSketchBits; ++bit) {
      uint32_t rows = 0;
      for (size_t row = 0; row < bytes * 8; ++row) {
        const bool absent = ((static_cast<uint32_t>(view.column(bit)[row / 8]) >> (row % 8)) & 1) != 0;
        if (row >= count) {
          ASSERT_TRUE(absent);
        }
        rows += absent ? 0 : 1;
      }
      ASSERT_EQ(view.rows_with_bit(bit), rows);
    }
  }
}

// A row of fewer than 50 events has all of them in both zones, one of 50 has half of them in each.
TEST(Sketch, TheLastFiftyAreTwoZones) {
  const auto bits_of = [](size_t length) {
    Events row(length);
    for (size_t i = 0; i < length; ++i) row[i] = static_cast<uint32_t>(i);
    const Sketched sketched({row}, 100);
    std::pair<uint32_t, uint32_t> set = {0, 0};
    for (uint32_t bit = 0; bit < kSketchBits; ++bit)
      (bit < kSketchBits / 2 ? set.first : set.second) += sketched.View().rows_with_bit(bit);
    return set;
  };
  // Names may share a bit, so that there may be a few less.
  EXPECT_NEAR(bits_of(49).first, 47, 2);
  EXPECT_NEAR(bits_of(49).second, 47, 2);
  for (const size_t length : {50u, 51u, 100u}) {
    EXPECT_NEAR(bits_of(length).first, 24, 1) << length;
    EXPECT_NEAR(bits_of(length).second, 24, 1) << length;
  }
}

// What is looked up for a bound: the proofs in the header say why it is enough.
TEST(Sketch, WhatIsLookedUpForABound) {
  const std::vector<uint64_t> hashes = HashesOfNames(60);
  const auto test_of = [&](size_t events, uint64_t length, uint64_t bound) {
    const SketchQuery query{std::span(hashes).first(events), length};
    return std::pair(query.TestFor(bound).bits.size(), query.TestFor(bound).misses);
  };
  using Pair = std::pair<size_t, uint64_t>;
  EXPECT_EQ(test_of(40, 50, 0), (Pair{40, 0}));
  EXPECT_EQ(test_of(40, 50, 39), (Pair{40, 39}));
  EXPECT_EQ(test_of(40, 50, 40), (Pair{40, 40})) << "all rows stay";
  EXPECT_EQ(test_of(40, 50, 1000), (Pair{40, 40}));
  EXPECT_EQ(test_of(60, 50, 5), (Pair{50, 5})) << "the last 50 count";
  EXPECT_EQ(test_of(40, 51, 10), (Pair{40, 20})) << "without the rest of the suffix twice as many may miss";
  EXPECT_EQ(test_of(40, 51, 11), (Pair{80, 51}));
  EXPECT_EQ(test_of(40, 51, 39), (Pair{80, 79}));
  EXPECT_EQ(test_of(40, 51, 40), (Pair{40, 40}));
  EXPECT_EQ(test_of(0, 50, 0), (Pair{0, 0}));
  const SketchQuery query{std::span(hashes).first(40), 50};
  EXPECT_TRUE(query.Prunes(39));
  EXPECT_FALSE(query.Prunes(40));
}

// What is stored must not change by itself: a sketch of a query is held against those that other releases wrote.
TEST(Sketch, StoredBytesStayAsTheyAre) {
  std::mt19937 random(10);
  const Events query = RandomEvents(random, 60, 50);
  EXPECT_EQ(SketchHash("net::Socket::read"), kHashOfRead);
  EXPECT_EQ(SketchHash(RandomSketch(random, query, 50, 200).bytes), kSketchChecksum);
  std::vector<uint64_t> hashes;
  for (const uint32_t event : query) hashes.push_back(HashesOfNames(50)[event]);
  const SketchQuery sketch_query(hashes, 60);
  std::string bits;
  for (const uint64_t bound : {10, 20}) {
    for (const uint16_t bit : sketch_query.TestFor(bound).bits) bits += std::to_string(bit) + " ";
  }
  EXPECT_EQ(SketchHash(bits), kBitsChecksum);
}

TEST(SketchDeathTest, HasAsManyRowsAsItWasMadeFor) {
  const std::vector<uint64_t> hashes = HashesOfNames(2);
  const Events row = {0, 1};
  SketchBuilder builder(1, hashes);
  EXPECT_DEATH((void)builder.Finish(), "");
  builder.AddRow(std::span<const uint32_t>(row));
  EXPECT_DEATH(builder.AddRow(std::span<const uint32_t>(row)), "");
  const std::string bytes = builder.Finish();
  const SketchView view = *SketchView::Make(std::as_bytes(std::span(bytes)), 1);
  std::vector<uint32_t> rows;
  Survivors(view, SketchQuery(hashes, 50), 0, 1, 0, rows);
  EXPECT_EQ(rows, std::vector<uint32_t>{0});
  EXPECT_DEATH(Survivors(view, SketchQuery(hashes, 50), 0, 2, 0, rows), "");
  EXPECT_DEATH(Survivors(view, SketchQuery(hashes, 50), 1, 0, 0, rows), "");
}

TEST(Sketch, RulesOutWhatIsFar) {
  std::mt19937 random(5);
  const Events query = RandomEvents(random, 50, 20'000);
  std::vector<Events> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(RandomEvents(random, 50, 20'000));
  const Sketched sketched(rows, 20'000);
  EXPECT_LE(Find(sketched, sketched.Query(query, 50), 30, BestSimdLevel()).size(), 5u);
  EXPECT_EQ(Find(sketched, sketched.Query(query, 50), 50, BestSimdLevel()).size(), 1000u);
  EXPECT_FALSE(sketched.Query(query, 50).Prunes(50));
}

TEST(Sketch, NarrowIdsGiveTheSameBytes) {
  std::mt19937 random(6);
  const Sketched wide = RandomSketch(random, RandomEvents(random, 60, 50), 50, 200);
  SketchBuilder builder(wide.rows.size(), wide.hashes);
  for (const Events& row : wide.rows) {
    const std::vector<uint16_t> narrow(row.begin(), row.end());
    builder.AddRow(std::span<const uint16_t>(narrow));
  }
  EXPECT_EQ(builder.Finish(), wide.bytes);
  EXPECT_EQ(wide.bytes.size(), SketchBytes(200));
}

TEST(Sketch, OtherBytesAreRefused) {
  std::mt19937 random(7);
  const Sketched sketched = RandomSketch(random, RandomEvents(random, 60, 50), 50, 100);
  const auto code_of = [](std::string_view bytes, uint64_t rows) {
    const Result<SketchView> view = SketchView::Make(std::as_bytes(std::span(bytes)), rows);
    return view.ok() ? std::optional<ErrorCode>() : view.error().code;
  };
  EXPECT_EQ(code_of(sketched.bytes, 100), std::nullopt);
  EXPECT_EQ(code_of(sketched.bytes, 99), ErrorCode::kCorrupt);
  EXPECT_EQ(code_of(sketched.bytes + "x", 100), ErrorCode::kCorrupt);
  for (size_t size = 0; size < sketched.bytes.size(); size += 1 + size / 7) {
    EXPECT_EQ(code_of(std::string_view(sketched.bytes).substr(0, size), 100), ErrorCode::kCorrupt);
  }
  for (size_t byte = 0; byte < 16; ++byte) {
    std::string damaged = sketched.bytes;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 0x41);
    EXPECT_EQ(code_of(damaged, 100), ErrorCode::kCorrupt) << byte;
  }
}

}  // namespace
}  // namespace oscope
