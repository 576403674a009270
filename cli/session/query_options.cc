// The options that `oscope query` and `oscope shell` share, and how they become options of a session.
#include "cli/session/query_options.h"

#include <unistd.h>

#include "base/quantity.h"
#include "base/timestamp.h"
#include "bql/check/parameters.h"
#include "cli/context/resolve.h"
#include "cli/options/options.h"
#include "cli/session/user_metrics.h"

namespace oscope::cli {
namespace {

constexpr uint64_t kMostNesting = 1000;  // the parser recurses, and its stack is finite

}  // namespace

void QueryOptions::Register(Options& options) {
  options.Add("--mode", mode_, "table (default), csv, json, jsonlines, markdown or vertical").Value("MODE");
  options.Add("--output", output_, "Write answers to FILE").Value("FILE");
  options.Add("--bug", bug_, "The bug that 'tbug' stands for").Value("ID");
  options.Add("--run", run_, "The run that 'tbug' stands for, as a bug that has no other run")
      .Value("RUN")
      .Excludes("--bug");
  options.Add("--param", parameters_, "Set the value of ':name'; may be given several times")
      .Value("NAME=VALUE")
      .Repeatable();
  options.AddFlag("--timer", timer_, "Print how long each statement took, and what its filters removed");
  options.Add("--engine", engine_, "threads (default), or naive: a slow and simple one, to compare with")
      .Value("NAME")
      .OneOf({"threads", "naive"});
  options.Add("--threads", threads_, "Use N threads (default: one for each core)").Value("N").Between(1u, 1024u);
  options.AddFlag("--no-index", no_index_, "Read the traces themselves, not their index");
  options.Add("--max-rows", max_rows_, "Return at most N rows (default 1000000)").Value("N");
  options.Add("--max-memory", max_memory_, "Use at most SIZE of memory (default 4G)").Value("SIZE");
  options.Add("--max-time", max_time_, "Stop after TIME, such as 30s or 5m (default: no limit)").Value("TIME");
  options.Add("--max-query-bytes", max_query_bytes_, "Allow at most N bytes in a statement (default 262144)")
      .Value("N");
  options.Add("--max-nesting", max_nesting_, "Allow at most N nested brackets (default 200)")
      .Value("N")
      .Between(uint64_t{1}, kMostNesting);
  options.Add("--max-pattern-bytes", max_pattern_bytes_, "Allow at most N bytes in a pattern (default 16384)")
      .Value("N");
  options.Add("--max-pattern-states", max_pattern_states_, "Allow at most N states in a pattern (default 4096)")
      .Value("N");
}

Result<OutputMode> QueryOptions::Mode(const Context& context) const {
  if (!mode_.empty()) return ParseOutputMode(mode_);
  return context.json() ? OutputMode::kJson : OutputMode::kTable;
}

Result<SessionOptions> QueryOptions::MakeSessionOptions(const Context& context) const {
  SessionOptions options;
  options.engine = engine_ == "naive" ? EngineKind::kNaive : EngineKind::kThreads;
  options.threads = threads_;
  options.use_index = !no_index_;
  options.skip_damaged = context.options.partial;
  if (max_rows_) options.limits.rows = *max_rows_;
  if (max_query_bytes_) options.syntax_limits.bytes = *max_query_bytes_;
  if (max_nesting_) options.syntax_limits.nesting = options.pattern_limits.depth = *max_nesting_;
  if (max_pattern_bytes_) options.pattern_limits.bytes = *max_pattern_bytes_;
  if (max_pattern_states_) options.pattern_limits.states = *max_pattern_states_;
  if (!max_memory_.empty()) {
    Result<uint64_t> bytes = ParseByteSize(max_memory_);
    if (!bytes.ok()) return std::move(bytes).error().Within("--max-memory");
    options.limits.memory_bytes = *bytes;
  }
  if (!max_time_.empty()) {
    Result<int64_t> time_ns = ParseDuration(max_time_);
    if (!time_ns.ok()) return std::move(time_ns).error().Within("--max-time");
    options.limits.time = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(*time_ns));
  }
  return options;
}

Result<Session> QueryOptions::OpenSession(const Context& context) const {
  OSCOPE_ASSIGN_OR_RETURN(SessionOptions options, MakeSessionOptions(context));
  OSCOPE_ASSIGN_OR_RETURN(Session session, cli::OpenSession(context, std::move(options)));
  OSCOPE_RETURN_IF_ERROR(SetParameters(context, session));
  return session;
}

Status QueryOptions::SetParameters(const Context& context, Session& session) const {
  for (const std::string& parameter : parameters_) {
    const size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) return Invalid("--param '{}': expected NAME=VALUE", parameter);
    session.SetParameter(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  if (bug_.empty() && run_.empty()) return {};
  OSCOPE_ASSIGN_OR_RETURN(const std::string bug,
                          ResolveBugName(context, run_.empty() ? bug_ : std::string(bql::kRunPrefix) + run_));
  session.SetParameter("tbug", bug);
  return {};
}

Result<Session> OpenSession(const Context& context, SessionOptions options) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string path, context.StorePath());
  const bool writable = !context.options.salvage && access(path.c_str(), W_OK) == 0;
  OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(writable ? Access::kWrite : Access::kRead));
  // Without a project an id must be clear in the whole store.
  if (const Result<std::string> project = context.Project(); project.ok()) options.default_project = *project;
  OSCOPE_ASSIGN_OR_RETURN(options.user_metrics, LoadUserMetrics(WorkingDirectory()));
  return Session::Open(std::move(store), std::move(options));
}

Result<std::string> ResolveBugName(const Context& context, std::string_view text) {
  OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  if (text.starts_with(bql::kRunPrefix)) {
    OSCOPE_ASSIGN_OR_RETURN(const RunId run, snapshot.ResolveRun(text.substr(bql::kRunPrefix.size())));
    return std::string(bql::kRunPrefix) + ToString(run);
  }
  OSCOPE_ASSIGN_OR_RETURN(const BugKey key, ResolveBug(context, snapshot, text));
  return ToString(key);
}

}  // namespace oscope::cli
