// A session: BQL statements in, answers out. What a shell, a one-shot command and a server connection each hold one of.
//
// Keeps the parameters, the store's saved queries and, between statements, the engine's memory of the store (so that
// the second query is hot). A statement reads one version of the store, which it pins before it is checked: its names,
// fields, rows, reports and saved queries are all of that one, whatever is committed while it runs. The next one sees
// what was committed meanwhile.
// Threads: one at a time; Cancel() from any thread ends the running statement within 100 ms, also while it is checked. So
// does the wish to stop of the store that it was opened with (Store::cancel), and the end of QueryLimits::time, which
// counts from the statement's beginning. Sessions on shares of one store may run side by side; the cancel of one is not
// heard by the others.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "bql/diagnostic.h"
#include "bql/pattern/pattern.h"
#include "bql/syntax/parse.h"
#include "index/store/store.h"
#include "query/plan/job.h"
#include "query/semantics/answer.h"
#include "query/semantics/make_metric.h"

namespace oscope {

enum class EngineKind : uint8_t { kThreads, kNaive };

struct QueryLimits {
  uint64_t rows = 1'000'000;  // of an answer
  uint64_t memory_bytes = 4ull << 30;
  std::optional<std::chrono::milliseconds> time;
};

struct QueryProgress {
  uint64_t done = 0, total = 0;  // traces
  uint64_t rows = 0;             // found so far
};

struct SessionOptions {
  EngineKind engine = EngineKind::kThreads;
  unsigned threads = 0;   // 0: one a core
  bool use_index = true;  // off: read tails from Parquet, for tests and measurements
  QueryLimits limits;
  bool skip_damaged = false;
  std::string default_project;            // where an id is in several
  bool preload = false;                   // know all bugs at once, so that no later query waits for some
  std::optional<uint64_t> default_limit;  // the LIMIT of a query that has none, for who shows the first rows only
  UserMetrics user_metrics;
  // Called with the job of a SELECT or CALL when it has been checked, before it runs. The job can be run again later
  // (Session::Run), also by another session.
  std::function<void(const Job&)> on_job;
  bql::SyntaxLimits syntax_limits;
  bql::PatternLimits pattern_limits;
  // Called about ten times a second while a statement runs, from a thread of the session's own.
  std::function<void(const QueryProgress&)> on_progress;
  // The rows known so far, ranked; called at most ten times a second, from the same thread. The last call's rows need
  // not be in the answer.
  std::function<void(const std::vector<AnswerRow>&)> on_partial;
};

struct ListedQuery {
  std::string name;
  std::vector<std::string> parameters;  // "bug", "len = 50", …
  std::string text;                     // the SELECT
  bool shipped = false;
};

// What a statement gave. Exactly one of answer, text, queries is there when there is no error.
struct StatementResult {
  std::vector<bql::Diagnostic> diagnostics;  // located in the statement; warnings too
  std::optional<Error> error;                // kInvalid when diagnostics say it all; kLimit, kCancelled, kCorrupt, …
  std::optional<Answer> answer;              // SELECT, CALL
  std::optional<std::string> text;           // EXPLAIN, CREATE QUERY, DROP QUERY: what to print
  std::optional<std::vector<ListedQuery>> queries;  // SHOW QUERIES
  bool ok() const { return !error; }
};

// What the failing runs of a bug, or one run, can be compared by.
struct ComparableKinds {
  bool executions = false;
  bool stacks = false;
  bool any() const { return executions || stacks; }
};

class Session {
 public:
  static Result<Session> Open(Store store, SessionOptions options);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // One statement, with or without its `;`.
  StatementResult Execute(std::string_view statement);

  // Runs a job on its own version of the store, whichever is the newest. kNotFound when that version is gone.
  Result<Answer> Run(const Job& job);

  // `:name` in later statements. A parameter's value is a bug's id, a run as "run/1f2e3d…", a pattern's text, a number
  // or a text, as its place asks.
  void SetParameter(const std::string& name, const std::string& value);
  void ClearParameter(const std::string& name);
  const std::map<std::string, std::string>& parameters() const;

  SessionOptions& options();
  void Cancel();

  // Reads the newest version, as every statement does first.
  Status Refresh();
  // Does now what the first search of suffixes or of stacks would have to do before it searches.
  void Warm();

  // --- what answers speak of, in the version that was read last ---
  Result<ComparableKinds> KindsOf(const BugKey& bug);
  Result<ComparableKinds> KindsOf(RunId run);
  // The reports of the bugs of an answer, in the same order.
  Result<std::vector<Bug>> Reports(std::span<const BugKey> bugs);
  // The last `length` events of a trace up to its failure, as names. kNotFound when there is no such trace.
  Result<std::vector<std::string>> Suffix(const TraceId& trace, uint64_t length);

  // For completion: what could stand at a place. Sorted; at most `max`.
  std::vector<std::string> ProjectNames();
  std::vector<std::string> BugNames(std::string_view prefix, size_t max);  // "Rhino-217951"
  std::vector<std::string> EventNames(std::string_view prefix, size_t max);
  std::vector<std::string> FieldNames();
  std::vector<ListedQuery> ListedQueries();

 private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace oscope
