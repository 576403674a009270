#include "query/distance/pattern_distance.h"

#include <gtest/gtest.h>

#include "query/distance/embedding.h"
#include "query/distance/hamming.h"
#include "query/distance/lcs.h"
#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

constexpr uint32_t kAlphabet = 2, kFresh = 1000;
constexpr size_t kMaxX = 4, kMaxWord = 6;
constexpr PatternMetric kMetrics[] = {PatternMetric::kLevenshtein, PatternMetric::kHamming, PatternMetric::kLcs,
                                      PatternMetric::kEmbedding};

uint64_t Plain(PatternMetric metric, const Events& x, const Events& y) {
  switch (metric) {
    case PatternMetric::kLevenshtein: return Levenshtein(x, y);
    case PatternMetric::kHamming: return *HammingWithin(x, y, kUnbounded);
    case PatternMetric::kLcs: return LcsDistance(x, y);
    case PatternMetric::kEmbedding: return EmbeddingDistance(x, y);
  }
  return 0;
}

std::optional<uint64_t> Slow(PatternMetric metric, const Events& x, const std::set<Events>& words) {
  std::optional<uint64_t> least;
  for (const Events& word : words) {
    const uint64_t distance = Plain(metric, x, word);
    if (!least || distance < *least) least = distance;
  }
  return least;
}

// A word longer than kMaxWord may be nearer in `embedding` alone (its insertions are free); with at most 5 states the
// free way is covered by words of kMaxX · 5 events, so that metric is compared on shorter sequences.
TEST(PatternDistance, AgreesWithTheLeastOverAllWords) {
  std::mt19937 random(5);
  for (int i = 0; i < 250; ++i) {
    const Language language = RandomLanguage(random, kAlphabet);
    const std::set<Events> words = WordsOf(language, kMaxWord, kAlphabet, kFresh);
    for (int j = 0; j < 6; ++j) {
      const Events x = RandomEvents(random, kMaxX, kAlphabet);
      for (const PatternMetric metric : kMetrics) {
        const auto expected = Slow(metric, x, words);
        const auto got = PatternDistance(x, language, metric, UINT64_MAX);
        if (metric == PatternMetric::kEmbedding) {
          ASSERT_EQ(got.has_value(), expected.has_value());
          if (got) {
            ASSERT_LE(*got, *expected);
          }
          continue;
        }
        ASSERT_EQ(got, expected) << "metric " << static_cast<int>(metric);
        for (uint64_t bound = 0; expected && bound <= *expected + 1; ++bound) {
          const auto within = PatternDistance(x, language, metric, bound);
          ASSERT_EQ(within.has_value(), *expected <= bound);
          if (within) {
            ASSERT_EQ(*within, *expected);
          }
        }
      }
      ASSERT_EQ(Accepts(language, x), words.contains(x));
    }
  }
}

TEST(PatternDistance, EmbeddingAgreesOnFiniteLanguages) {
  std::mt19937 random(6);
  for (int i = 0; i < 500; ++i) {
    std::vector<Events> list;
    for (auto words = 1 + random() % 3; words > 0; --words) list.push_back(RandomEvents(random, 6, 3));
    const Language language = LanguageOfWords(list);
    const std::set<Events> words(list.begin(), list.end());
    const Events x = RandomEvents(random, 6, 3);
    for (const PatternMetric metric : kMetrics) {
      const auto expected = Slow(metric, x, words);
      ASSERT_EQ(PatternDistance(x, language, metric, UINT64_MAX), expected);
      ASSERT_EQ(PatternDistance(x, language, metric, *expected), expected);
      if (*expected > 0) {
        ASSERT_EQ(PatternDistance(x, language, metric, *expected - 1), std::nullopt);
      }
    }
  }
}

TEST(PatternDistance, ToASingleWordIsThePlainDistance) {
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    const Events x = RandomEvents(random, 60, 5), y = RandomEvents(random, 60, 5);
    const Language word = LanguageOfWords({y});
    for (const PatternMetric metric : kMetrics)
      ASSERT_EQ(PatternDistance(x, word, metric, UINT64_MAX), Plain(metric, x, y));
    EXPECT_TRUE(Accepts(word, y));
  }
}

TEST(PatternDistance, TheEmptyLanguageIsInfinitelyFar) {
  EXPECT_EQ(PatternDistance({}, Language(), PatternMetric::kLevenshtein, UINT64_MAX), std::nullopt);
  EXPECT_EQ(PatternDistance({}, LanguageOfWords({}), PatternMetric::kHamming, UINT64_MAX), std::nullopt);
  EXPECT_EQ(AlignWithPattern({}, Language()).value(), std::nullopt);
}

