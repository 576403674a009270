// `oscope same` says whether a command fails by a known bug. Its exit codes are for `git bisect run`: 0 the bug is
// absent, 1 it is there, 125 it is not known.
//
// The command is traced. A failure is the bug's when its fingerprint is that of one of the bug's failing runs, or when
// its last events up to the failure are nearly those of one: code around a bug changes over a history, and with it the
// fingerprint.
#include <algorithm>

#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "cli/tracing/traced_run.h"
#include "query/distance/levenshtein.h"
#include "tracer/model/fingerprint.h"
#include "tracer/model/null_sink.h"

namespace oscope::cli {
namespace {

constexpr int kAbsent = 0, kThere = 1, kCannotTell = kExitOscopeFailed;  // 125: git bisect skips the commit
constexpr uint32_t kSuffix = 50;
constexpr uint32_t kTenth = 10;
constexpr size_t kMaxRunsCompared = 1000;

// The last events up to the failure of a thread that failed.
struct Ending {
  RunId run;
  TraceKind kind = TraceKind::kExecution;
  std::vector<std::string> events;
  std::string reason;  // of the failure mark
  std::optional<int32_t> exit_code;
  std::string exit_message;  // what an exit says beside its code, if anything
};

Ending MakeEnding(const RunHeader& run, TraceKind kind, const std::string& reason) {
  return {run.id, kind, {}, reason, run.failure.exit_code, StableExitMessage(run.failure.message)};
}

// A crash where another run exits is another failure, however alike the way there. So is another exit code, or another
// message with the same one: of exits the way there tells the least.
bool FailOtherwise(const Ending& a, const Ending& b) {
  if (a.reason != b.reason) return true;
  if (a.reason != "exit") return false;
  if (a.exit_code && b.exit_code && *a.exit_code != *b.exit_code) return true;
  return !a.exit_message.empty() && !b.exit_message.empty() && a.exit_message != b.exit_message;
}

// Takes the endings of a run as it is sent.
class EndingSink : public NullSink {
 public:
  explicit EndingSink(uint32_t length) : length_(length) {}

  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    run_ = run;
    symbols_ = &symbols;
    return {};
  }
  Status BeginTrace(const TraceHeader& trace) override {
    const ThreadRef thread{trace.process, trace.thread};
    until_ = run_.failing_thread.value_or(thread) != thread ? 0 : trace.mark ? trace.mark->events : trace.event_count;
    kind_ = trace.kind;
    reason_ = trace.mark ? trace.mark->reason : "";
    seen_ = 0;
    last_.clear();
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    const size_t count = std::min<uint64_t>(chunk.events.size(), until_ - std::min(until_, seen_));
    seen_ += chunk.events.size();
    const auto wanted = chunk.events.first(count).last(std::min<size_t>(count, length_));
    last_.insert(last_.end(), wanted.begin(), wanted.end());
    if (last_.size() > length_) last_.erase(last_.begin(), last_.end() - length_);
    return {};
  }
  Status EndTrace() override {
    if (last_.empty()) return {};
    Ending& ending = endings.emplace_back(MakeEnding(run_, kind_, reason_));
    for (const SymbolId event : last_) ending.events.push_back(symbols_->name(event));
    return {};
  }

  std::vector<Ending> endings;

