// `oscope trace`: runs a command under the recorder, keeps what it did, and says which past bugs behaved alike.
//
// The command may run for an hour, so everything that can be wrong is checked before it starts: options, the store, the
// query, the output file, the report. While it runs, the store is opened and read in the background, so that similar
// bugs are listed soon after a failure.
//
// To a script we must look like the command. Its streams are its own, and so is the exit code; we end by the same
// signal as it did. An error of our own changes the exit code only if the command passed.
#include <signal.h>
#include <sys/resource.h>

#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/output_file.h"
#include "cli/output/report_file.h"
#include "cli/output/text.h"
#include "cli/similar/answer_options.h"
#include "cli/tracing/trace_report.h"
#include "cli/tracing/traced_run.h"
#include "index/intake/failure_rule.h"

namespace oscope::cli {
namespace {

// As env(1) and others have it: what cannot be mistaken for the program's own exit code.
int OwnExitCode(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound: return kExitProgramNotFound;
    case ErrorCode::kInvalid:
    case ErrorCode::kUnsupported: return kExitProgramNotExecutable;
    default: return kExitOscopeFailed;
  }
}

// Ends as the program did, so that the process that started us sees no difference.
int EndLike(const ProgramEnd& end) {
  if (end.timed_out) return kExitTimedOut;
  if (end.signal == 0) return end.exit_code;
  // The program has left its core; ours would only tell of this line.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(end.signal, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  std::fflush(nullptr);
  ::raise(end.signal);
  return 128 + end.signal;
}

class TraceProgramCommand : public Command {
 public:
  bool runs_a_command() const override { return true; }
  std::string_view name() const override { return "trace"; }
  std::string_view summary() const override {
    return "Run a command, record what it does, and find similar bugs if it fails";
  }
  std::optional<int> error_exit_code() const override { return kExitOscopeFailed; }

  void Register(Options& options) override {
    options.Add("COMMAND", misplaced_, "The command and its arguments, after --").Value("-- COMMAND...");
    const Option bug =
        options.Add("--bug", bug_, "The bug that the run belongs to; made if it does not exist").Value("BUG");
    const Option title =
        options.Add("--title", title_, "The title of a bug that is made for it; without it, test and message")
            .Value("TEXT");
    options.AddFlag("--no-bug", no_bug_, "A failing run stays without a bug: no search finds it until it is linked")
        .Excludes(bug)
        .Excludes(title);
    options.AddFlag("--reopen", reopen_, "A resolved bug that had the same failure is reopened");
    options.Add("--test", test_, "The test's name, under which the query to ask is remembered (default: the command)")
        .Value("NAME");
    options.Add("--version", version_, "The program's version (default: what git describe says)").Value("VERSION");
    options.Add("--output", output_, "Write the run to a file (.osct) instead of a store").Value("FILE");
    options.Add("--timeout", timeout_, "End the command after SECONDS").Value("SECONDS");
    options.AddFlag("--no-input", no_input_, "Do not keep the input files and the standard input with the run");
    report_.Register(options);
    search_.Register(options);
    options_.Register(options);
    options.Footer(
        "The command's streams, exit code and signals are its own. The run is kept in the store as passed or failed. "
        "A failing\n"
        "run joins the open bug with the same test and failure, else a new one is made for it; the similar bugs follow "
        "on\n"
        "stderr. With --json the last line there is an object that contains all of it; --report\n"
        "writes that to a file. Exit codes of our own: 125 something failed here, 126 the command cannot be run, 127 "
        "it was not\n"
        "found, 124 it was ended by --timeout.\n\n"
        "Examples:\n"
        "  oscope trace -- ./parser_test bad.txt\n"
        "  oscope trace --bug 12 -- ./parser_test --gtest_filter=Parser.Nested\n"
        "  oscope trace --output run.osct -- make check          on a machine without a store\n"
        "  oscope trace --granularity statement --chop 'start parser::parse' -- ./parser_test\n"
        "  oscope trace --values 'open,close' -- ./server --config x.toml");
  }

  Result<int> Run(Context& context) override {
    Result<int> code = Trace(context);
    if (code.ok()) return code;
    if (launching_) context.error_exit_code = OwnExitCode(code.error());
    return context.Fail(code.error());
  }

 private:
  Result<int> Trace(Context& context) {
    // All that can be wrong is found before the command runs: it may take an hour.
    TracedRunRequest request;
    if (!misplaced_.empty()) return Invalid("'{}': put -- before the command", misplaced_.front());
    if (command_line.empty()) return Invalid("no command: give it after --");
    request.launch.command = command_line;
    request.launch.cancel = context.cancel();
    OSCOPE_ASSIGN_OR_RETURN(request.launch.settings, options_.Settings());
    if (timeout_) {
      if (!(*timeout_ > 0)) return Invalid("--timeout {}: expected seconds above 0", *timeout_);
      request.launch.timeout = std::chrono::milliseconds(static_cast<int64_t>(*timeout_ * 1000));
    }
    OSCOPE_ASSIGN_OR_RETURN(const std::unique_ptr<Recorder> recorder, options_.FindRecorder());
    OSCOPE_ASSIGN_OR_RETURN(request.project, context.Project());
    request.test = test_;
    request.version = version_;
    request.keep_inputs = !no_input_;
    OSCOPE_RETURN_IF_ERROR(report_.Prepare());
    std::optional<Store> store;
    if (!output_.empty()) {
      if (no_bug_ || reopen_)
        return Invalid(
            "--output: which bug the run belongs to is decided when the file is imported; give {} to `oscope import`",
            no_bug_ ? "--no-bug" : "--reopen");
      OSCOPE_RETURN_IF_ERROR(CheckOutput("--output", output_));
    } else {
      OSCOPE_ASSIGN_OR_RETURN(store, OpenForRuns(context));
      OSCOPE_RETURN_IF_ERROR(search_.Start(context, *store));
    }
    OSCOPE_RETURN_IF_ERROR(ResolveBugOption(store, request));

    ProgramEnd end;
    launching_ = true;
    Result<RecordedRun> run = TraceCommand(request, *recorder, &end);
    if (!run.ok()) return std::move(run).error();
    launching_ = false;
    TraceResult result;
    result.error = Keep(context, store, *run, result);
    const bool told = Tell(context, *run, result);
    // The program has run: its own exit code counts for more than ours, unless it passed.
    return end.passed() && !(told && result.error.ok()) ? kExitOscopeFailed : EndLike(end);
  }

