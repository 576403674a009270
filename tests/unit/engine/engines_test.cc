// Random queries over random stores: every engine must give the bytes that the naive one gives.
//
// OSCOPE_FUZZ_QUERIES and OSCOPE_FUZZ_SEED say how many, and from which store on; a failure is told with the seed that repeats it, and with the
// least store that still shows it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/unit/engine/random_query.h"
#include "tests/unit/engine/random_store.h"

namespace oscope {
namespace {

constexpr uint64_t kQueriesPerStore = 20;

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
struct Engines {
  explicit Engines(const RandomStore& data) {
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
      names.push_back(setting.name);
    }
  }

  struct Comparison {
    bool valid = false;  // the query has no errors
    size_t rows = 0;
    std::string difference;  // empty: none
  };
  Comparison Compare(const std::string& query) {
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

  std::optional<CaseStore> store;
  std::vector<Session> sessions;
  std::vector<std::string> names;
};

bool StillDiffers(const RandomStore& store, const std::string& query) {
  Engines engines(store);
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
  std::string text = "OSCOPE_FUZZ_SEED=" + std::to_string(seed) + " OSCOPE_FUZZ_QUERIES=" + std::to_string(kQueriesPerStore) + "\n" + query +
                     "\n" + difference + "  the least store:\n";
  for (const std::string& commit : least.Texts()) text += commit + "\n";
  Engines engines(least);
  if (!engines.sessions.empty()) text += "  there:\n" + engines.Compare(query).difference;
  return text;
}

TEST(Engines, AgreeWithTheNaiveOne) {
  const uint64_t queries = FromEnvironment("OSCOPE_FUZZ_QUERIES", OSCOPE_DEFAULT_QUERIES);
  const uint64_t first_seed = FromEnvironment("OSCOPE_FUZZ_SEED", OSCOPE_DEFAULT_SEED);
  const uint64_t most_failures = FromEnvironment("OSCOPE_FUZZ_FAILURES", 5);
  std::cout << "seed " << first_seed << ", " << queries << " queries\n";
  uint64_t done = 0, valid = 0, with_rows = 0, failures = 0;
  for (uint64_t seed = first_seed; done < queries && failures < most_failures; ++seed) {
    const RandomStore store = MakeRandomStore(seed);
    Engines engines(store);
    ASSERT_FALSE(engines.sessions.empty()) << "seed " << seed;
    for (uint64_t i = 0; i < kQueriesPerStore && done < queries; ++i, ++done) {
      const std::string query = MakeRandomQuery(store, seed * 1000 + i);
      Engines::Comparison comparison = engines.Compare(query);
      valid += comparison.valid ? 1 : 0;
      with_rows += comparison.rows > 0 ? 1 : 0;
      std::string limited = query;
      if (comparison.difference.empty() && comparison.rows > 1 && query.find(" LIMIT") == std::string::npos) {
        limited += " LIMIT " + std::to_string(1 + comparison.rows / 2);
        comparison = engines.Compare(limited);
      }
      if (comparison.difference.empty()) continue;
      ADD_FAILURE() << Report(store, seed, limited, comparison.difference);
      if (++failures >= most_failures) break;
    }
  }
  std::cout << done << " queries, " << valid << " valid, " << with_rows << " with rows\n";
  // A generator that only draws nonsense would find nothing.
  if (failures == 0 && done >= 100) {
    EXPECT_GT(valid * 100, done * 85);
    EXPECT_GT(with_rows * 100, done * 25);
  }
}

// Of the queries above hardly one searches tails by `recent`.
TEST(Engines, AgreeOnSearchesOfTailsByRecent) {
  const uint64_t first_seed = FromEnvironment("OSCOPE_FUZZ_SEED", OSCOPE_DEFAULT_SEED);
  const uint64_t stores = FromEnvironment("OSCOPE_FUZZ_QUERIES", OSCOPE_DEFAULT_QUERIES) / kQueriesPerStore;
  uint64_t with_rows = 0;
  for (uint64_t seed = first_seed; seed < first_seed + stores; ++seed) {
    const RandomStore store = MakeRandomStore(seed);
    Engines engines(store);
    ASSERT_FALSE(engines.sessions.empty()) << "seed " << seed;
    for (uint64_t i = 0; i < kQueriesPerStore; ++i) {
      const std::string query = MakeRandomTailSearch(store, "recent", seed * 1000 + i);
      const Engines::Comparison comparison = engines.Compare(query);
      with_rows += comparison.rows > 0 ? 1 : 0;
      ASSERT_EQ(comparison.difference, "") << Report(store, seed, query, comparison.difference);
    }
  }
  EXPECT_GT(with_rows * 4, stores * kQueriesPerStore);
}

}  // namespace
}  // namespace oscope
