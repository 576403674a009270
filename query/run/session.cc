// A session connects a statement with the store and an engine. For each statement: open the newest version, or keep
// the one at hand; compile the text against its names; run the job; widen what found nothing.
//
// The hard part is which version a statement sees. The corpus at hand is pinned, so all names, fields and rows of a
// statement come from one version even while others commit. Between statements the newest version number is asked for,
// which is cheap; only when it has changed is the corpus reopened, and when the new version only has more segments,
// only these are read (Corpus::Reopen). A job names its version and may be run again later, also by another session;
// so OpenVersion serves old versions too.
//
// How much of the store must be known depends on the statement: bugs with traces are enough for a search, all bugs are
// needed for fields, runs for tests and signals. The plan says which (reports_first, runs_first), and the corpus is
// extended, never opened with everything in advance. `preload` is for users who would rather wait once.
//
// Cancelling works by questions. Everything that takes long is given a function to ask (Ask), which looks at the
// session's own flag, the token of the store, and the deadline. No thread is ever killed.
#include "query/run/session.h"

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/utf8.h"
#include "bql/check/check.h"
#include "bql/check/fields.h"
#include "bql/syntax/scan.h"
#include "query/naive/naive_engine.h"
#include "query/operators/query_context.h"
#include "query/plan/job.h"
#include "query/plan/query_plan.h"
#include "query/rules/optimise_plan.h"
#include "query/run/corpus_catalog.h"
#include "query/run/saved_queries.h"
#include "query/run/thread_engine.h"
#include "query/run/widening.h"
#include "query/semantics/ranked_rows.h"

namespace oscope {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t NanosecondsSince(Clock::time_point start) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

// Tells how far a query is and what it has found, ten times a second, for as long as it lives.
class ProgressTicker {
 public:
  ProgressTicker(const SessionOptions& options, const Corpus& corpus, QueryContext& context) {
    if (!options.on_progress && !options.on_partial) return;
    if (options.on_partial) context.partial.Watch();
    thread_ = std::thread([this, &options, &corpus, &context] {
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, std::chrono::milliseconds(100), [&] { return end_; }))
        Tell(options, corpus, context);
    });
  }
  ~ProgressTicker() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  static void Tell(const SessionOptions& options, const Corpus& corpus, QueryContext& context) {
    std::vector<AnswerRow> rows;
    for (const BugMatch& match : context.partial.Nearest()) {
      rows.push_back({.bugs = {corpus.key(match.bug)}, .distance = match.distance, .pair = {}, .cells = {}});
    }
    if (options.on_progress) {
      options.on_progress(
          {.done = std::min<uint64_t>(context.done, context.total), .total = context.total, .rows = rows.size()});
    }
    if (options.on_partial) options.on_partial(rows);
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

// What the work was, in words: the second half of EXPLAIN ANALYZE.
std::string PrintStats(const Answer& answer) {
  const QueryStats& stats = answer.stats;
  return fmt::format(
      "{} rows in {:.3f} ms (parse and check {:.3f} ms, plan {:.3f} ms)\n"
      "  {} traces; removed by sketch {}, by postings {}, by length {}; compared {}\n",
      answer.rows.size(), static_cast<double>(stats.run_ns) / 1e6, static_cast<double>(stats.check_ns) / 1e6,
      static_cast<double>(stats.plan_ns) / 1e6, stats.traces, stats.by_sketch, stats.by_postings, stats.by_length,
      stats.verified);
}

ListedQuery Listed(const bql::SavedQuery& query) {
  ListedQuery shown{.name = query.name, .parameters = {}, .text = query.text, .shipped = query.shipped};
  for (const bql::SavedQueryParameter& parameter : query.parameters)
    shown.parameters.push_back(bql::ParameterText(parameter));
  return shown;
}

ComparableKinds KindsAmong(const Corpus& corpus, std::span<const TraceRef> traces) {
  ComparableKinds kinds;
  for (const TraceRef trace : traces) {
    const TailRow& row = corpus.row(trace);
    if (!IsFailing(row.outcome) || row.event_count == 0) continue;
    (row.kind == TraceKind::kExecution ? kinds.executions : kinds.stacks) = true;
  }
  return kinds;
}

StatementResult Failed(Error error) {
  StatementResult result;
  result.error = std::move(error);
  return result;
}

std::vector<ListedQuery> ListQueries(const StoreSettings& settings) {
  std::vector<ListedQuery> queries;
  for (const bql::SavedQuery& query : ReadSavedQueries(settings)) queries.push_back(Listed(query));
  for (const bql::SavedQuery& query : bql::ShippedQueries()) queries.push_back(Listed(query));
  return queries;
}

// Whether a statement may name saved queries: to read a store's thousands takes longer than a search.
bool MayNameSavedQueries(std::string_view statement) {
  bql::TokenScanner scanner(statement);
  const auto is = [&](const bql::Token& token, std::string_view word) {
    return bql::EqualsIgnoringCase(token.In(statement), word);
  };
  bql::Token first = scanner.Next();
  while (is(first, "EXPLAIN") || is(first, "ANALYZE")) first = scanner.Next();
  return !is(first, "SELECT");
}

}  // namespace

