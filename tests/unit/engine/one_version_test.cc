// A statement reads one version of the store, from its names to its reports, whatever is committed while it runs; the
// next one reads the newest. A job is run on its own version, or not at all.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "query/run/corpus_catalog.h"
#include "query/run/session.h"
#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/support/watched_file_system.h"

namespace oscope {
namespace {

using Names = std::vector<std::string>;

std::string Report(const std::string& id, const std::string& title, const std::string& field) {
  return fmt::format(R"({{"type":"bug","project":"P","id":"{}","title":"{}","custom":{{"{}":"x"}}}})", id, title,
                     field) +
         "\n";
}

std::string Run(int id, const std::string& bug, const std::string& events, const std::string& test) {
  return fmt::format(
             R"({{"type":"run","id":"{:032x}","project":"P","bug":"{}","test":"{}","outcome":"failed","traces":[{{"events":[{}]}}]}})",
             id, bug, test, events) +
         "\n";
}

std::string Before() {
  return Report("asked", "the asked one", "team") + Report("near", "old title", "team") +
         Run(1, "asked", R"("a","b","c")", "t1") + Run(2, "near", R"("a","b","d")", "t2");
}

// Another bug, nearer than the one there is; another title, field and failing test of that one.
std::string Change() {
  return Report("near", "new title", "squad") + Report("nearer", "a new one", "squad") +
         Run(3, "nearer", R"("a","b","c")", "t3") + Run(4, "near", R"("a","b","c")", "t4");
}

// Searches that read reports late, reports first, runs first; joins, counts, patterns, fields that come and go.
const Names& Queries() {
  static const Names queries = {
      "SELECT b, b.title, distance FROM ALL WHERE INTERSECT?(b[50], `P-asked`[50], d => any)",
      "SELECT b, b.title, distance FROM ALL WHERE SUBSET?(`P-asked`, b, d => any) DISTANCE lcs",
      "SELECT b FROM ALL WHERE b.title LIKE '%title'",
      "SELECT b, b.test FROM ALL WHERE b.test IN ('t2', 't3', 't4')",
      "SELECT b, b.title FROM ALL WHERE b.title = 'old title' || INTERSECT?(b[50], `P-asked`[50], 0)",
      "SELECT x, y FROM ALL WHERE INTERSECT?(x[50], y[50], 1)",
      "SELECT COUNT(b) FROM ALL WHERE INTERSECT?(b, \"a b\")",
      "SELECT b FROM ALL WHERE INTERSECT?(b[50], near[50], 0) ORDER BY title",
      "SELECT b, b.team FROM ALL WHERE b.team = 'x'",
      "SELECT b FROM ALL WHERE b.squad = 'x'",
      "SELECT b FROM ALL WHERE INTERSECT?(b, nearer, d => any)",
      "CALL suffix(`P-asked`, len => 3, d => 0)",
  };
  return queries;
}

class OneVersion : public testing::Test {
 protected:
  static CaseStore Make() { return *CaseStore::FromTexts({Before()}); }

  static SessionOptions OptionsOf(const EngineSetting& engine) {
    SessionOptions options;
    options.engine = engine.kind;
    options.use_index = engine.use_index;
    options.threads = engine.threads;
    return options;
  }

  // The answer, or what is wrong; and the reports that its rows have afterwards.
  static Names TextOf(Session& session, const std::string& query) {
    const StatementResult result = session.Execute(query);
    Names lines = FullAnswerText(query, result);
    if (!result.answer) return lines;
    std::vector<BugKey> bugs;
    for (const AnswerRow& row : result.answer->rows) bugs.insert(bugs.end(), row.bugs.begin(), row.bugs.end());
    const Result<std::vector<Bug>> reports = session.Reports(bugs);
    for (const Bug& report : *reports) lines.push_back(ToString(report.key) + ": " + report.title);
    return lines;
  }

