// Random queries over random stores: every engine must give the bytes that the naive one gives.
//
// OSCOPE_FUZZ_QUERIES and OSCOPE_FUZZ_SEED say how many, and from which store on; a failure is told with the seed that
// repeats it, and with the least store that still shows it. The stores are dealt out to kParts tests, so that as many
// processors share the work.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "query/semantics/metric_table.h"
#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/unit/engine/random_query.h"
#include "tests/unit/engine/random_store.h"

namespace oscope {
namespace {

constexpr uint64_t kQueriesPerStore = 20;
constexpr uint64_t kParts = 4;

using Lines = std::vector<std::string>;

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string Joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

// A session a way to answer, the naive one last.
struct AllSessions {
  explicit AllSessions(const RandomStore& data) {
    Result<CaseStore> made = CaseStore::FromTexts(data.Texts());
    if (!made.ok()) {
      ADD_FAILURE() << made.error().message;
      return;
    }
    store.emplace(*std::move(made));
    for (const EngineSetting& setting : AllEngines()) {
      Result<Session> session = OpenSession(*store, setting);
      if (!session.ok()) {
        ADD_FAILURE() << session.error().message;
        sessions.clear();
        return;
      }
      sessions.push_back(*std::move(session));
      for (const auto& [name, value] : RandomParameters(data)) sessions.back().SetParameter(name, value);
      names.push_back(setting.name);
    }
  }

  struct Comparison {
    bool valid = false;  // the query has no errors
    size_t rows = 0;
    std::string difference;  // empty: none
  };
  Comparison Compare(const std::string& query) {
    // What a query was on which an engine ends the process.
    if (tell) std::cerr << query << std::endl;
    Comparison comparison;
    const StatementResult naive = sessions.back().Execute(query);
    comparison.valid = naive.ok();
    comparison.rows = naive.answer ? naive.answer->rows.size() : 0;
    const Lines expected = FullAnswerText(query, naive);
    for (size_t i = 0; i + 1 < sessions.size(); ++i) {
      const Lines lines = FullAnswerText(query, sessions[i].Execute(query));
      if (lines == expected) continue;
      comparison.difference = "  naive:\n" + Joined(expected) + "  " + names[i] + ":\n" + Joined(lines);
      return comparison;
    }
    return comparison;
  }