struct Session::State {
  State(const Store& opened, SessionOptions asked)
      : cancel(opened.cancel()), store(opened.Share(cancel.token())), options(std::move(asked)) {}

  CancelSource cancel;  // by Session::Cancel, and with the store that was given
  Store store;          // asks it
  SessionOptions options;
  std::map<std::string, std::string> parameters = {};
  std::optional<QueryDeadline> deadline = {};  // of the statement that runs
  std::shared_ptr<Corpus> corpus = {};         // of the version that was read last, which its snapshot pins
  std::optional<NaiveEngine> naive = {};
  uint64_t naive_version = 0;
  std::vector<bql::SavedQuery> saved_queries = {};
  uint64_t saved_queries_version = 0;

  // Whether work should go on.
  Status Ask() const { return deadline ? deadline->Check() : cancel.token().Check(); }

  void BeginStatement() {
    cancel.Reset();
    deadline.emplace(options.limits.time, cancel.token());
  }

  // Wherever it was when Session::Cancel came.
  Error EndedBy(Error error) const {
    if (error.code == ErrorCode::kCancelled && cancel.requested()) error.message = "the query was cancelled";
    return error;
  }

  // The user's metrics, whose programs end with the statement.
  UserMetrics MetricsOfStatement() const {
    UserMetrics metrics = options.user_metrics;
    metrics.cancel = cancel.token();
    return metrics;
  }

  // The newest version of the store. Kept while it is the newest.
  Status OpenNewest() {
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t version, store.NewestVersion());
    if (corpus != nullptr && corpus->snapshot().version() == version) return OpenVersion(version, {});
    OSCOPE_ASSIGN_OR_RETURN(Snapshot snapshot, store.Read());
    return Take(std::move(snapshot), {});
  }

  // This version of the store, with at least the reports that are asked for. The one at hand is read on from the
  // snapshot that it has, whatever is the newest by now.
  Status OpenVersion(uint64_t version, Corpus::Options wanted) {
    wanted.all_bugs |= options.preload || wanted.runs;
    if (corpus->snapshot().version() != version) {
      OSCOPE_ASSIGN_OR_RETURN(Snapshot snapshot, store.ReadVersion(version));
      return Take(std::move(snapshot), wanted);
    }
    if ((corpus->knows_all_bugs() || !wanted.all_bugs) && (corpus->has_runs() || !wanted.runs)) return {};
    return Take(corpus->shared_snapshot(), wanted);
  }

  Status Take(Snapshot snapshot, Corpus::Options wanted) {
    if (options.skip_damaged) snapshot.SkipDamaged(true);
    return Take(std::make_shared<const Snapshot>(std::move(snapshot)), std::move(wanted));
  }

  Status Take(std::shared_ptr<const Snapshot> snapshot, Corpus::Options wanted) {
    wanted.all_bugs |= options.preload;
    wanted.ask = [this] { return Ask(); };
    OSCOPE_ASSIGN_OR_RETURN(corpus, Corpus::Reopen(corpus, std::move(snapshot), wanted));
    return {};
  }

  CorpusCatalog MakeCatalog() const {
    std::vector<std::string> metrics;
    for (const UserMetricConfig& metric : options.user_metrics.metrics) metrics.push_back(metric.name);
    return CorpusCatalog(corpus, options.default_project, std::move(metrics));
  }

  const std::vector<bql::SavedQuery>& SavedQueries() {
    const uint64_t version = corpus->snapshot().version();
    if (saved_queries_version != version) saved_queries = ReadSavedQueries(corpus->snapshot().manifest().settings);
    saved_queries_version = version;
    return saved_queries;
  }

  bql::CheckContext MakeCheckContext(std::string_view statement) {
    bql::CheckContext context;
    for (const auto& [name, value] : parameters) context.parameters.emplace(name, bql::ParameterValue(value));
    if (MayNameSavedQueries(statement)) context.saved_queries = SavedQueries();
    context.ask = [this] { return Ask(); };
    context.syntax_limits = options.syntax_limits;
    context.pattern_limits = options.pattern_limits;
    return context;
  }

  StatementResult Execute(std::string_view statement);
  Result<Answer> RunSelect(bql::Select select);
  Result<Answer> RunJob(const Job& job);
  Result<Answer> RunNaive(const Job& job);
  Result<Answer> RunThreads(const Job& job);
  Result<Answer> WidenCall(const bql::BoundCall& call, const CorpusCatalog& catalog, const bql::CheckContext& context,
                           Answer answer);
};

