// A session that lives through commits answers as one that is opened afterwards: what it keeps of earlier versions must
// be what they were.
#include <gtest/gtest.h>

#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/unit/engine/random_query.h"
#include "tests/unit/engine/random_store.h"

namespace oscope {
namespace {

constexpr uint64_t kStores = 20;
constexpr uint64_t kQueries = 8;

Session MustOpen(const CaseStore& store, const EngineSetting& setting) {
  Result<Session> session = OpenSession(store, setting);
  EXPECT_TRUE(session.ok()) << session.error().message;
  return *std::move(session);
}

Session MustOpen(const CaseStore& store, const EngineSetting& setting, const RandomStore& data) {
  Session session = MustOpen(store, setting);
  for (const auto& [name, value] : RandomParameters(data)) session.SetParameter(name, value);
  return session;
}

TEST(Reopen, AnswersAsAFreshSession) {
  const std::vector<EngineSetting> settings = AllEngines();
  uint64_t with_rows = 0, commits = 0;
  for (uint64_t seed = 1; seed <= kStores; ++seed) {
    const RandomStore data = MakeRandomStore(seed);
    const std::vector<std::string> texts = data.Texts();
    const Result<CaseStore> store = CaseStore::FromTexts({});
    ASSERT_TRUE(store.ok());
    Session indexed = MustOpen(*store, settings[1], data), whole = MustOpen(*store, settings[2], data);
    for (const std::string& text : texts) {
      ASSERT_TRUE(store->Add(text).ok());
      ++commits;
      Session fresh = MustOpen(*store, settings[0], data);
      for (uint64_t i = 0; i < kQueries; ++i) {
        // The same queries after every commit, so that what they chose is kept from the version before.
        const std::string query = MakeRandomQuery(data, seed * 1000 + i);
        const StatementResult expected = fresh.Execute(query);
        with_rows += expected.answer && !expected.answer->rows.empty() ? 1 : 0;
        const std::vector<std::string> lines = FullAnswerText(query, expected);
        EXPECT_EQ(FullAnswerText(query, indexed.Execute(query)), lines) << "seed " << seed << "\n" << query;
        EXPECT_EQ(FullAnswerText(query, whole.Execute(query)), lines) << "seed " << seed << "\n" << query;
      }
    }
  }
  EXPECT_GT(commits, kStores);
  EXPECT_GT(with_rows, 100u);
}

// Bugs that come later take their places among those that are known; a run changes its bug; small segments are merged.
TEST(Reopen, FollowsWhateverHappens) {
  const auto bug_run = [](const std::string& id, const std::string& bug, const std::string& events) {
    return R"({"type":"run","id":")" + id + R"(000000000000000000000000000000","project":"P","bug":")" + bug +
           R"(","traces":[{"events":[)" + events + "]}]}\n";
  };
  const Result<CaseStore> store = CaseStore::FromTexts({bug_run("10", "m", R"("a","b","c")")});
  ASSERT_TRUE(store.ok());
  Session session = MustOpen(*store, AllEngines()[0]);
  const auto ask = [&] {
    const StatementResult result =
        session.Execute("SELECT b, distance FROM ALL WHERE SUBSET?(`run/1000`.failing[50], b.failing[50], 2)");
    EXPECT_TRUE(result.ok());
    std::vector<std::string> rows;
    for (const AnswerRow& row : result.answer->rows)
      rows.push_back(ToString(row.bugs[0]) + " " + std::to_string(*row.distance));
    return rows;
  };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(ask(), Rows{});
  ASSERT_TRUE(store->Add(bug_run("11", "z", R"("a","b","c")") + bug_run("12", "a", R"("a","b","x")")).ok());
  EXPECT_EQ(ask(), (Rows{"P-z 0", "P-a 1"}));
  // More of a bug that is known, and an event that nobody had.
  ASSERT_TRUE(store->Add(bug_run("13", "a", R"("a","b","c","new")") + bug_run("14", "n", R"("a","b","new")")).ok());
  EXPECT_EQ(ask(), (Rows{"P-z 0", "P-a 1", "P-n 1"}));
  ASSERT_TRUE(store->Add(bug_run("15", "m", R"("q")")).ok());
  EXPECT_EQ(ask(), (Rows{"P-z 0", "P-a 1", "P-n 1"}));
  Result<Store> writer = store->Open();
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->LinkRuns({*ParseRunId("11000000000000000000000000000000")}, {"P", "n"}).ok());
  EXPECT_EQ(ask(), (Rows{"P-n 0", "P-a 1"}));
  ASSERT_TRUE(writer->Compact({}).ok());
  EXPECT_EQ(ask(), (Rows{"P-n 0", "P-a 1"}));
}

}  // namespace
}  // namespace oscope
