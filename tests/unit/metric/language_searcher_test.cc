#include "query/distance/language_searcher.h"

#include <gtest/gtest.h>

#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

constexpr PatternMetric kMetrics[] = {PatternMetric::kLevenshtein, PatternMetric::kHamming, PatternMetric::kLcs,
                                      PatternMetric::kEmbedding};

TEST(LanguageSearcher, AgreesWithPatternDistance) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const Language language = RandomLanguage(random, 3);
    for (const PatternMetric metric : kMetrics) {
      for (const uint64_t bound : {uint64_t{0}, uint64_t{1}, uint64_t{4}, UINT64_MAX}) {
        // A table of no cells, of some and of enough.
        LanguageSearcher none(language, metric, bound, 0), some(language, metric, bound, 60),
            enough(language, metric, bound);
        for (int j = 0; j < 8; ++j) {
          const Events x = RandomEvents(random, 15, 5);
          const auto expected = PatternDistance(x, language, metric, bound);
          ASSERT_EQ(none.Distance(x), expected);
          ASSERT_EQ(some.Distance(x), expected);
          ASSERT_EQ(enough.Distance(x), expected);
        }
      }
    }
  }
}

// The class of an event is remembered for ids up to a limit, and looked up beyond it; the bound of a table is at most
// 1000.
TEST(LanguageSearcher, AroundTheLimitsOfWhatIsRemembered) {
  constexpr uint32_t kRemembered = 1 << 22;
  const Events ids = {0, 1, kRemembered - 2, kRemembered - 1, kRemembered, kRemembered + 1, UINT32_MAX - 1, UINT32_MAX};
  std::mt19937 random(2);
  for (const uint64_t bound : {uint64_t{2}, uint64_t{999}, uint64_t{1000}, uint64_t{1001}}) {
    const Language language = LanguageOfWords({{0, kRemembered - 1, kRemembered, UINT32_MAX}});
    LanguageSearcher searcher(language, PatternMetric::kLevenshtein, bound);
    for (int i = 0; i < 60; ++i) {
      Events x;
      for (auto length = random() % 6; length > 0; --length) x.push_back(ids[random() % ids.size()]);
      ASSERT_EQ(searcher.Distance(x), PatternDistance(x, language, PatternMetric::kLevenshtein, bound)) << bound;
    }
  }
}

TEST(LanguageSearcher, OfTheEmptyLanguage) {
  const Language empty;
  LanguageSearcher searcher(empty, PatternMetric::kLevenshtein, 3);
  EXPECT_EQ(searcher.Distance({}), std::nullopt);
  EXPECT_EQ(searcher.Distance(Events{1, 2}), std::nullopt);
}

}  // namespace
}  // namespace oscope
