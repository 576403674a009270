// What a session offers beside its statements, and how it stops: limits at their bounds, a cancel at every place where
// it asks.
#include "query/run/session.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/support/counted_cancel.h"

namespace oscope {
namespace {

using Names = std::vector<std::string>;

std::string Quoted(const Names& events) {
  std::string list;
  for (const std::string& event : events) list += (list.empty() ? "\"" : ",\"") + event + "\"";
  return list;
}

// A run of a bug with one trace.
std::string RunLine(uint64_t id, const std::string& bug, const Names& events, const std::string& more = "") {
  return fmt::format(R"({{"type":"run","id":"{:032x}","project":"P","bug":"{}"{},"traces":[{{"events":[{}]}}]}})", id,
                     bug, more, Quoted(events)) +
         "\n";
}

std::string ReportLine(const std::string& project, const std::string& id) {
  return fmt::format(R"({{"type":"bug","project":"{}","id":"{}","title":"title of {}","custom":{{"team":"x"}}}})",
                     project, id, id) +
         "\n";
}

// Bugs 000, 001, …; the trace of bug i has i events `b` after an `a`, so that bug i is i edits from bug 000.
std::string Staircase(uint64_t bugs) {
  std::string text;
  for (uint64_t i = 0; i < bugs; ++i) {
    Names events(i + 1, "b");
    events[0] = "a";
    text += ReportLine("P", fmt::format("{:03}", i)) + RunLine(i + 1, fmt::format("{:03}", i), events);
  }
  return text;
}

class SessionTest : public testing::Test {
 protected:
  void Make(const Names& commits) {
    Result<CaseStore> made = CaseStore::FromTexts(commits);
    ASSERT_TRUE(made.ok()) << made.error().message;
    store_.emplace(*std::move(made));
  }
  Session Open(SessionOptions options = {}) const { return OpenFollowing(cancel_.token(), std::move(options)); }
  Session OpenFollowing(const CancelToken& cancel, SessionOptions options = {}) const {
    if (options.threads == 0) options.threads = 1;
    Result<Session> session = Session::Open(store_->Open()->Share(cancel), std::move(options));
    EXPECT_TRUE(session.ok()) << session.error().message;
    return *std::move(session);
  }

  static Names Rows(const StatementResult& result) {
    if (!result.ok()) return {std::string(ErrorCodeName(result.error->code))};
    Names rows;
    for (const AnswerRow& row : result.answer->rows)
      rows.push_back(row.bugs.empty() ? std::to_string(std::get<uint64_t>(row.cells[0])) : row.bugs[0].id);
    return rows;
  }