 private:
  const uint32_t length_;
  RunHeader run_;
  const SymbolTable* symbols_ = nullptr;
  TraceKind kind_ = TraceKind::kExecution;
  std::string reason_;
  uint64_t until_ = 0, seen_ = 0;
  std::vector<SymbolId> last_;
};

// What is known of a bug's failing runs.
struct KnownFailures {
  std::vector<std::string> fingerprints;
  std::vector<Ending> endings;
};

Result<Ending> ReadEnding(const Snapshot& snapshot, const RunHeader& run, const TraceHeader& trace, uint32_t length) {
  const TraceId id{run.id, trace.process, trace.thread, trace.kind};
  const uint64_t end = trace.mark ? trace.mark->events : trace.event_count;
  const uint64_t count = std::min<uint64_t>(end, length);
  SymbolTable symbols;
  OSCOPE_ASSIGN_OR_RETURN(const Trace tail, snapshot.ReadTrace(id, symbols, end - count, count));
  Ending ending = MakeEnding(run, trace.kind, trace.mark ? trace.mark->reason : "");
  for (const SymbolId event : tail.events) ending.events.push_back(symbols.name(event));
  return ending;
}

Result<KnownFailures> ReadFailures(const Snapshot& snapshot, const BugKey& bug, uint32_t length) {
  RunFilter filter;
  filter.project = bug.project;
  filter.bug = bug.id;
  filter.failing = true;
  std::vector<RunHeader> runs;
  OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
    runs.push_back(run.header);
    return runs.size() < kMaxRunsCompared;
  }));
  KnownFailures known;
  for (const RunHeader& run : runs) {
    if (!run.failure.fingerprint.empty()) known.fingerprints.push_back(run.failure.fingerprint);
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(run.id));
    for (const TraceHeader& trace : traces) {
      const ThreadRef thread{trace.process, trace.thread};
      if (run.failing_thread.value_or(thread) != thread) continue;
      OSCOPE_ASSIGN_OR_RETURN(Ending ending, ReadEnding(snapshot, run, trace, length));
      if (!ending.events.empty()) known.endings.push_back(std::move(ending));
    }
  }
  if (runs.empty()) return NotFound("bug {}: it has no failing run to compare with", ToString(bug));
  return known;
}

struct NearestEnding {
  RunId run;
  uint32_t distance = 0, allowed = 0;
  bool within() const { return distance <= allowed; }
};

// Executions are compared with executions; stacks only where one side has no execution.
bool HasExecution(const std::vector<Ending>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [](const Ending& one) { return one.kind == TraceKind::kExecution; });
}

std::optional<NearestEnding> FindNearest(const std::vector<Ending>& ours, const std::vector<Ending>& theirs,
                                         std::optional<uint32_t> allowed) {
  const TraceKind kind = HasExecution(ours) && HasExecution(theirs) ? TraceKind::kExecution : TraceKind::kStack;
  std::unordered_map<std::string, uint32_t> ids;
  const auto numbered = [&](const Ending& ending) {
    std::vector<uint32_t> numbers;
    for (const std::string& event : ending.events)
      numbers.push_back(ids.try_emplace(event, static_cast<uint32_t>(ids.size())).first->second);
    return numbers;
  };
  std::optional<NearestEnding> nearest;
  for (const Ending& our : ours) {
    for (const Ending& their : theirs) {
      if (our.kind != kind || their.kind != kind) continue;
      // Unless the user says how far is far.
      if (!allowed && FailOtherwise(our, their)) continue;
      const std::vector<uint32_t> a = numbered(our), b = numbered(their);
      const uint32_t longer = static_cast<uint32_t>(std::max(a.size(), b.size()));
      const NearestEnding pair{their.run, LevenshteinWithin(a, b, longer).value_or(longer),
                               allowed.value_or(longer / kTenth)};
      // By how far it is beyond what is allowed, which differs with the length.
      const auto beyond = [](const NearestEnding& one) { return static_cast<int64_t>(one.distance) - one.allowed; };
      if (!nearest || beyond(pair) < beyond(*nearest)) nearest = pair;
    }
  }
  return nearest;
}