TEST(Language, StarIsAllConcatenations) {
  std::mt19937 random(8);
  for (int i = 0; i < 150; ++i) {
    const Language language = RandomLanguage(random, kAlphabet);
    const std::set<Events> words = WordsOf(language, 4, kAlphabet, kFresh);
    std::set<Events> expected = {{}}, added = {{}};
    while (!added.empty()) {
      std::set<Events> longer;
      for (const Events& begin : added) {
        for (const Events& word : words) {
          Events both = begin;
          both.insert(both.end(), word.begin(), word.end());
          if (both.size() <= 4 && expected.insert(both).second) longer.insert(both);
        }
      }
      added = std::move(longer);
    }
    ASSERT_EQ(WordsOf(Star(language), 4, kAlphabet, kFresh), expected);
    const Language star = Star(language);
    ASSERT_TRUE(std::is_sorted(star.edges.begin(), star.edges.end(),
                               [](const auto& a, const auto& b) { return a.from < b.from; }));
  }
}

TEST(Language, UnionHasTheWordsOfAll) {
  std::mt19937 random(9);
  for (int i = 0; i < 100; ++i) {
    const Language a = RandomLanguage(random, kAlphabet), b = RandomLanguage(random, kAlphabet);
    std::set<Events> expected = WordsOf(a, 4, kAlphabet, kFresh);
    expected.merge(WordsOf(b, 4, kAlphabet, kFresh));
    ASSERT_EQ(WordsOf(Union({&a, &b}), 4, kAlphabet, kFresh), expected);
  }
}

// What the script makes of x, with kFresh where an event is replaced or inserted.
void CheckScript(const Events& x, const Language& language, const std::vector<PatternEdit>& script, uint64_t distance) {
  uint64_t edits = 0;
  uint32_t at = 0;
  Language word;  // one edge a step of the word: the script's sets in order
  word.sets = language.sets;
  word.states = 1;
  std::set<uint32_t> states(language.start.begin(), language.start.end());
  for (const PatternEdit& edit : script) {
    edits += edit.kind != EditKind::kKeep;
    if (edit.kind != EditKind::kInsert) {
      ASSERT_EQ(edit.x_index, at++);
    }
    if (edit.kind == EditKind::kKeep) {
      ASSERT_TRUE(language.sets[edit.set].Contains(x[edit.x_index]));
    }
    if (edit.kind == EditKind::kDelete) continue;
    std::set<uint32_t> next;
    for (const LanguageEdge& edge : language.edges) {
      if (edge.set == edit.set && states.contains(edge.from)) next.insert(edge.to);
    }
    states = std::move(next);
  }
  ASSERT_EQ(at, x.size());
  ASSERT_EQ(edits, distance);
  ASSERT_TRUE(std::any_of(states.begin(), states.end(), [&](uint32_t state) { return language.accepting[state]; }));
}

TEST(AlignWithPattern, MakesAWordInAsManyEdits) {
  std::mt19937 random(10);
  for (int i = 0; i < 500; ++i) {
    const Language language = RandomLanguage(random, kAlphabet);
    const Events x = RandomEvents(random, 12, kAlphabet);
    const auto distance = PatternDistance(x, language, PatternMetric::kLevenshtein, UINT64_MAX);
    const auto script = AlignWithPattern(x, language);
    ASSERT_TRUE(script.ok());
    ASSERT_EQ(script->has_value(), distance.has_value());
    if (distance) CheckScript(x, language, **script, *distance);
  }
}

// A cell has eight bytes; 1024 states, and as many rows as there is room for, and one more.
TEST(AlignWithPattern, HasATableOfExactlyTheLimit) {
  const Language language = LanguageOfWords({Events(1023, 1)});
  ASSERT_EQ(language.states, 1024u);
  const size_t rows = kMaxAlignCells / 8 / language.states;
  const auto fits = AlignWithPattern(Events(rows - 1, 1), language);
  ASSERT_TRUE(fits.ok()) << fits.error().message;
  const auto edits = std::count_if((*fits)->begin(), (*fits)->end(),
                                   [](const PatternEdit& edit) { return edit.kind != EditKind::kKeep; });
  EXPECT_EQ(static_cast<size_t>(edits), rows - 1 - 1023);
  EXPECT_EQ(AlignWithPattern(Events(rows, 1), language).error().code, ErrorCode::kLimit);
}

TEST(AlignWithPattern, RefusesATableThatIsTooLarge) {
  const Events x(1 << 20, 1);
  EXPECT_EQ(AlignWithPattern(x, LanguageOfWords({Events(1000, 1)})).error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