  std::optional<CaseStore> store_;
  CountedCancel cancel_;
};

constexpr const char* kNear = "SELECT b FROM ALL WHERE INTERSECT?(b[50], `P-000`[50], d => any)";
constexpr const char* kWhole = "SELECT b FROM ALL WHERE INTERSECT?(b, `P-000`, d => any)";
constexpr const char* kByField = "SELECT b FROM ALL WHERE b.id >= 1";

// --- limits ---

TEST_F(SessionTest, AnAnswerHasAsManyRowsAsItMay) {
  Make({Staircase(8)});  // seven rows
  for (const bool index : {true, false}) {
    for (const char* query : {kNear, kWhole, kByField}) {
      SessionOptions options;
      options.use_index = index;
      options.limits.rows = 7;
      EXPECT_EQ(Rows(Open(options).Execute(query)).size(), 7u) << query;
      options.limits.rows = 6;
      const StatementResult over = Open(options).Execute(query);
      ASSERT_FALSE(over.ok()) << query;
      EXPECT_EQ(over.error->message,
                "the answer has more than 6 rows: add a LIMIT or narrow the condition, or raise --max-rows");
      EXPECT_EQ(over.error->code, ErrorCode::kLimit);
      EXPECT_FALSE(over.answer.has_value());
    }
  }
}

// Rows that LIMIT would not show take no place: the nearest are kept while the others come.
TEST_F(SessionTest, ALimitBelowTheMostRowsGivesTheNearest) {
  Make({Staircase(40)});
  SessionOptions options;
  options.limits.rows = 5;
  Session session = Open(options);
  for (const std::string& condition :
       {std::string("INTERSECT?(b, `P-000`, d => any) || b.id = 'none'"), std::string("b.id >= 1")}) {
    const std::string query = "SELECT b FROM ALL WHERE " + condition;
    EXPECT_EQ(Rows(session.Execute(query + " LIMIT 3")), (Names{"001", "002", "003"}));
    EXPECT_EQ(Rows(session.Execute(query + " LIMIT 5")), (Names{"001", "002", "003", "004", "005"}))
        << "exactly as many as may be held";
    EXPECT_EQ(Rows(session.Execute(query + " LIMIT 3 OFFSET 2")), (Names{"003", "004", "005"}));
    EXPECT_EQ(Rows(session.Execute(query + " LIMIT 6")), Names{"limit"});
    EXPECT_EQ(Rows(session.Execute(query + " LIMIT 3 OFFSET 3")), Names{"limit"});
    EXPECT_EQ(Rows(session.Execute(query + " OFFSET 38")), Names{"limit"});
    EXPECT_EQ(Rows(session.Execute(query + " ORDER BY id DESC LIMIT 2")), (Names{"039", "038"}))
        << "by the order that was asked for";
    EXPECT_EQ(Rows(session.Execute("SELECT COUNT(b) FROM ALL WHERE " + condition)), Names{"39"})
        << "a count holds no rows";
  }
  EXPECT_EQ(Rows(session.Execute(fmt::format("{0} LIMIT {1} OFFSET {1}", kByField, UINT64_MAX / 2))), Names{"limit"});
}

TEST_F(SessionTest, ALimitThatNobodyAskedFor) {
  Make({Staircase(8)});
  SessionOptions options;
  options.default_limit = 2;
  for (const EngineKind engine : {EngineKind::kThreads, EngineKind::kNaive}) {
    options.engine = engine;
    Session session = Open(options);
    EXPECT_EQ(Rows(session.Execute(kNear)), (Names{"001", "002"}));
    EXPECT_EQ(Rows(session.Execute(std::string(kNear) + " LIMIT 3")).size(), 3u) << "the query's own counts";
    EXPECT_EQ(Rows(session.Execute("SELECT COUNT(b) FROM ALL WHERE INTERSECT?(b[50], `P-000`[50], d => any)")),
              Names{"7"});
    EXPECT_EQ(Rows(session.Execute("CALL suffix(`P-000`, d => 7)")), (Names{"001", "002"}));
  }
}

TEST_F(SessionTest, TheLiteralEvaluatorHasTheSameMostRows) {
  Make({Staircase(8)});
  SessionOptions options;
  options.engine = EngineKind::kNaive;
  options.limits.rows = 7;
  EXPECT_EQ(Rows(Open(options).Execute(kNear)).size(), 7u);
  options.limits.rows = 6;
  EXPECT_EQ(Rows(Open(options).Execute(kNear)), Names{"limit"});
}

// --- cancel ---

// The first question that is answered with yes ends the statement with kCancelled and no answer; the next statement is
// none the worse for it.
TEST_F(SessionTest, ACancelAtEveryQuestionEndsTheStatement) {
  Make({Staircase(12), ReportLine("P", "late"), RunLine(500, "late", Names(40, "b"))});
  const Names queries = {kNear,
                         kWhole,
                         kByField,
                         "SELECT x, y FROM ALL WHERE INTERSECT?(x[50], y[50], 2)",
                         "SELECT x, y FROM ALL WHERE INTERSECT?(x, y, 2) DISTANCE lcs",
                         "SELECT x, y FROM ALL WHERE INTERSECT?(x, y | \"a b\", 2)",
                         "SELECT b FROM ALL WHERE SUBSET?(`P-000`[50], b[50], 900) DISTANCE recent",
                         "SELECT b FROM ALL WHERE b.test IS NULL"};
  for (const bool index : {true, false}) {
    SessionOptions options;
    options.use_index = index;
    for (const std::string& query : queries) {
      const Names expected = FullAnswerText(query, Open(options).Execute(query));
      uint64_t asked = 0;
      for (uint64_t n = 1;; ++n) {
        Session session = Open(options);
        cancel_.CancelAt(n);
        const StatementResult result = session.Execute(query);
        const bool reached = cancel_.questions() >= n;
        cancel_.Reset();
        if (!reached) {
          EXPECT_EQ(FullAnswerText(query, result), expected);
          break;
        }
        ++asked;
        ASSERT_FALSE(result.ok()) << query << ", question " << n;
        EXPECT_EQ(result.error->code, ErrorCode::kCancelled);
        EXPECT_FALSE(result.answer.has_value());
        EXPECT_EQ(FullAnswerText(query, session.Execute(query)), expected)
            << query << " after a cancel at question " << n;
      }
      EXPECT_GT(asked, 1u) << query;
    }
  }
}

// Also where the statement is wrong: what was not looked at is not told as if it were right or wrong.
TEST_F(SessionTest, ACancelWhileAStatementIsChecked) {
  Make({Staircase(3)});
  const Names statements = {"SELECT b FROM P, Q WHERE b.titel = 1 || INTERSECT?(b, \"a c\") || INTERSECT?(b, nobody)",
                            "CALL regex(\"a | c\")", "CREATE QUERY q(x) AS SELECT b WHERE INTERSECT?(b, :x | nobody)",
                            "EXPLAIN SELECT b WHERE SUBSET?(PROJ(b, \"a, c\"), `P-000`)"};
  for (const std::string& statement : statements) {
    uint64_t asked = 0;
    for (uint64_t n = 1;; ++n) {
      Session session = Open();
      cancel_.CancelAt(n);
      const StatementResult result = session.Execute(statement);
      const bool reached = cancel_.questions() >= n;
      cancel_.Reset();
      if (!reached) break;
      ++asked;
      ASSERT_TRUE(result.error) << statement << ", question " << n;
      EXPECT_EQ(result.error->code, ErrorCode::kCancelled);
      EXPECT_FALSE(bql::HasErrors(result.diagnostics));
    }
    EXPECT_GT(asked, 3u) << statement;
  }
}

// The literal evaluator, by a session's own cancel: asked while it reads the store and while it compares.
TEST_F(SessionTest, ACancelAtEveryQuestionEndsTheLiteralEvaluator) {
  Make({Staircase(4), ReportLine("P", "late"), RunLine(500, "late", Names(3, "b"))});
  const std::string query = "SELECT x, y FROM ALL WHERE INTERSECT?(x, y, 2)";
  uint64_t asked = 0;
  for (uint64_t n = 1;; ++n) {
    std::optional<Session> session;
    uint64_t questions = 0;
    SessionOptions options;
    options.engine = EngineKind::kNaive;
    const CancelToken asked_by_all([&] {
      if (!session || ++questions != n) return false;
      session->Cancel();
      return true;
    });
    session.emplace(OpenFollowing(asked_by_all, options));
    const StatementResult result = session->Execute(query);
    if (questions < n) {
      EXPECT_TRUE(result.ok());
      break;
    }
    ++asked;
    ASSERT_FALSE(result.ok()) << "question " << n;
    EXPECT_EQ(result.error->code, ErrorCode::kCancelled);
    EXPECT_EQ(result.error->message, "the query was cancelled");
    EXPECT_TRUE(session->Execute(query).ok()) << "the next statement";
  }
  EXPECT_GT(asked, 5u + 5u * 4u) << "once a run and once a pair at least";
}

TEST_F(SessionTest, TheTimeOfTheLiteralEvaluatorIsLimitedToo) {
  Make({Staircase(4)});
  SessionOptions options;
  options.engine = EngineKind::kNaive;
  Session session = Open(options);
  EXPECT_EQ(Rows(session.Execute(kNear)).size(), 3u);
  session.options().limits.time = std::chrono::milliseconds(-1);
  EXPECT_EQ(Rows(session.Execute(kNear)), Names{"limit"});
}

// Every segment's names of bugs are asked for apart, and so are some hundred runs.
TEST_F(SessionTest, ReadingAllReportsEndsWhenNobodyWaits) {
  Names commits;
  for (uint64_t i = 0; i < 6; ++i)
    commits.push_back(ReportLine("P", fmt::format("{}", i)) + RunLine(i + 1, "0", {"a"}));
  Make(commits);
  const auto questions_of = [&](const std::string& query, uint64_t stop_at) {
    bool opened = false;
    uint64_t questions = 0;
    Session session = OpenFollowing(CancelToken([&] { return opened && ++questions == stop_at; }));
    opened = true;
    const StatementResult result = session.Execute(query);
    EXPECT_EQ(Rows(result) == Names{"cancelled"}, questions >= stop_at) << query << ", question " << stop_at;
    return questions;
  };
  // For runs each segment is opened anew and its names are read, for a field the names alone.
  for (const auto& [query, least] : {std::pair("SELECT b WHERE b.id = 1", commits.size()),
                                     std::pair("SELECT b WHERE b.title IS NULL", commits.size()),
                                     std::pair("SELECT b WHERE b.test IS NULL", 2 * commits.size() + 1)}) {
    const uint64_t all = questions_of(query, UINT64_MAX);
    EXPECT_GE(all, least) << query;
    for (uint64_t n = 1; n <= all; ++n) questions_of(query, n);
  }
}

TEST_F(SessionTest, TheLiteralEvaluatorIsCancelledToo) {
  Make({Staircase(4)});
  SessionOptions options;
  options.engine = EngineKind::kNaive;
  Session session = Open(options);
  EXPECT_EQ(Rows(session.Execute(kNear)).size(), 3u);
  cancel_.Cancel();
  EXPECT_EQ(Rows(session.Execute(kNear)), Names{"cancelled"});
  cancel_.Reset();
  EXPECT_EQ(Rows(session.Execute(kNear)).size(), 3u);
}

TEST_F(SessionTest, ACancelOfTheStatementBeforeDoesNotCount) {
  Make({Staircase(4)});
  Session session = Open();
  session.Cancel();
  EXPECT_EQ(Rows(session.Execute(kNear)).size(), 3u);
}

TEST_F(SessionTest, AnOpeningThatNobodyWaitsForEnds) {
  Make({Staircase(2), Staircase(3).substr(Staircase(2).size())});
  for (int after = 0; after < 3; ++after) {
    int asked = 0;
    const CancelToken cancel([&] { return asked++ >= after; });
    const Result<Session> session = Session::Open(store_->Open()->Share(cancel), {});
    ASSERT_FALSE(session.ok()) << after;
    EXPECT_EQ(session.error().code, ErrorCode::kCancelled);
  }
}

TEST_F(SessionTest, TimeThatIsUpEndsTheStatement) {
  Make({Staircase(4)});
  SessionOptions options;
  options.limits.time = std::chrono::hours(24);
  Session session = Open(options);
  EXPECT_EQ(Rows(session.Execute(kNear)).size(), 3u);
  session.options().limits.time = std::chrono::milliseconds(-1);
  for (const char* query : {kNear, kWhole, "EXPLAIN SELECT b WHERE b.id = 1", "SELECT b WHERE b.nothing = 1"})
    EXPECT_EQ(Rows(session.Execute(query)), Names{"limit"}) << query;
}

// --- versions ---

TEST_F(SessionTest, AStatementSeesWhatWasCommittedBeforeIt) {
  Make({Staircase(3)});
  for (const EngineKind engine : {EngineKind::kThreads, EngineKind::kNaive}) {
    SessionOptions options;
    options.engine = engine;
    Session session = Open(options);
    const size_t before = Rows(session.Execute(kNear)).size();
    ASSERT_TRUE(
        store_->Add(RunLine(700 + static_cast<uint64_t>(engine), fmt::format("new{}", static_cast<int>(engine)), {"a"}))
            .ok());
    EXPECT_EQ(Rows(session.Execute(kNear)).size(), before + 1);
  }
}

// --- what answers speak of ---

TEST_F(SessionTest, WhatABugCanBeComparedBy) {
  Make(
      {RunLine(1, "run", {"a"}) + RunLine(2, "passes", {"a"}, R"(,"outcome":"passed")") + RunLine(3, "empty", {}) +
       R"({"type":"run","id":"00000000000000000000000000000004","project":"P","bug":"stack","traces":[{"kind":"stack","events":["a"]}]})" +
       "\n" +
       R"({"type":"run","id":"00000000000000000000000000000005","project":"P","bug":"both","traces":[{"kind":"stack","events":["a"]},{"events":["a"]}]})" +
       "\n" + ReportLine("P", "untraced")});
  Session session = Open();
  const auto kinds = [](const Result<ComparableKinds>& found) {
    return std::string(found->executions ? "executions " : "") + (found->stacks ? "stacks " : "") +
           (found->any() ? "any" : "");
  };
  EXPECT_EQ(kinds(session.KindsOf(BugKey{"P", "run"})), "executions any");
  EXPECT_EQ(kinds(session.KindsOf(BugKey{"P", "stack"})), "stacks any");
  EXPECT_EQ(kinds(session.KindsOf(BugKey{"P", "both"})), "executions stacks any");
  for (const char* none : {"passes", "empty", "untraced", "unknown"})
    EXPECT_EQ(kinds(session.KindsOf(BugKey{"P", none})), "") << none;
  EXPECT_EQ(kinds(session.KindsOf(RunId{{0, 1}})), "executions any");
  EXPECT_EQ(kinds(session.KindsOf(RunId{{0, 2}})), "") << "a run that passes";
  EXPECT_EQ(kinds(session.KindsOf(RunId{{0, 4}})), "stacks any");
  EXPECT_EQ(kinds(session.KindsOf(RunId{{0, 99}})), "") << "a run that is not there";
}

// Up to a hundred reports are read one by one, more all at once: the same ones.
TEST_F(SessionTest, ReportsOfFewAndOfManyBugs) {
  Make({Staircase(110)});
  for (const bool preload : {false, true}) {
    SessionOptions options;
    options.preload = preload;
    Session session = Open(options);
    for (const size_t count : {0u, 1u, 99u, 100u, 101u, 110u}) {
      std::vector<BugKey> keys;
      for (size_t i = 0; i < count; ++i) keys.push_back({"P", fmt::format("{:03}", 109 - i)});
      keys.push_back({"P", "unknown"});
      const Result<std::vector<Bug>> reports = session.Reports(keys);
      ASSERT_TRUE(reports.ok());
      ASSERT_EQ(reports->size(), keys.size());
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ((*reports)[i].key, keys[i]);
        EXPECT_EQ((*reports)[i].title, "title of " + keys[i].id);
      }
      EXPECT_EQ(reports->back().key, keys.back());
      EXPECT_EQ(reports->back().title, "");
    }
  }
}

// The answer's columns come from the reports: of a few rows read one by one, of more all at once.
TEST_F(SessionTest, TitlesOfFewAndOfManyRows) {
  Make({Staircase(20)});
  for (const int limit : {1, 3, 4, 5, 6, 19}) {
    Session session = Open();
    const StatementResult result = session.Execute(fmt::format(
        "SELECT b, b.title, b.team FROM ALL WHERE INTERSECT?(b[50], `P-000`[50], d => any) LIMIT {}", limit));
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result.answer->rows.size(), static_cast<size_t>(limit));
    for (const AnswerRow& row : result.answer->rows) {
      EXPECT_EQ(std::get<std::string>(row.cells[1]), "title of " + row.bugs[0].id);
      EXPECT_EQ(std::get<std::string>(row.cells[2]), "x");
    }
  }
}