  const bool tell = std::getenv("OSCOPE_FUZZ_TELL") != nullptr;
  std::optional<CaseStore> store;
  std::vector<Session> sessions;
  std::vector<std::string> names;
};

bool StillDiffers(const RandomStore& store, const std::string& query) {
  AllSessions engines(store);
  return !engines.sessions.empty() && !engines.Compare(query).difference.empty();
}

// Leaves lines out for as long as the engines disagree.
RandomStore Least(RandomStore store, const std::string& query) {
  for (size_t commit = 0; commit < store.commits.size(); ++commit) {
    for (size_t line = store.commits[commit].size(); line-- > 0;) {
      RandomStore smaller = store;
      smaller.commits[commit].erase(smaller.commits[commit].begin() + static_cast<ptrdiff_t>(line));
      if (StillDiffers(smaller, query)) store = std::move(smaller);
    }
  }
  return store;
}

std::string Report(const RandomStore& store, uint64_t seed, const std::string& query, const std::string& difference) {
  const RandomStore least = Least(store, query);
  std::string text = "OSCOPE_FUZZ_SEED=" + std::to_string(seed) +
                     " OSCOPE_FUZZ_QUERIES=" + std::to_string(kQueriesPerStore) + "\n" + query + "\n" + difference +
                     "  the least store:\n";
  for (const std::string& commit : least.Texts()) text += commit + "\n";
  AllSessions engines(least);
  if (!engines.sessions.empty()) text += "  there:\n" + engines.Compare(query).difference;
  return text;
}

bool CanBeLimited(const std::string& query) {
  return query.starts_with("SELECT") && query.find(" LIMIT") == std::string::npos;
}

class Engines : public testing::TestWithParam<uint64_t> {
 protected:
  // The stores of this part, by their seeds.
  static std::vector<uint64_t> Seeds() {
    const uint64_t first = FromEnvironment("OSCOPE_FUZZ_SEED", OSCOPE_DEFAULT_SEED);
    const uint64_t queries = FromEnvironment("OSCOPE_FUZZ_QUERIES", OSCOPE_DEFAULT_QUERIES);
    const uint64_t stores = (queries + kQueriesPerStore - 1) / kQueriesPerStore;
    std::vector<uint64_t> seeds;
    for (uint64_t i = GetParam(); i < stores; i += kParts) seeds.push_back(first + i);
    return seeds;
  }
};

TEST_P(Engines, AgreeWithTheNaiveOne) {
  const uint64_t most_failures = FromEnvironment("OSCOPE_FUZZ_FAILURES", 5);
  uint64_t done = 0, valid = 0, with_rows = 0, failures = 0;
  for (const uint64_t seed : Seeds()) {
    const RandomStore store = MakeRandomStore(seed);
    AllSessions engines(store);
    ASSERT_FALSE(engines.sessions.empty()) << "seed " << seed;
    for (uint64_t i = 0; i < kQueriesPerStore; ++i, ++done) {
      const std::string query = MakeRandomQuery(store, seed * 1000 + i);
      AllSessions::Comparison comparison = engines.Compare(query);
      valid += comparison.valid ? 1 : 0;
      with_rows += comparison.rows > 0 ? 1 : 0;
      std::string limited = query;
      if (comparison.difference.empty() && comparison.rows > 1 && CanBeLimited(query)) {
        limited += " LIMIT " + std::to_string(1 + comparison.rows / 2);
        comparison = engines.Compare(limited);
      }
      if (comparison.difference.empty()) continue;
      ADD_FAILURE() << Report(store, seed, limited, comparison.difference);
      if (++failures >= most_failures) return;
    }
  }
  std::cout << done << " queries, " << valid << " valid, " << with_rows << " with rows\n";
  // A generator that only draws nonsense would find nothing.
  if (failures == 0 && done >= 60) {
    EXPECT_GT(valid * 100, done * 85);
    EXPECT_GT(with_rows * 100, done * 20);
  }
}

// The metrics that the tails of the index serve and whose distances are in thousandths.
std::vector<std::string_view> ThousandthsOfTails() {
  std::vector<std::string_view> names;
  for (const MetricMeasure& metric : MetricMeasures()) {
    const bql::MetricDefinition& definition = bql::DefinitionOf(metric.kind);
    if (metric.tails && definition.scale == bql::DistanceScale::kThousandths) names.push_back(definition.name);
  }
  return names;
}

// Of the queries above hardly one searches tails by these: nearly all of their distances are too small.
TEST_P(Engines, AgreeOnSearchesOfTailsByRecent) {
  const std::vector<std::string_view> metrics = ThousandthsOfTails();
  uint64_t done = 0, with_rows = 0;
  for (const uint64_t seed : Seeds()) {
    const RandomStore store = MakeRandomStore(seed);
    AllSessions engines(store);
    ASSERT_FALSE(engines.sessions.empty()) << "seed " << seed;
    for (uint64_t i = 0; i < kQueriesPerStore; ++i, ++done) {
      const std::string query = MakeRandomTailSearch(store, metrics[i % metrics.size()], seed * 1000 + i);
      const AllSessions::Comparison comparison = engines.Compare(query);
      with_rows += comparison.rows > 0 ? 1 : 0;
      ASSERT_EQ(comparison.difference, "") << Report(store, seed, query, comparison.difference);
    }
  }
  if (done >= 60) {
    EXPECT_GT(with_rows * 8, done);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, Engines, testing::Range<uint64_t>(0, kParts), testing::PrintToStringParamName());

}  // namespace
}  // namespace oscope