class SameCommand : public Command {
 public:
  bool runs_a_command() const override { return true; }
  std::string_view name() const override { return "same"; }
  std::string_view summary() const override {
    return "Tell whether a command fails by a known bug, for git bisect run";
  }
  std::optional<int> error_exit_code() const override { return kCannotTell; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    options.Add("COMMAND", misplaced_, "The command and its arguments, after --").Value("-- COMMAND...");
    options.Add("--suffix", suffix_, "Compare the last N events up to the failure (default 50)")
        .Value("N")
        .Between(1u, 65'536u);
    options.Add("--distance", distance_, "At most N edits between them (default: a tenth of their length)").Value("N");
    options.Add("--timeout", timeout_, "End the command after SECONDS").Value("SECONDS");
    options.AddFlag("--keep", keep_, "Store the run; with the bug when it is the bug");
    options.AddFlag("--no-input", no_input_, "With --keep: do not keep the input files and the standard input");
    options_.Register(options);
    options.Footer(
        "Exits with 0 when the bug is absent (the command passes), with 1 when it is there (the command fails in the "
        "same way as\n"
        "a failing run of the bug), and with 125 when that is not known: the command fails in another way or cannot be "
        "run.\n"
        "The exit code is never 128 or more.\n\n"
        "Examples:\n"
        "  oscope same 12 -- ./parser_test bad.txt\n"
        "  git bisect run sh -c 'make -s || exit 125; oscope same Demo-12 -- ./parser_test bad.txt'");
  }

  Result<int> Run(Context& context) override {
    Result<int> code = Compare(context);
    if (code.ok()) return code;
    context.Fail(code.error());
    return kCannotTell;
  }

 private:
  Result<int> Compare(const Context& context) {
    TracedRunRequest request;
    OSCOPE_ASSIGN_OR_RETURN(request.launch.settings, options_.Settings());
    OSCOPE_ASSIGN_OR_RETURN(const std::unique_ptr<Recorder> recorder, options_.FindRecorder());
    if (timeout_ && !(*timeout_ > 0)) return Invalid("--timeout {}: expected seconds above 0", *timeout_);
    if (timeout_) request.launch.timeout = std::chrono::milliseconds(static_cast<int64_t>(*timeout_ * 1000));
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(keep_ ? Access::kWrite : Access::kRead));
    BugKey bug;
    KnownFailures known;
    {
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      OSCOPE_ASSIGN_OR_RETURN(bug, ResolveBug(context, snapshot, bug_));
      OSCOPE_ASSIGN_OR_RETURN(known, ReadFailures(snapshot, bug, suffix_));
    }
    if (!misplaced_.empty()) return Invalid("'{}': put -- before the command", misplaced_.front());
    if (command_line.empty()) return Invalid("no command: give it after --");
    request.launch.command = command_line;
    request.launch.cancel = context.cancel();
    request.launch.end_if_stopped = true;
    request.project = bug.project;
    request.keep_inputs = keep_ && !no_input_;
    ProgramEnd end;
    OSCOPE_ASSIGN_OR_RETURN(RecordedRun run, TraceCommand(request, *recorder, &end));
    if (end.stop_asked) return Cancelled("the command was stopped");
    const Finding finding = FindOut(bug, run, known);
    context.Note("{}", Shown(finding.why));
    if (keep_) {
      if (finding.code == kThere) run.SetBug(bug.id);
      OSCOPE_RETURN_IF_ERROR(StoreRun(store, run, {}));
      context.Note("run {} kept", ShortId(run.header().id));
    }
    if (context.json())
      context.PrintJson(Json{{"bug", ToString(bug)}, {"exit_code", finding.code}, {"why", finding.why}});
    return finding.code;
  }

  struct Finding {
    int code;
    std::string why;
  };

  Finding FindOut(const BugKey& bug, const RecordedRun& run, const KnownFailures& known) const {
    const std::string name = ToString(bug);
    const std::string message = OneLine(run.header().failure.message);
    if (!IsFailing(run.header().outcome)) return {kAbsent, fmt::format("{} is absent: the command passes", name)};
    if (std::find(known.fingerprints.begin(), known.fingerprints.end(), run.fingerprint()) !=
        known.fingerprints.end()) {
      return {kThere, fmt::format("{} is there: the same failure ({})", name, message)};
    }
    EndingSink sink(suffix_);
    const Status sent = run.Send(sink);
    const std::optional<NearestEnding> nearest =
        sent.ok() ? FindNearest(sink.endings, known.endings, distance_) : std::nullopt;
    if (!nearest) {
      return {
          kCannotTell,
          fmt::format(
              "the command fails in another way ({}): no run of {} failed in that way, or there is no trace to compare",
              message, name)};
    }
    const std::string far = nearest->distance == 0 ? "no edit" : Counted(nearest->distance, "edit");
    if (nearest->within()) {
      return {kThere, fmt::format("{} is there: its last events are {} from run {} ({})", name, far,
                                  ShortId(nearest->run), message)};
    }
    return {kCannotTell,
            fmt::format("the command fails in another way ({}): its last events are {} from {}, and {} are allowed",
                        message, far, name, nearest->allowed)};
  }

  std::string bug_;
  std::vector<std::string> misplaced_;  // words that stand before --
  uint32_t suffix_ = kSuffix;
  std::optional<uint32_t> distance_;
  std::optional<double> timeout_;
  bool keep_ = false, no_input_ = false;
  TraceOptions options_;
};

}  // namespace

std::unique_ptr<Command> MakeSameCommand() { return std::make_unique<SameCommand>(); }

}  // namespace oscope::cli