Result<Answer> Session::State::RunNaive(const Job& job) {
  OSCOPE_RETURN_IF_ERROR(OpenVersion(job.manifest_version, {}));
  const NaiveEngine::Ask ask = [this] { return Ask(); };
  if (!naive || naive_version != job.manifest_version) {
    OSCOPE_ASSIGN_OR_RETURN(naive, NaiveEngine::Load(corpus->snapshot(), ask));
    naive_version = job.manifest_version;
  }
  OSCOPE_ASSIGN_OR_RETURN(Answer answer, naive->Run(job.select, MetricsOfStatement(), ask));
  answer.damaged = corpus->snapshot().damaged();
  if (answer.rows.size() > job.max_rows) {
    return Limit("the answer has more than {} rows: add a LIMIT or narrow the condition, or raise --max-rows",
                 job.max_rows);
  }
  return answer;
}

Result<Answer> Session::State::RunThreads(const Job& job) {
  const auto start = Clock::now();
  const QueryPlan plan = OptimisePlan(MakePlan(job.select), job.use_index);
  const uint64_t plan_ns = NanosecondsSince(start);
  OSCOPE_RETURN_IF_ERROR(
      OpenVersion(job.manifest_version, {.all_bugs = plan.reports_first, .runs = plan.runs_first, .ask = {}}));
  const std::shared_ptr<const Corpus> read = corpus;
  QueryContext context(job.max_memory_bytes, *deadline);
  const ProgressTicker ticker(options, *read, context);
  const unsigned threads = options.threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : options.threads;
  tbb::task_arena arena(static_cast<int>(threads));
  const UserMetrics metrics = MetricsOfStatement();
  Result<Answer> answer =
      arena.execute([&] { return RunByThreads(*read, plan, metrics, {.rows = job.max_rows}, context); });
  if (answer.ok()) answer->stats.plan_ns = plan_ns;
  return answer;
}

Result<Answer> Session::State::RunSelect(bql::Select select) {
  if (!select.limit && !CountsOnly(select)) select.limit = options.default_limit;
  const Job job{.manifest_version = corpus->snapshot().version(),
                .select = std::move(select),
                .use_index = options.use_index,
                .max_rows = options.limits.rows,
                .max_memory_bytes = options.limits.memory_bytes};
  if (options.on_job) options.on_job(job);
  return RunJob(job);
}

Result<Answer> Session::State::RunJob(const Job& job) {
  const auto start = Clock::now();
  Result<Answer> answer = options.engine == EngineKind::kNaive ? RunNaive(job) : RunThreads(job);
  if (answer.ok()) answer->stats.run_ns = NanosecondsSince(start);
  return answer;
}

// When the suffix query finds nothing it is asked again for more edits, in steps up to the suffix's length.
Result<Answer> Session::State::WidenCall(const bql::BoundCall& call, const CorpusCatalog& catalog,
                                         const bql::CheckContext& context, Answer answer) {
  const auto distance = call.values.find("d"), length = call.values.find("len");
  if (!call.query.shipped || call.query.name != "suffix" || distance == call.values.end() ||
      length == call.values.end())
    return answer;
  const uint64_t asked = std::strtoull(distance->second.text.c_str(), nullptr, 10);
  const uint64_t most = std::strtoull(length->second.text.c_str(), nullptr, 10);
  bql::Parameters values = call.values;
  const auto ask = [&](const WideningStep& step, Answer found) -> Result<Answer> {
    values.insert_or_assign("d", bql::ParameterValue(std::to_string(step.distance)));
    std::vector<bql::Diagnostic> diagnostics;
    const std::optional<bql::Select> select = bql::CheckSavedQuery(call.query, values, catalog, context, diagnostics);
    OSCOPE_RETURN_IF_ERROR(Ask());
    if (!select) return found;
    OSCOPE_ASSIGN_OR_RETURN(Answer wider, RunSelect(*select));
    wider.notes = {step.note};
    return wider;
  };
  const auto has_rows = [](const Answer& found) { return !found.rows.empty(); };
  return Widen(std::move(answer), WiderEdits(asked, most), has_rows, ask);
}

