#include "index/sketch/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "query/distance/levenshtein.h"
#include "tests/unit/kernel/random_events.h"

namespace oscope {
namespace {

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
              << "length " << length << ", bound " << bound << ", row of " << sketched.rows[row].size() << " events at " << distances[row];
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
      ASSERT_TRUE(std::binary_search(found.begin(), found.end(), row)) << "length " << length << ", distance " << distance;
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
  for (const auto& [first, last] : std::vector<std::pair<uint64_t, uint64_t>>{{0, 0}, {0, 700}, {1, 65}, {64, 128}, {100, 333}, {699, 700}}) {
    std::vector<uint32_t> expected;
    for (const uint32_t row : all) {
      if (row >= first && row < last) expected.push_back(row);
    }
    std::vector<uint32_t> found;
    Survivors(sketched.View(), sketch_query, first, last, 20, found);
    EXPECT_EQ(found, expected);
  }
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
