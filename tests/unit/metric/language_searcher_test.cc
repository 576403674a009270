#include "query/distance/language_searcher.h"

#include <gtest/gtest.h>

#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

constexpr PatternMetric kMetrics[] = {PatternMetric::kLevenshtein, PatternMetric::kHamming, PatternMetric::kLcs, PatternMetric::kEmbedding};

TEST(LanguageSearcher, AgreesWithPatternDistance) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const Language language = RandomLanguage(random, 3);
    for (const PatternMetric metric : kMetrics) {
      for (const uint64_t bound : {uint64_t{0}, uint64_t{1}, uint64_t{4}, UINT64_MAX}) {
        // A table of no cells, of some and of enough.
        LanguageSearcher none(language, metric, bound, 0), some(language, metric, bound, 60), enough(language, metric, bound);
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

TEST(LanguageSearcher, OfTheEmptyLanguage) {
  const Language empty;
  LanguageSearcher searcher(empty, PatternMetric::kLevenshtein, 3);
  EXPECT_EQ(searcher.Distance({}), std::nullopt);
  EXPECT_EQ(searcher.Distance(Events{1, 2}), std::nullopt);
}

}  // namespace
}  // namespace oscope