namespace {

void LogExecuted(std::string_view statement, const StatementResult& result) {
  const auto milliseconds = [](uint64_t ns) { return static_cast<double>(ns) / 1e6; };
  constexpr size_t kShown = 1000;
  const std::string_view shown = statement.substr(0, Utf8Cut(statement, kShown));
  if (result.answer) {
    const QueryStats& stats = result.answer->stats;
    LogDebug("query: parsed and checked in {:.3f} ms, planned in {:.3f} ms, run in {:.3f} ms, {} rows of {} traces: {}",
             milliseconds(stats.check_ns), milliseconds(stats.plan_ns), milliseconds(stats.run_ns),
             result.answer->rows.size(), stats.traces, shown);
  } else if (result.error) {
    LogDebug("query: failed: {}: {}", result.error->message, shown);
  } else {
    LogDebug("query: done: {}", shown);
  }
}

}  // namespace

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::Open(Store store, SessionOptions options) {
  const auto start = Clock::now();
  auto state = std::make_unique<State>(store, std::move(options));
  OSCOPE_RETURN_IF_ERROR(state->OpenNewest());
  LogInfo("session: opened on version {} of store {}, {} bugs with traces, {} ms", state->corpus->snapshot().version(),
          state->store.path(), state->corpus->bugs(), NanosecondsSince(start) / 1'000'000);
  return Session(std::move(state));
}

StatementResult Session::Execute(std::string_view statement) {
  state_->BeginStatement();
  StatementResult result = state_->Execute(statement);
  state_->deadline.reset();
  if (result.error) result.error = state_->EndedBy(*std::move(result.error));
  LogExecuted(statement, result);
  return result;
}

Result<Answer> Session::Run(const Job& job) {
  state_->BeginStatement();
  Result<Answer> answer = state_->RunJob(job);
  state_->deadline.reset();
  if (!answer.ok()) return state_->EndedBy(std::move(answer).error());
  return answer;
}

// The version that is opened first is that of all that follows.
StatementResult Session::State::Execute(std::string_view statement) {
  if (Status opened = OpenNewest(); !opened.ok()) return Failed(std::move(opened).error());
  const auto start = Clock::now();
  const CorpusCatalog catalog = MakeCatalog();
  const bql::CheckContext context = MakeCheckContext(statement);
  const bql::CheckedStatement checked = bql::Compile(statement, catalog, context);
  const uint64_t check_ns = NanosecondsSince(start);
  if (checked.stopped) return Failed(*checked.stopped);
  // A look-up that was stopped looks to the check like a name that is not there.
  if (Status asked = Ask(); !asked.ok()) return Failed(std::move(asked).error());

  StatementResult result;
  result.diagnostics = checked.diagnostics;
  if (!checked.ok()) {
    result.error = Invalid("the query has errors");
    return result;
  }
  const auto finish = [&](const Status& status, std::string text) {
    if (status.ok()) {
      result.text = std::move(text);
    } else {
      result.error = status.error();
    }
    return result;
  };
  using Kind = bql::ast::Statement::Kind;
  switch (checked.kind) {
    case Kind::kCreateQuery:
      return finish(SaveQuery(store, *checked.definition),
                    fmt::format("query {} saved\n", bql::Signature(*checked.definition)));
    case Kind::kDropQuery:
      return finish(DropQuery(store, checked.name), fmt::format("query {} dropped\n", checked.name));
    case Kind::kShowQueries: result.queries = ListQueries(corpus->snapshot().manifest().settings); return result;
    case Kind::kSelect:
    case Kind::kCall: break;
  }
  const auto explain = [&] { return PrintPlan(OptimisePlan(MakePlan(*checked.select), options.use_index)); };
  if (checked.explain && !checked.analyze) return finish({}, explain());
  Result<Answer> answer = RunSelect(*checked.select);
  if (answer.ok() && checked.call) answer = WidenCall(*checked.call, catalog, context, *std::move(answer));
  if (!answer.ok()) {
    result.error = std::move(answer).error();
    return result;
  }
  answer->stats.check_ns = check_ns;
  if (checked.analyze) return finish({}, explain() + PrintStats(*answer));
  result.answer = *std::move(answer);
  return result;
}

void Session::SetParameter(const std::string& name, const std::string& value) { state_->parameters[name] = value; }
void Session::ClearParameter(const std::string& name) { state_->parameters.erase(name); }
const std::map<std::string, std::string>& Session::parameters() const { return state_->parameters; }
SessionOptions& Session::options() { return state_->options; }
void Session::Cancel() { state_->cancel.Cancel(); }

