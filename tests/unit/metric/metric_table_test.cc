// Walks the two tables of metrics: every row is as it says, and the language's reference has it.
#include "query/semantics/metric_table.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "bql/check/check.h"
#include "bql/check/print.h"
#include "index/tails/tail_table.h"
#include "query/semantics/make_metric.h"
#include "query/semantics/words_metric.h"
#include "tests/unit/bql/list_catalog.h"
#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

constexpr uint32_t kAlphabet = 6;

// A store of six events, some of which differ in their template arguments only.
class MetricTableTest : public ::testing::Test {
 protected:
  MetricTableTest() {
    for (const char* name : {"net::open", "net::read<int>", "net::read<long>", "Parser.parse", "Parser.next", "close"})
      names_.Intern(name);
    std::mt19937 random(11);
    for (int i = 0; i < 50; ++i) {
      const Events trace = RandomEvents(random, 20, kAlphabet);
      statistics_.Count(trace);
      std::vector<std::string_view> frames;
      for (const uint32_t event : trace) frames.push_back(names_.name(event));
      words_.Add(frames);
    }
  }

  Result<std::unique_ptr<SequenceMetric>> Make(bql::MetricKind kind, MetricSpeed speed) const {
    const auto methods = [&] {
      Methods all;
      all.Extend(names_);
      return std::make_shared<const MethodWeights>(all.Weigh(statistics_));
    };
    const MetricInputs inputs{names_, statistics_, [&] { return words_.Freeze(); }, methods, user_metrics_};
    bql::Metric metric;
    metric.kind = kind;
    return MakeMetric(metric, inputs, speed);
  }

 private:
  EventNames names_;
  EventStatistics statistics_;
  StackWords words_;
  UserMetrics user_metrics_;
};

// As a query may have it: a user's own stands with the name that the catalog knows.
std::string Written(const bql::MetricDefinition& metric, std::string_view name) {
  return metric.users_own ? fmt::format("{}(tokens)", name) : std::string(name);
}

bql::CheckedStatement Check(const std::string& text) { return bql::Compile(text, bql::ListCatalog(), {}); }

TEST(MetricTable, NamesAreUniqueAndInLowerCase) {
  std::set<std::string_view> names;
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    EXPECT_FALSE(metric.name.empty());
    EXPECT_FALSE(metric.summary.empty()) << metric.name;
    for (const std::string_view name : {metric.name, metric.short_name}) {
      if (name.empty()) continue;
      EXPECT_TRUE(names.insert(name).second) << name << " is the name of two";
      EXPECT_TRUE(std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); })) << name;
    }
  }
}

TEST(MetricTable, EveryNameCanBeWrittenInAnyCase) {
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    for (const std::string_view name : {metric.name, metric.short_name}) {
      if (name.empty()) continue;
      std::string capitals(name);
      for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      for (const std::string& written : {Written(metric, name), Written(metric, capitals)}) {
        const bql::CheckedStatement checked = Check("SELECT b WHERE INTERSECT?(b, b1, 3) DISTANCE " + written);
        ASSERT_TRUE(checked.ok()) << written;
        EXPECT_EQ(checked.select->metric.kind, metric.kind) << written;
        EXPECT_TRUE(bql::Print(checked.select->metric).starts_with(metric.name)) << written;
      }
    }
  }
}

TEST(MetricTable, MessagesOfferEveryMetric) {
  const std::string choices = ", " + bql::MetricChoices() + ",";
  EXPECT_TRUE(choices.starts_with(", l, h, lcs, embedding, ")) << choices;
  EXPECT_TRUE(choices.ends_with(" or u(name),")) << choices;
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    const std::string_view name = metric.short_name.empty() ? metric.name : metric.short_name;
    EXPECT_NE(choices.find(fmt::format(" {}{}", name, metric.users_own ? "(name)" : "")), std::string::npos) << name;
  }
}

TEST(MetricTable, PatternsAreAllowedAsTheRowSays) {
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    const std::string distance = " DISTANCE " + Written(metric, metric.name);
    const bool allowed = metric.patterns == bql::PatternUse::kMeasured;
    EXPECT_EQ(Check("SELECT b WHERE INTERSECT?(b, \"open close\", 1)" + distance).ok(), allowed) << metric.name;
    EXPECT_EQ(Check("SELECT b WHERE INTERSECT?(b, b1*, 1)" + distance).ok(), allowed) << metric.name;
    EXPECT_TRUE(Check("SELECT b WHERE INTERSECT?(b, b1 | b2, 1)" + distance).ok()) << metric.name;
    EXPECT_EQ(MeasureOf(metric.kind).patterns.has_value(), allowed) << metric.name;
  }
}