Names Numbered(uint64_t first, uint64_t count) {
  Names names;
  for (uint64_t i = first; i < first + count; ++i) names.push_back(fmt::format("e{}", i));
  return names;
}

// From the index as far as that goes, from the tables beyond.
TEST_F(SessionTest, TheLastEventsOfATrace) {
  Make(
      {RunLine(1, "long", Numbered(0, 400)) +
       fmt::format(
           R"({{"type":"run","id":"{:032x}","project":"P","bug":"marked","traces":[{{"mark":{{"events":300,"reason":"x"}},"events":[{}]}}]}})",
           2, Quoted(Numbered(0, 400))) +
       "\n" + RunLine(3, "short", Numbered(0, 3))});
  Session session = Open();
  const auto suffix = [&](uint64_t run, uint64_t length) {
    const Result<Names> found = session.Suffix({RunId{{0, run}}, 0, 0, TraceKind::kExecution}, length);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return *found;
  };
  for (const uint64_t length : {0u, 1u, 255u, 256u, 257u, 399u, 400u})
    EXPECT_EQ(suffix(1, length), Numbered(400 - length, length)) << length;
  EXPECT_EQ(suffix(1, 1000), Numbered(0, 400));
  for (const uint64_t length : {1u, 256u, 257u, 300u})
    EXPECT_EQ(suffix(2, length), Numbered(300 - length, length)) << length;
  EXPECT_EQ(suffix(2, 301), Numbered(0, 300)) << "what follows the failure does not count";
  EXPECT_EQ(suffix(3, 2), Numbered(1, 2));
  EXPECT_EQ(suffix(3, 50), Numbered(0, 3));
  for (const TraceId& missing :
       {TraceId{RunId{{0, 9}}, 0, 0, TraceKind::kExecution}, TraceId{RunId{{0, 1}}, 0, 1, TraceKind::kExecution},
        TraceId{RunId{{0, 1}}, 1, 0, TraceKind::kExecution}, TraceId{RunId{{0, 1}}, 0, 0, TraceKind::kStack}}) {
    const Result<Names> found = session.Suffix(missing, 5);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  }
}