  static Names FreshText(const CaseStore& store, const EngineSetting& engine, const std::string& query) {
    Session session = *OpenSession(store, engine);
    return TextOf(session, query);
  }
};

TEST_F(OneVersion, ACommitBetweenCheckAndRunIsNotSeen) {
  for (const EngineSetting& engine : AllEngines()) {
    for (const std::string& query : Queries()) {
      const CaseStore store = Make();
      const Names before = FreshText(store, engine, query);
      SessionOptions options = OptionsOf(engine);
      int jobs = 0;
      options.on_job = [&](const Job& job) {
        EXPECT_EQ(job.manifest_version, 2u);
        if (jobs++ > 0) return;
        ASSERT_TRUE(store.Add(Change()).ok());
      };
      Session session = *Session::Open(*store.Open(), options);
      EXPECT_EQ(TextOf(session, query), before) << engine.name << ": " << query;
      const bool refused = jobs == 0;
      ASSERT_TRUE(!refused || store.Add(Change()).ok());
      session.options().on_job = nullptr;
      const Names after = FreshText(store, engine, query);
      EXPECT_NE(after, before) << query;
      EXPECT_EQ(TextOf(session, query), after) << engine.name << ", the next statement: " << query;
    }
  }
}

// The files of the statement's version stay while it runs.
TEST_F(OneVersion, ACollectionWhileItRunsTakesNothingAway) {
  for (const std::string& query : Queries()) {
    const CaseStore store = Make();
    const Names before = FreshText(store, AllEngines()[0], query);
    SessionOptions options = OptionsOf(AllEngines()[0]);
    options.on_job = [&](const Job&) {
      ASSERT_TRUE(store.Add(Change()).ok());
      Store writer = *store.Open();
      ASSERT_TRUE(writer.Compact().ok());
      ASSERT_TRUE(writer.Collect().ok());
    };
    Session session = *Session::Open(*store.Open(), options);
    EXPECT_EQ(TextOf(session, query), before) << query;
  }
}

// A commit just before any of the file operations that a statement makes: all of it is before, or all of it is after.
TEST_F(OneVersion, ACommitAtAnyMomentIsSeenWholeOrNotAtAll) {
  const EngineSetting engine = AllEngines()[0];
  for (const std::string& query : Queries()) {
    Names before, after;
    for (uint64_t moment = 1;; ++moment) {
      const CaseStore store = Make();
      if (moment == 1) before = FreshText(store, engine, query);
      WatchedFileSystem fs(PosixFileSystem());
      uint64_t operations = 0;
      bool watching = false;
      fs.BeforeEach([&](const FileOperation&) -> Status {
        if (!watching || ++operations != moment) return {};
        return store.Add(Change());
      });
      Session session = *Session::Open(*Store::Open(fs, store.Open()->path()), OptionsOf(engine));
      watching = true;
      const Names seen = TextOf(session, query);
      watching = false;
      if (operations < moment) break;
      if (moment == 1) after = FreshText(store, engine, query);
      EXPECT_TRUE(seen == before || seen == after) << query << ", operation " << moment << ":\n"
                                                   << testing::PrintToString(seen);
    }
    EXPECT_NE(before, after);
  }
}

TEST_F(OneVersion, AJobRunsOnItsOwnVersion) {
  for (const EngineSetting& engine : AllEngines()) {
    const CaseStore store = Make();
    const std::string query = Queries()[0];
    SessionOptions options = OptionsOf(engine);
    std::optional<Job> job;
    options.on_job = [&](const Job& made) { job = made; };
    Session session = *Session::Open(*store.Open(), options);
    const Names before = FullAnswerText(query, session.Execute(query));
    ASSERT_TRUE(job);
    session.options().on_job = nullptr;
    ASSERT_TRUE(store.Add(Change()).ok());
    const auto text_of = [&](Result<Answer> answer) {
      StatementResult result;
      if (answer.ok())
        result.answer = *std::move(answer);
      else
        result.error = answer.error();
      return FullAnswerText(query, result);
    };
    EXPECT_EQ(text_of(session.Run(*job)), before) << "the session still has that version";
    const Names after = FullAnswerText(query, session.Execute(query));
    EXPECT_NE(after, before);
    EXPECT_EQ(text_of(session.Run(*job)), before) << "it is read again";
    EXPECT_EQ(FullAnswerText(query, session.Execute(query)), after);
    Session other = *Session::Open(*store.Open(), OptionsOf(engine));
    EXPECT_EQ(text_of(other.Run(*job)), before);
    EXPECT_EQ(FullAnswerText(query, other.Execute(query)), after) << "it lets the version go";
    Store writer = *store.Open();
    ASSERT_TRUE(writer.Compact().ok());
    ASSERT_TRUE(writer.Collect().ok());
    const Result<Answer> gone = other.Run(*job);
    ASSERT_FALSE(gone.ok()) << engine.name;
    EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(gone.error().message, fmt::format("store {}: version 2 has been removed or never existed: read the "
                                                "newest version",
                                                writer.path()));
    EXPECT_EQ(FullAnswerText(query, other.Execute(query)), after);
  }
}

}  // namespace
}  // namespace oscope
