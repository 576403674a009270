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

// A hundred names against fifty thousand take their time: whoever waits is asked on the way.
TEST(BindPattern, AWishToStopEndsIt) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += fmt::format("name{} ", i);
  const auto pattern = MustParse(text);
  const std::vector<std::string_view> names(50'000, "other");
  uint64_t asked = 0;
  EXPECT_TRUE(BindPattern(*pattern, names, [&]() -> Status {
                ++asked;
                return {};
              }).ok());
  EXPECT_GE(asked, pattern->matchers.size());
  const Result<Language> stopped = BindPattern(*pattern, names, [] { return Status(Cancelled("enough")); });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().message, "enough");
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