TEST_F(MetricTableTest, EveryRowMakesAMetric) {
  for (const MetricMeasure& row : MetricMeasures()) {
    const bql::MetricDefinition& definition = bql::DefinitionOf(row.kind);
    for (const MetricSpeed speed : {MetricSpeed::kFast, MetricSpeed::kPlain}) {
      const auto metric = Make(row.kind, speed);
      if (definition.users_own) {
        ASSERT_FALSE(metric.ok());
        EXPECT_EQ(metric.error().code, ErrorCode::kNotFound) << "this configuration has none";
        continue;
      }
      ASSERT_TRUE(metric.ok()) << definition.name;
      EXPECT_EQ((*metric)->Within(Events{1, 2}, Events{1, 2}, 0).value(), 0u) << definition.name;
    }
  }
}

TEST_F(MetricTableTest, MetricsMeasureAsTheirRowsSay) {
  std::mt19937 random(12);
  for (const bql::MetricDefinition& definition : bql::kMetricDefinitions) {
    if (definition.users_own) continue;
    const auto fast = Make(definition.kind, MetricSpeed::kFast), plain = Make(definition.kind, MetricSpeed::kPlain);
    bool turned_alike = true;
    for (int i = 0; i < 200; ++i) {
      const Events a = RandomEvents(random, 20, kAlphabet), b = RandomEvents(random, 20, kAlphabet);
      const auto distance = (*fast)->Within(a, b, kUnbounded).value();
      ASSERT_TRUE(distance) << definition.name;
      ASSERT_EQ((*plain)->Within(a, b, kUnbounded).value(), distance) << definition.name;
      turned_alike &= (*fast)->Within(b, a, kUnbounded).value() == distance;
      ASSERT_EQ((*fast)->Within(a, b, *distance).value(), distance) << definition.name;
      if (*distance > 0) {
        ASSERT_EQ((*fast)->Within(a, b, *distance - 1).value(), std::nullopt) << definition.name;
      }
      const bool thousandths = definition.scale == bql::DistanceScale::kThousandths;
      ASSERT_LE(*distance, thousandths ? 1000 : a.size() + b.size()) << definition.name;
    }
    EXPECT_EQ(turned_alike, definition.symmetric) << definition.name;
  }
}

TEST_F(MetricTableTest, NoTwoTailsAreFartherThanTheGreatestDistance) {
  std::mt19937 random(13);
  const auto tail = [&] {
    Events events = RandomEvents(random, 2 * kTailEvents, kAlphabet);
    events.resize(std::min<size_t>(events.size(), kTailEvents));
    return events;
  };
  for (const MetricMeasure& row : MetricMeasures()) {
    if (!row.tails) continue;
    EXPECT_FALSE(row.tails->comparison.empty());
    const auto metric = Make(row.kind, MetricSpeed::kFast);
    for (int i = 0; i < 100; ++i)
      ASSERT_LE((*metric)->Within(tail(), tail(), kUnbounded).value(), row.tails->greatest)
          << static_cast<int>(row.kind);
    EXPECT_EQ((*metric)->Within(Events(kTailEvents, 0), Events(kTailEvents, 5), kUnbounded).value(),
              row.tails->greatest)
        << "two that share nothing";
  }
}

// The lines of bql/LANGUAGE.md that begin and end so.
std::vector<std::string> LinesOfReference(std::string_view begin, std::string_view end) {
  std::ifstream file(OSCOPE_SOURCE_DIR "/bql/LANGUAGE.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(begin) && line.ends_with(end)) lines.push_back(line);
  }
  return lines;
}

TEST(MetricTable, TheReferenceOfTheLanguageHasEachMetric) {
  const std::vector<std::string> rows = LinesOfReference("| `", "|");
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    std::string cell = fmt::format("| `{}` |", metric.name);
    if (!metric.short_name.empty()) cell = fmt::format("| `{}`, `{}` |", metric.short_name, metric.name);
    if (metric.users_own) cell = fmt::format("| `{}(name, …)` |", metric.name);
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [&](const auto& row) { return row.starts_with(cell); }), 1)
        << "bql/LANGUAGE.md has no row '" << cell << "'";
  }
}

TEST(MetricTable, TheReferenceOfTheLanguageSaysWhichKnowNoPatterns) {
  const std::vector<std::string> lines =
      LinesOfReference("`", "compare pairs of traces and cannot be used with patterns:");
  ASSERT_EQ(lines.size(), 1u);
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    EXPECT_EQ(lines[0].find(fmt::format("`{}`", metric.name)) != std::string::npos,
              metric.patterns != bql::PatternUse::kMeasured)
        << metric.name;
  }
}

}  // namespace
}  // namespace oscope