Result<ComparableKinds> Session::KindsOf(const BugKey& bug) {
  const std::optional<uint32_t> known = state_->corpus->Find(bug);
  return known ? KindsAmong(*state_->corpus, state_->corpus->TracesOf(*known)) : ComparableKinds{};
}

Result<ComparableKinds> Session::KindsOf(RunId run) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceRef> traces, state_->corpus->TracesOfRun(run));
  return KindsAmong(*state_->corpus, traces);
}

Result<std::vector<Bug>> Session::Reports(std::span<const BugKey> bugs) {
  const Corpus& corpus = *state_->corpus;
  // Many are read faster all at once.
  constexpr size_t kFew = 100;
  std::vector<Bug> all;  // by key
  if (bugs.size() > kFew) {
    OSCOPE_ASSIGN_OR_RETURN(all, corpus.snapshot().Bugs());
  }
  std::vector<Bug> reports;
  for (const BugKey& key : bugs) {
    // A damaged segment may have held the report.
    Bug& report = reports.emplace_back();
    report.key = key;
    if (!all.empty()) {
      const auto at = std::lower_bound(all.begin(), all.end(), key,
                                       [](const Bug& bug, const BugKey& wanted) { return bug.key < wanted; });
      if (at != all.end() && at->key == key) report = *at;
    } else if (const std::optional<uint32_t> number = corpus.Find(key)) {
      OSCOPE_ASSIGN_OR_RETURN(BugRecord record, corpus.ReadRecord(*number));
      report = std::move(record.bug);
    }
  }
  return reports;
}

Result<std::vector<std::string>> Session::Suffix(const TraceId& trace, uint64_t length) {
  const Corpus& corpus = *state_->corpus;
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceRef> traces, corpus.TracesOfRun(trace.run));
  const auto found =
      std::find_if(traces.begin(), traces.end(), [&](TraceRef one) { return corpus.IdOf(one) == trace; });
  if (found == traces.end()) return NotFound("trace {}: is not in this store", ToString(trace));
  const TailRow& row = corpus.row(*found);
  const uint64_t count = std::min(length, row.marked_count);
  std::vector<std::string> names;
  names.reserve(count);
  if (count <= row.tail_length) {
    const TailTable& tails = corpus.segments()[found->segment].search->tails();
    std::vector<uint32_t> events;
    tails.AppendTail(found->row, count, events);
    for (const uint32_t event : events) names.emplace_back(tails.name(event));
    return names;
  }
  SymbolTable symbols;
  OSCOPE_ASSIGN_OR_RETURN(const Trace read,
                          corpus.snapshot().ReadTrace(trace, symbols, row.marked_count - count, count));
  for (const SymbolId event : read.events) names.push_back(symbols.name(event));
  return names;
}

Status Session::Refresh() {
  state_->cancel.Reset();
  return state_->OpenNewest();
}

void Session::Warm() {
  const Corpus& corpus = *state_->corpus;
  if (options().engine == EngineKind::kNaive || corpus.bugs() == 0 || !state_->Ask().ok()) return;
  corpus.WordsOfStacks();
  corpus.methods();
  // Any bug will do: what is worked out and read on the way is kept.
  const auto before = state_->parameters;
  SetParameter(std::string(bql::kBugAtHand), ToString(corpus.key(corpus.bugs() / 2)));
  Execute("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[50], b.failing[50], 10) LIMIT 10");
  state_->parameters = before;
}

std::vector<std::string> Session::ProjectNames() { return state_->MakeCatalog().Projects(); }

std::vector<std::string> Session::BugNames(std::string_view prefix, size_t max) {
  std::vector<std::string> names;
  for (uint32_t bug = 0; bug < state_->corpus->bugs() && names.size() < max; ++bug) {
    std::string name = ToString(state_->corpus->key(bug));
    if (name.starts_with(prefix)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> Session::EventNames(std::string_view prefix, size_t max) {
  std::vector<std::string> found;
  for (const std::string_view name : state_->corpus->names().views()) {
    // A name is known by any of its last parts.
    const std::string_view last = name.substr(name.find_last_of(".:/ ") + 1);
    if (name.starts_with(prefix)) found.emplace_back(name);
    if (last != name && last.starts_with(prefix)) found.emplace_back(last);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > max) found.resize(max);
  return found;
}

std::vector<std::string> Session::FieldNames() {
  std::vector<std::string> names = bql::BuiltInFields();
  for (std::string& custom : state_->MakeCatalog().CustomFields()) names.push_back(std::move(custom));
  return names;
}

std::vector<ListedQuery> Session::ListedQueries() {
  const Result<StoreSettings> settings = state_->store.Settings();
  return ListQueries(settings.ok() ? *settings : StoreSettings{});
}

}  // namespace oscope
