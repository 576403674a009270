// What a session hands on and tells: the limits of texts, saved queries, progress while it works, what the work was.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "query/run/saved_queries.h"
#include "query/run/session.h"
#include "tests/bql/case_store.h"

namespace oscope {
namespace {

std::string RunLine(int id, const std::string& events) {
  return fmt::format(R"({{"type":"run","id":"{:032x}","project":"P","bug":"{}","traces":[{{"events":[{}]}}]}})", id, id,
                     events) +
         "\n";
}

class SessionEdges : public testing::Test {
 protected:
  SessionEdges()
      : cases_(*CaseStore::FromTexts(
            {RunLine(1, R"("a","b")") + RunLine(2, R"("a","c")") + RunLine(3, R"("a","b","c")")})),
        store_(*cases_.Open()) {}
  Session Open(SessionOptions options = {}) const {
    options.threads = 1;
    return *Session::Open(*cases_.Open(), std::move(options));
  }
  static std::string ErrorsOf(Session& session, std::string_view statement) {
    const StatementResult result = session.Execute(statement);
    return result.diagnostics.empty() ? result.ok() ? "" : result.error->message : result.diagnostics[0].message;
  }

  CaseStore cases_;
  Store store_;
};

TEST_F(SessionEdges, LimitsOfTextsHold) {
  const std::string query = "SELECT b FROM ALL WHERE (INTERSECT?(b, \"(a b)\"))";
  SessionOptions options;
  options.syntax_limits.bytes = query.size();
  options.syntax_limits.nesting = 2;
  options.pattern_limits.bytes = 5;
  options.pattern_limits.depth = 1;
  options.pattern_limits.states = 8;
  Session exact = Open(options);
  EXPECT_EQ(ErrorsOf(exact, query), "");
  const auto error = [&](const std::function<void(SessionOptions&)>& change) {
    SessionOptions changed = options;
    change(changed);
    Session session = Open(changed);
    return ErrorsOf(session, query).substr(0, 16);
  };
  EXPECT_EQ(error([](SessionOptions& o) { --o.syntax_limits.bytes; }), "the statement ha");
  EXPECT_EQ(error([](SessionOptions& o) { --o.syntax_limits.nesting; }), "nested deeper th");
  EXPECT_EQ(error([](SessionOptions& o) { --o.pattern_limits.bytes; }), "pattern of 5 byt");
  EXPECT_EQ(error([](SessionOptions& o) { --o.pattern_limits.depth; }), "parentheses nest");
  EXPECT_EQ(error([](SessionOptions& o) { --o.pattern_limits.states; }), "pattern needs 8 ");
}

TEST_F(SessionEdges, SavedQueriesAreOfTheStore) {
  Session session = Open();
  EXPECT_EQ(session.Execute("CREATE QUERY near(bug, d = 3) AS SELECT b WHERE INTERSECT?(b, :bug, :d)").text,
            "query near(bug, d = 3) saved\n");
  Session other = Open();
  const StatementResult shown = other.Execute("SHOW QUERIES");
  ASSERT_TRUE(shown.queries);
  ASSERT_EQ(shown.queries->size(), 1 + bql::ShippedQueries().size());
  EXPECT_EQ(shown.queries->front().name, "near");
  EXPECT_EQ(shown.queries->front().parameters, (std::vector<std::string>{"bug", "d = 3"}));
  EXPECT_EQ(shown.queries->front().text, "SELECT b WHERE INTERSECT?(b, :bug, :d)");
  EXPECT_FALSE(shown.queries->front().shipped);
  EXPECT_TRUE(shown.queries->back().shipped);
  const StatementResult called = other.Execute("CALL near(`P-1`)");
  ASSERT_TRUE(called.ok());
  EXPECT_EQ(called.answer->rows.size(), 2u);
  EXPECT_EQ(other.Execute("DROP QUERY NEAR").text, "query near dropped\n");
  EXPECT_EQ(ErrorsOf(session, "CALL near(`P-1`)"), "unknown query 'near'");
}

// Checked against a version that had none of the name: another session was faster.
TEST_F(SessionEdges, AQueryThatAnotherOneCreatedMeanwhileStays) {
  ASSERT_TRUE(SaveQuery(store_, {"near", {}, "SELECT b WHERE b.id = '1'", false}).ok());
  const Status second = SaveQuery(store_, {"Near", {}, "SELECT b WHERE b.id = '2'", false});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_EQ(second.error().message, "there is a query 'near' already: remove it with DROP QUERY first");
  ASSERT_EQ(ReadSavedQueries(*store_.Settings()).size(), 1u);
  EXPECT_EQ(ReadSavedQueries(*store_.Settings())[0].text, "SELECT b WHERE b.id = '1'");
  ASSERT_TRUE(store_
                  .EditSettings([](StoreSettings& settings) -> Status {
                    settings.queries["broken"] = "CREATE QUERY broken(";
                    return {};
                  })
                  .ok());
  EXPECT_TRUE(SaveQuery(store_, {"broken", {}, "SELECT b WHERE b.id = '3'", false}).ok()) << "which could not be read";
}

TEST_F(SessionEdges, SavedQueriesAreDroppedByNameInAnyCase) {
  ASSERT_TRUE(SaveQuery(store_, {"Near", {{"x", "1"}}, "SELECT b WHERE b.id = :x", false}).ok());
  const std::vector<bql::SavedQuery> read = ReadSavedQueries(*store_.Settings());
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(bql::Signature(read[0]), "Near(x = 1)");
  EXPECT_EQ(DropQuery(store_, "naer").error().message, "there is no saved query 'naer': did you mean 'Near'?");
  EXPECT_EQ(DropQuery(store_, "zzz").error().message, "there is no saved query 'zzz'");
  EXPECT_EQ(DropQuery(store_, "Suffix").error().message, "query 'Suffix' is a shipped one: it cannot be dropped");
  EXPECT_TRUE(DropQuery(store_, "NEAR").ok());
  EXPECT_TRUE(ReadSavedQueries(*store_.Settings()).empty());
}

// What is not a definition any more, of another release perhaps, is passed over.
TEST_F(SessionEdges, TextsThatAreNoDefinitionArePassedOver) {
  const auto edit = [](StoreSettings& settings) -> Status {
    settings.queries["broken"] = "CREATE QUERY broken(a AS SELECT";
    settings.queries["other"] = "SHOW QUERIES";
    settings.queries["twice"] = "CREATE QUERY twice(a, a) AS SELECT b WHERE b.id = :a";
    settings.queries["good"] = "CREATE QUERY good(a) AS SELECT b WHERE b.id = :a";
    return {};
  };
  ASSERT_TRUE(store_.EditSettings(edit).ok());
  const std::vector<bql::SavedQuery> read = ReadSavedQueries(*store_.Settings());
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name, "good");
  EXPECT_EQ(read[0].text, "SELECT b WHERE b.id = :a");
}

TEST_F(SessionEdges, AnAnswerSaysWhatTheWorkWas) {
  for (const bool index : {true, false}) {
    SessionOptions options;
    options.use_index = index;
    Session session = Open(options);
    const StatementResult result =
        session.Execute("SELECT b FROM ALL WHERE INTERSECT?(b[50], `P-1`[50], d => any) DISTANCE lcs");
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.answer->stats.traces, 3u);
    EXPECT_GE(result.answer->stats.verified, 1u);
    const StatementResult explained =
        session.Execute("EXPLAIN ANALYZE SELECT b FROM ALL WHERE INTERSECT?(b[50], `P-1`[50], d => any) DISTANCE lcs");
    ASSERT_TRUE(explained.text);
    EXPECT_FALSE(explained.answer);
    EXPECT_NE(explained.text->find("2 rows in "), std::string::npos) << *explained.text;
    EXPECT_NE(explained.text->find("\n  3 traces; removed by sketch "), std::string::npos) << *explained.text;
    const StatementResult planned =
        session.Execute("EXPLAIN SELECT b FROM ALL WHERE INTERSECT?(b[50], `P-1`[50], d => any) DISTANCE lcs");
    ASSERT_TRUE(planned.text);
    EXPECT_TRUE(explained.text->starts_with(*planned.text));
    EXPECT_EQ(planned.text->find(" rows in "), std::string::npos);
  }
}