TEST_F(SessionTest, NamesToComplete) {
  Make({RunLine(1, "12", {"net::Socket::read", "read", "org.x.Y.m"}) + RunLine(2, "13", {"fs/File/read"}) +
        ReportLine("Q", "1") + ReportLine("P", "untraced")});
  Session session = Open();
  EXPECT_EQ(session.ProjectNames(), (Names{"P", "Q"}));
  EXPECT_EQ(session.BugNames("", 10), (Names{"P-12", "P-13"}));
  EXPECT_EQ(session.BugNames("P-1", 1), Names{"P-12"});
  EXPECT_EQ(session.BugNames("P-1", 0), Names{});
  EXPECT_EQ(session.BugNames("P-13", 2), Names{"P-13"});
  EXPECT_EQ(session.BugNames("X", 2), Names{});
  EXPECT_EQ(session.EventNames("re", 10), Names{"read"}) << "once, though three end in it";
  EXPECT_EQ(session.EventNames("", 10), (Names{"fs/File/read", "m", "net::Socket::read", "org.x.Y.m", "read"}));
  EXPECT_EQ(session.EventNames("", 3), (Names{"fs/File/read", "m", "net::Socket::read"}));
  EXPECT_EQ(session.EventNames("net", 3), Names{"net::Socket::read"});
  const Names fields = session.FieldNames();
  EXPECT_EQ(std::count(fields.begin(), fields.end(), "title"), 1);
  EXPECT_EQ(fields.back(), "team");
}

