#include "query/semantics/bind_pattern.h"

#include <gtest/gtest.h>

#include "tests/unit/pattern/pattern_sample.h"

namespace oscope::bql {
namespace {

TEST(BindPattern, ANameThatNoEventHasIsFresh) {
  const std::vector<std::string_view> names = {"a", "b"};
  const auto pattern = MustParse("^a -> nosuch -> b$");
  const Language language = BindPattern(*pattern, names);
  const std::vector<uint32_t> x = {0, 1}, y = {0, 0, 1}, longer = {0, 7, 1};
  EXPECT_EQ(PatternDistance(x, language, PatternMetric::kLevenshtein, 5), 1u);  // inserted
  EXPECT_EQ(PatternDistance(y, language, PatternMetric::kLevenshtein, 5), 1u);  // replaced
  EXPECT_EQ(PatternDistance(longer, language, PatternMetric::kLevenshtein, 5),
            1u);  // an id beyond the table is not it either
  EXPECT_FALSE(Accepts(language, y));
  for (size_t i = 0; i < language.sets.size(); ++i) {
    const EventMatcher& matcher = pattern->matchers[i];
    EXPECT_EQ(language.sets[i].some_word, matcher.text() != "nosuch" && matcher.kind() != EventMatcher::Kind::kScope)
        << matcher.text();
  }
}

TEST(BindPattern, ADotMatchesEventsBeyondTheTable) {
  const Language language = BindPattern(*MustParse("^.$"), {});
  EXPECT_TRUE(Accepts(language, std::vector<uint32_t>{123}));
}

TEST(BindPattern, ShortestWordIsWhereEveryTraceMatches) {
  std::mt19937 random(3);
  const std::vector<std::string_view> names = {"a", "b", "c"};
  for (const char* text : {"a", "a b", "a -> b -> c", "^a b$", "(a|b c)+ c", "^a -> b", ". a", "a* b"}) {
    const auto pattern = MustParse(text);
    const Language language = BindPattern(*pattern, names);
    for (int i = 0; i < 200; ++i) {
      std::vector<uint32_t> x(random() % 8);
      for (uint32_t& event : x) event = static_cast<uint32_t>(random() % 5);
      for (const auto metric : {PatternMetric::kLevenshtein, PatternMetric::kLcs, PatternMetric::kEmbedding}) {
        EXPECT_TRUE(PatternDistance(x, language, metric, pattern->shortest_word)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace oscope::bql