// The metric waits until progress was told: a session that tells of none would wait until the metric's time is over.
TEST_F(SessionEdges, ProgressIsToldWhileAStatementRuns) {
  std::string directory = std::filesystem::temp_directory_path() / "session_edges_XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  const std::string told = directory + "/told";
  ASSERT_EQ(::mkfifo(told.c_str(), 0600), 0);
  const std::string script =
      "waited=; while read -r word rest; do case $word in oscope-metric) echo 'oscope-metric 1';; "
      "pair) [ -n \"$waited\" ] || read -r waited < '" +
      told + "'; echo 1;; esac; done";
  SessionOptions options;
  options.user_metrics.metrics = {{"slow", "", {"/bin/sh", "-c", script}, 60'000}};
  int progress = 0, partial = 0;
  bool sound = true;
  options.on_progress = [&](const QueryProgress& now) {
    ++progress;
    sound = sound && now.done <= now.total;
  };
  options.on_partial = [&](const std::vector<AnswerRow>& rows) {
    sound = sound && rows.size() <= 2;
    if (++partial == 1) std::ofstream(told) << "told\n";
  };
  {
    Session session = Open(options);
    const StatementResult result =
        session.Execute("SELECT b FROM ALL WHERE INTERSECT?(b, `P-1`, d => any) DISTANCE u(slow)");
    EXPECT_TRUE(result.ok()) << result.error->message;
    EXPECT_EQ(result.ok() ? result.answer->rows.size() : 0, 2u);
  }
  EXPECT_GE(progress, 1);
  EXPECT_GE(partial, 1);
  EXPECT_TRUE(sound);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace oscope