// Any bug at hand is as it was before.
TEST_F(SessionTest, WarmingUpChangesNothing) {
  Make({Staircase(4)});
  Session session = Open();
  session.SetParameter("tbug", "P-001");
  session.SetParameter("d", "3");
  session.Warm();
  EXPECT_EQ(session.parameters(), (std::map<std::string, std::string>{{"d", "3"}, {"tbug", "P-001"}}));
  EXPECT_EQ(Rows(session.Execute("SELECT b FROM ALL WHERE INTERSECT?(b[50], tbug[50], 1)")), (Names{"000", "002"}));
  session.ClearParameter("tbug");
  session.Warm();
  EXPECT_EQ(session.parameters(), (std::map<std::string, std::string>{{"d", "3"}}));
}

// More choices of traces than are remembered, then the first again.
TEST_F(SessionTest, MoreChoicesThanAreKept) {
  Make({Staircase(3)});
  Session session = Open();
  const Names expected = Rows(session.Execute(kNear));
  for (int round = 0; round < 2; ++round) {
    for (int thread = 0; thread < 12; ++thread) {
      const StatementResult other = session.Execute(fmt::format(
          "SELECT b FROM ALL WHERE INTERSECT?(PROJ(b[50], thread:{0}), PROJ(`P-000`[50], thread:{0}), d => any)",
          thread));
      EXPECT_EQ(Rows(other), thread == 0 ? expected : Names{}) << thread;
    }
    EXPECT_EQ(Rows(session.Execute(kNear)), expected);
  }
}

