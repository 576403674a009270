#include "query/distance/levenshtein.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace oscope {
namespace {

using Events = std::vector<uint32_t>;

Events Letters(std::string_view text) { return Events(text.begin(), text.end()); }

Events RandomEvents(std::mt19937& random, size_t max_length, uint32_t alphabet) {
  Events events(random() % (max_length + 1));
  for (uint32_t& event : events) event = static_cast<uint32_t>(random() % alphabet);
  return events;
}

// The definition itself.
uint32_t Recursive(Sequence a, Sequence b) {
  if (a.empty() || b.empty()) return static_cast<uint32_t>(a.size() + b.size());
  return std::min({Recursive(a.subspan(1), b) + 1, Recursive(a, b.subspan(1)) + 1,
                   Recursive(a.subspan(1), b.subspan(1)) + (a[0] != b[0])});
}

Events Apply(const std::vector<Edit>& script, const Events& a, const Events& b) {
  Events made;
  for (const Edit& edit : script) {
    if (edit.kind == EditKind::kKeep) made.push_back(a[edit.a_index]);
    if (edit.kind == EditKind::kReplace || edit.kind == EditKind::kInsert) made.push_back(b[edit.b_index]);
  }
  return made;
}

TEST(Levenshtein, KnownPairs) {
  EXPECT_EQ(Levenshtein({}, {}), 0u);
  EXPECT_EQ(Levenshtein(Letters("abc"), {}), 3u);
  EXPECT_EQ(Levenshtein({}, Letters("abc")), 3u);
  EXPECT_EQ(Levenshtein(Letters("kitten"), Letters("sitting")), 3u);
  EXPECT_EQ(Levenshtein(Letters("intention"), Letters("execution")), 5u);
  EXPECT_EQ(Levenshtein(Letters("abcd"), Letters("abcd")), 0u);
  EXPECT_EQ(Levenshtein(Letters("abcd"), Letters("wxyz")), 4u);
}

TEST(Levenshtein, IsTheRecursiveDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Events a = RandomEvents(random, 7, 3), b = RandomEvents(random, 7, 3);
    ASSERT_EQ(Levenshtein(a, b), Recursive(a, b));
  }
}

TEST(Levenshtein, IsAMetric) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const Events a = RandomEvents(random, 30, 5), b = RandomEvents(random, 30, 5), c = RandomEvents(random, 30, 5);
    ASSERT_EQ(Levenshtein(a, b), Levenshtein(b, a));
    ASSERT_EQ(Levenshtein(a, b) == 0, a == b);
    ASSERT_LE(Levenshtein(a, c), Levenshtein(a, b) + Levenshtein(b, c));
  }
}

TEST(Levenshtein, WithinAnswersUpToTheBoundAndNotBeyond) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const Events a = RandomEvents(random, 25, 4), b = RandomEvents(random, 25, 4);
    const uint32_t distance = Levenshtein(a, b);
    EXPECT_EQ(LevenshteinWithin(a, b, UINT32_MAX), distance);
    EXPECT_EQ(LevenshteinWithin(a, b, distance), distance);
    if (distance > 0) {
      EXPECT_EQ(LevenshteinWithin(a, b, distance - 1), std::nullopt);
      EXPECT_EQ(LevenshteinWithin(a, b, 0), std::nullopt);
    }
  }
}

TEST(Align, ScriptMakesTheOtherSequenceInAsManyStepsAsTheDistance) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    const Events a = RandomEvents(random, 25, 4), b = RandomEvents(random, 25, 4);
    const Result<std::vector<Edit>> script = Align(a, b);
    ASSERT_TRUE(script.ok());
    uint32_t steps = 0;
    for (const Edit& edit : *script) {
      steps += edit.kind != EditKind::kKeep;
      if (edit.kind == EditKind::kKeep) {
        ASSERT_EQ(a[edit.a_index], b[edit.b_index]);
      }
    }
    EXPECT_EQ(steps, Levenshtein(a, b));
    EXPECT_EQ(Apply(*script, a, b), b);
  }
}

TEST(Align, KeepsNearTheEnd) {
  const std::vector<Edit> expected = {{EditKind::kDelete, 0, 0}, {EditKind::kKeep, 1, 0}, {EditKind::kReplace, 2, 1}};
  const Result<std::vector<Edit>> script = Align(Events{1, 1, 2}, Events{1, 3});
  ASSERT_TRUE(script.ok());
  EXPECT_EQ(*script, expected);
}

// A table of exactly as many cells as may be, and one row more.
TEST(Align, HasATableOfExactlyTheLimit) {
  const size_t width = 1 << 14;
  ASSERT_EQ(width * width, kMaxAlignCells);
  Events a(width - 1, 1);
  const Result<std::vector<Edit>> script = Align(a, a);
  ASSERT_TRUE(script.ok()) << script.error().message;
  EXPECT_EQ(script->size(), a.size());
  Events longer = a;
  longer.push_back(1);
  EXPECT_EQ(Align(longer, a).error().code, ErrorCode::kLimit);
  EXPECT_EQ(Align(a, longer).error().code, ErrorCode::kLimit);
}

TEST(Align, RefusesATableLargerThanTheLimit) {
  const Events a(20'000, 1), b(20'000, 2);
  const Result<std::vector<Edit>> script = Align(a, b);
  ASSERT_FALSE(script.ok());
  EXPECT_EQ(script.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
