// A session: takes BQL statements and returns answers. A shell has one, and so has a command that asks one query.
//
// It keeps the parameters and the store's saved queries, and between statements what the engine has loaded of the
// store, so that later queries are fast. A statement reads exactly one version of the store, which it pins before it is
// checked: its names, fields, rows, reports and saved queries all come from that version, whatever is committed while
// it runs. The next statement sees what was committed meanwhile.
// Threads: one at a time, except that Cancel() may be called from any thread. It ends the running statement within
//          100 ms, also while the statement is still being checked. So do the token of the store that the session was
//          opened with (Store::cancel), and the end of QueryLimits::time, which begins with the statement. Sessions on
//          shares of one store may run side by side; to cancel one leaves the others running.
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
  uint64_t rows = 1'000'000;  // of an answer; a query with more fails with kLimit
  uint64_t memory_bytes = 4ull << 30;
  std::optional<std::chrono::milliseconds> time;
};

struct QueryProgress {
  uint64_t done = 0, total = 0;  // traces
  uint64_t rows = 0;             // found so far
};

struct SessionOptions {
  EngineKind engine = EngineKind::kThreads;
  unsigned threads = 0;   // 0: one for each core
  bool use_index = true;  // false: read tails from Parquet, for tests and measurements
  QueryLimits limits;
  bool skip_damaged = false;
  std::string default_project;            // of a bug's id that several projects have
  bool preload = false;                   // load all bugs when the session opens, not when a query needs them
  std::optional<uint64_t> default_limit;  // the LIMIT of a query that has none: for a caller that shows few rows
  UserMetrics user_metrics;
  // Called with the job of a SELECT or CALL after it has been checked and before it runs, on the calling thread. The
  // job can be run again later with Session::Run, also by another session.
  std::function<void(const Job&)> on_job;
  bql::SyntaxLimits syntax_limits;
  bql::PatternLimits pattern_limits;
  // Called about ten times a second while a statement runs, from a thread of the session's own.
  std::function<void(const QueryProgress&)> on_progress;
  // Called at most ten times a second, from the same thread as on_progress, with the best rows found so far. Rows of
  // the last call need not be part of the answer.
  std::function<void(const std::vector<AnswerRow>&)> on_partial;
};

struct ListedQuery {
  std::string name;
  std::vector<std::string> parameters;  // "bug", "len = 50", …
  std::string text;                     // the SELECT
  bool shipped = false;
};

// The result of a statement. Without an error exactly one of `answer`, `text` and `queries` is set.
struct StatementResult {
  std::vector<bql::Diagnostic> diagnostics;         // located in the statement; warnings too
  std::optional<Error> error;                       // kInvalid: see `diagnostics`; kLimit, kCancelled, kCorrupt, …
  std::optional<Answer> answer;                     // SELECT, CALL
  std::optional<std::string> text;                  // EXPLAIN, CREATE QUERY, DROP QUERY: what to print
  std::optional<std::vector<ListedQuery>> queries;  // SHOW QUERIES
  bool ok() const { return !error; }
};

// Which kinds of traces the failing runs of a bug, or one run, have.
struct ComparableKinds {
  bool executions = false;
  bool stacks = false;
  bool any() const { return executions || stacks; }
};

class Session {
 public:
  // Opens the newest version of the store. Fails as Store::Read does, and with kCancelled when the store's token says
  // so.
  static Result<Session> Open(Store store, SessionOptions options);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // Executes one statement, with or without its `;`. Every error is part of the result.
  StatementResult Execute(std::string_view statement);

  // Runs a job on the version of the store that it names, even if a newer one exists. Fails with kNotFound when that
  // version has been removed, and as queries do: kLimit, kCancelled, kCorrupt, kIo.
  Result<Answer> Run(const Job& job);

  // Sets `:name` for later statements. The value is a bug's id, a run as "run/1f2e3d…", a pattern, a number or a text;
  // which one, is decided by the place where a statement uses it.
  void SetParameter(const std::string& name, const std::string& value);
  void ClearParameter(const std::string& name);
  const std::map<std::string, std::string>& parameters() const;

  SessionOptions& options();
  void Cancel();

  // Opens the newest version, as every statement does first.
  Status Refresh();
  // Loads what the first search of suffixes or of stacks would have to load, so that it need not wait. Errors are
  // ignored: the search itself will return them.
  void Warm();

  // --- the bugs, runs and traces of an answer, in the version that the last statement read ---
  Result<ComparableKinds> KindsOf(const BugKey& bug);
  Result<ComparableKinds> KindsOf(RunId run);
  // Returns the reports of these bugs, in the same order. A report that is missing or lies in a damaged segment has its
  // key and nothing else.
  Result<std::vector<Bug>> Reports(std::span<const BugKey> bugs);
  // Returns the last `length` events of a trace up to its failure, as names. Fails with kNotFound when there is no such
  // trace.
  Result<std::vector<std::string>> Suffix(const TraceId& trace, uint64_t length);

  // Names that begin with `prefix`, for the completion of input: sorted, at most `max`.
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