// --- the suffix query that looks further ---

// A bug near by so many edits of its twenty events.
TEST_F(SessionTest, TheSuffixQueryLooksFurtherWhenItFindsNothing) {
  Names events(20, "same");
  std::string text = RunLine(1, "asked", events);
  for (int i = 0; i < 13; ++i) events[static_cast<size_t>(i)] = "other";
  text += RunLine(2, "far", events);
  Make({text});
  Session session = Open();
  const auto call = [&](const std::string& arguments) {
    const StatementResult result = session.Execute("CALL suffix(`P-asked`" + arguments + ")");
    EXPECT_TRUE(result.ok());
    Names lines = Rows(result);
    for (const std::string& note : result.answer->notes) lines.push_back(note);
    return lines;
  };
  EXPECT_EQ(call(", d => 13"), Names{"far"});
  EXPECT_EQ(call(", d => 12"), (Names{"far", "nothing within 12 edits: widened to 24"}));
  EXPECT_EQ(call(""), (Names{"far", "nothing within 10 edits: widened to 20"}));
  EXPECT_EQ(call(", d => 3"), (Names{"far", "nothing within 3 edits: widened to 24"}));
  EXPECT_EQ(call(", d => 0"), (Names{"far", "nothing within 0 edits: widened to 16"}));
  EXPECT_EQ(call(", len => 14, d => 2"), (Names{"far", "nothing within 2 edits: widened to 8"}))
      << "of the last 14 events 7 differ";
  EXPECT_EQ(call(", len => 8, d => 0"), (Names{"far", "nothing within 0 edits: widened to 2"}));
  EXPECT_EQ(call(", len => 7, d => 0"), Names{"far"});
  // Never further than the suffix is long, where everything is near.
  EXPECT_EQ(call(", len => 20, d => 12"), (Names{"far", "nothing within 12 edits: widened to 20"}));
}

}  // namespace
}  // namespace oscope