  // What has not been said on the way. False: the report could not be written.
  bool Tell(const Context& context, const RecordedRun& run, const TraceResult& result) const {
    const Json report = AsJson(run, result);
    const Status written = report_.Write(report);
    if (!written.ok()) context.Fail(written.error());
    // Last, so that it is the last line.
    if (context.json()) {
      context.PrintJsonToStderr(report);
    } else if (!result.error.ok()) {
      context.Fail(result.error.error());
    }
    return written.ok();
  }

  static Result<Store> OpenForRuns(const Context& context) {
    Result<Store> store = context.OpenStore(Access::kWrite);
    if (store.ok() || store.error().code != ErrorCode::kNotFound) return store;
    return Invalid("{}; or write a file with --output run.osct", store.error().message);
  }

  Status ResolveBugOption(const std::optional<Store>& store, TracedRunRequest& request) const {
    if (bug_.empty()) return {};
    std::optional<Snapshot> snapshot;
    if (store) {
      OSCOPE_ASSIGN_OR_RETURN(snapshot, store->Read());
    }
    OSCOPE_ASSIGN_OR_RETURN(const BugKey key, NamedBug(snapshot ? &*snapshot : nullptr, request.project, bug_));
    request.project = key.project;
    request.bug = key.id;
    return {};
  }

  Status Keep(const Context& context, std::optional<Store>& store, RecordedRun& run, TraceResult& result) {
    if (!context.json()) {
      for (const std::string& note : run.notes()) context.Note("{}", Shown(note));
    }
    if (run.events() == 0) {
      return Invalid(
          "nothing was recorded: all functions of the command are left out by the rules (--all records everything){}; "
          "the run "
          "is not kept",
          options_.has_chops() ? ", or no chop point was reached" : "");
    }
    if (!title_.empty()) run.SetTitle(title_);
    if (!store) {
      OSCOPE_RETURN_IF_ERROR(WriteRun(output_, run));
      result.file = output_;
      if (!context.json())
        context.Note("{} ({}) written to {}", OutcomeName(run.header().outcome), Counted(run.events(), "event"),
                     Shown(output_));
      return {};
    }
    const BugRule rule = no_bug_ ? BugRule() : FailureRule({.reopen = reopen_, .without_fingerprint = true});
    const size_t told = run.notes().size();
    OSCOPE_ASSIGN_OR_RETURN(result.bug, StoreRun(*store, run, rule));
    for (size_t i = told; i < run.notes().size() && !context.json(); ++i) context.Note("{}", Shown(run.notes()[i]));
    result.stored = true;
    if (!context.json()) TellStored(context, run, result.bug);
    if (IsFailing(run.header().outcome)) {
      std::string note;
      OSCOPE_ASSIGN_OR_RETURN(result.similar, search_.Answer(context, run.header(), note));
      if (!note.empty()) {
        if (!context.json()) context.Note("{}", Shown(note));
        run.AddNote(std::move(note));
      }
      if (result.similar && !context.json()) {
        PrintSimilar(context, *result.similar,
                     {.to_stderr = true, .explain = false, .subject = ShortId(run.header().id)});
      }
    }
    Settle(context, *store);
    return {};
  }

  static void TellStored(const Context& context, const RecordedRun& run, const RunDecision& decision) {
    const RunHeader& header = run.header();
    std::string bug = header.bug.empty() ? "" : " of " + ToString(BugKey{header.project, header.bug});
    if (decision.fate == RunFate::kNew) bug += " (new)";
    if (decision.fate == RunFate::kReopened) bug += " (reopened)";
    context.Note("run {}{}: {}{}, {} kept", ShortId(header.id), Shown(bug), OutcomeName(header.outcome),
                 header.failure.message.empty() ? "" : ": " + Shown(OneLine(header.failure.message)),
                 Counted(run.events(), "event"));
    if (header.bug.empty() && IsFailing(header.outcome)) {
      context.Note("it belongs to no bug, so no search finds it: `oscope bug link BUG {}` changes that",
                   ShortId(header.id));
    }
    if (decision.resolved) {
      context.Note("{0} had this failure and is resolved: is it back? `oscope bug reopen {0}`, or --reopen next time",
                   Shown(ToString(*decision.resolved)));
    }
  }

  std::vector<std::string> misplaced_;  // words that stand before --
  std::string bug_, title_, test_, version_, output_;
  std::optional<double> timeout_;
  bool no_input_ = false, no_bug_ = false, reopen_ = false;
  bool launching_ = false;  // what goes wrong now is the command's
  TraceOptions options_;
  AnswerOptions search_;
  ReportFile report_;
};

}  // namespace

std::unique_ptr<Command> MakeTraceCommand() { return std::make_unique<TraceProgramCommand>(); }

}  // namespace oscope::cli
