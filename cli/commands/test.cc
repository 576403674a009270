// `oscope test`: runs a project's tests, records each that fails, and says which past bugs behaved alike.
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/cancel.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/report_file.h"
#include "cli/output/text.h"
#include "cli/session/similar_session.h"
#include "cli/similar/answer_options.h"
#include "cli/testing/test_failures.h"
#include "cli/testing/test_report.h"
#include "cli/testing/test_rerun.h"
#include "cli/tracing/recorded_facts.h"
#include "index/intake/failure_rule.h"
#include "query/similar/failing_run.h"

namespace oscope::cli {
namespace {

constexpr size_t kSimilarShown = 3;
constexpr uint32_t kSuffix = 50;
constexpr size_t kMaxJobs = 256;

// A file's name from a test's.
std::string FileName(const RunHeader& run) {
  constexpr size_t kLongest = 100;
  std::string name;
  for (const char byte : run.test.substr(0, kLongest)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '.' || byte == '_' || byte == '-';
    name += plain && !(name.empty() && byte == '.') ? byte : '_';
  }
  return fmt::format("{}-{}.osct", name, ShortId(run.id));
}

// Where the recorder saw no more than the end of the program.
bool IsWeak(FailureKind kind) { return kind == FailureKind::kExit || kind == FailureKind::kTimeout; }

// What the recorder could say only by the exit code, a framework or the output says better; but what a program printed
// before a signal or a time-out ended it is not why. Of a time-out under the tracer, the run as it is: that one had the
// test's own time.
std::string BestMessage(const RecordedRun& run, const TracedPart& part, const TestEnd& traced, const TestEnd& plain,
                        const CTestTest& test) {
  const Failure& failure = run.header().failure;
  if (failure.kind == FailureKind::kSignal) return FailureInWords(run);
  if (traced.timed_out && plain.timed_out) return Reason(plain, &test);
  if (part.reported.state == CaseState::kFailed) {
    if (std::string own = FailureMessage(part.reported); !own.empty()) return own;
  }
  if (!IsWeak(failure.kind) && !failure.message.empty()) return FailureInWords(run);
  const TestEnd& end = traced.timed_out ? plain : traced;
  const std::string reason = Reason(end, part.only ? nullptr : &test);
  const std::string printed = FailureMessage(end.output);
  return printed.empty() ? reason : printed;
}

// A failing test's place: what its framework said of the failure, else what stands in the message that was printed,
// else what the recorder saw. Where the test itself stands, as GoogleTest tells it of an exception, is better than
// nothing.
std::optional<SourcePlace> BestPlace(const RecordedRun& run, const TracedPart& part, const std::string& message) {
  const bool is_weak = IsWeak(run.header().failure.kind);
  const std::optional<SourcePlace> seen = PlaceOf(run.header().failure);
  // FailureInWords: what it says of the place is shorter.
  if (seen && !is_weak && message.starts_with(FailureReason(run))) return seen;
  for (const std::string* text : {&part.reported.message, &part.reported.text, &message}) {
    if (auto place = FindPlace(*text)) return place;
  }
  if (seen && !is_weak) return seen;
  if (auto place = FindPlace(part.reported)) return place;
  return seen;
}

Outcome OutcomeOf(const TestEnd& end) {
  if (end.timed_out) return Outcome::kTimeout;
  return end.signal != 0 ? Outcome::kSignal : Outcome::kFailed;
}

class TestCommand : public Command {
 public:
  bool runs_a_command() const override { return true; }
  std::string_view name() const override { return "test"; }
  std::string_view summary() const override { return "Run the tests, record those that fail, and find similar bugs"; }
  std::optional<int> error_exit_code() const override { return kExitOscopeFailed; }

  void Register(CLI::App& app) override {
    app.add_option("COMMAND", misplaced_, "CTest and its arguments, after --")->option_text("-- ctest ARGUMENT...");
    app.add_option("--junit", junit_, "Take the failed tests from a JUnit report that any runner wrote")
        ->option_text("FILE");
    app.add_option("--rerun", rerun_,
                   "With --junit: the command for one test; {name}, {classname}, {suite}, {file} and {line} are put in")
        ->option_text("COMMAND");
    app.add_flag("--no-store", no_store_, "Keep nothing");
    app.add_option("--output", output_, "Write the runs to files (.osct) in DIR instead of a store")
        ->option_text("DIR");
    app.add_flag("--reopen", reopen_, "A resolved bug that had the same failure is reopened");
    app.add_option("--max-failures", max_failures_, "Record at most N failures (default 20)")
        ->option_text("N")
        ->check(CLI::Range(1u, 1'000'000u));
    app.add_option("--timeout-factor", settings_.timeout_factor,
                   "The tests' time-outs are so many times longer under the tracer (default 20)")
        ->option_text("N")
        ->check(CLI::Range(1.0, 10'000.0));
    app.add_option("--jobs", jobs_, "Run N tests again at once, before they are recorded one by one (default 1)")
        ->option_text("N")
        ->check(CLI::Range(size_t{1}, kMaxJobs));
    app.add_option("--annotate", annotate_, "github: also print each failure as an annotation of GitHub Actions")
        ->option_text("github")
        ->check(CLI::IsMember({"github"}));
    report_file_.Register(app);
    app.add_option("--version", settings_.version, "The program's version (default: what git describe says)")
        ->option_text("VERSION");
    app.add_flag("--no-input", no_input_, "Do not keep the input files with the runs");
    app.add_option("--query", query_,
                   "The saved query to ask about each, remembered for its test; usual: forget it, and search as usual")
        ->option_text("NAME");
    app.add_flag("--no-query", no_query_, "Do not look for similar bugs");
    options_.Register(app);
    app.footer(
        "CTest runs as it is given, and its exit code is ours. Each test that failed is run again as it is (it passes: "
        "flaky,\n"
        "told and not kept), then under the tracer (it passes there: not reproduced, told and not kept). A failing run "
        "goes to\n"
        "the open bug with the same test and failure, else to a new one. Of GoogleTest and Boost.Test programs each "
        "failing\n"
        "case is recorded by itself. When something fails here the exit code is 125.\n\n"
        "Examples:\n"
        "  oscope test -- ctest --test-dir build -j4\n"
        "  oscope test --output traces -- ctest --preset ci             on a machine without a store\n"
        "  oscope test --junit out.xml --rerun 'pytest -k {name}' -- pytest --junitxml=out.xml\n"
        "  oscope test --annotate github -- ctest --test-dir build");
  }

  Result<int> Run(Context& context) override {
    Result<int> code = Test(context);
    // Also for what fails after us: a report that standard output does not take must not hide how the tests went.
    if (runner_code_ != 0) context.error_exit_code = runner_code_;
    return code.ok() ? code : context.Fail(code.error());
  }

 private:
  Result<int> Test(Context& context) {
    // All that can be wrong is found before the tests run: they may take an hour.
    OSCOPE_RETURN_IF_ERROR(Prepare(context));
    OSCOPE_ASSIGN_OR_RETURN(const RunnerOutcome outcome, RunTests(context));
    runner_code_ = outcome.exit_code;
    OSCOPE_RETURN_IF_ERROR(outcome.problem);
    // Made ready while the failed tests run again.
    if (store_ && !no_query_ && !outcome.failed.empty())
      opening_ = StartSession(context, store_->Share(), Readiness::kWarm);
    TestReport report(context, !annotate_.empty());
    size_t left = 0;
    OSCOPE_RETURN_IF_ERROR(Examine(context, outcome.failed, report, left));
    const int code = outcome.exit_code == 0 && report.not_kept() > 0 ? kExitOscopeFailed : outcome.exit_code;
    report.Finish(code, left);
    OSCOPE_RETURN_IF_ERROR(report_file_.Write(report.AsJson(code, left)));
    if (store_) Settle(context, *store_);
    return code;
  }

  Status Prepare(const Context& context) {
    if (junit_.empty() != rerun_.empty())
      return Invalid("--junit and --rerun belong together: a report, and how one of its tests is run again");
    if (!misplaced_.empty()) return Invalid("'{}': put -- before the command", misplaced_.front());
    if (command_line.empty() && junit_.empty())
      return Invalid("no command: give the ctest command after --, or a report with --junit");
    if (!junit_.empty()) {
      Result<RerunCommand> rerun = RerunCommand::Parse(rerun_);
      if (!rerun.ok()) return std::move(rerun).error().Within("--rerun");
      rerun_command_ = *std::move(rerun);
    } else {
      OSCOPE_ASSIGN_OR_RETURN(ctest_, CTestCommand::Parse(command_line));
    }
    OSCOPE_ASSIGN_OR_RETURN(settings_.trace, options_.Settings());
    OSCOPE_ASSIGN_OR_RETURN(recorder_, options_.FindRecorder());
    OSCOPE_ASSIGN_OR_RETURN(settings_.project, context.Project());
    settings_.keep_inputs = !no_input_;
    OSCOPE_RETURN_IF_ERROR(report_file_.Prepare());
    if (!output_.empty()) {
      std::error_code error;
      std::filesystem::create_directories(output_, error);
      if (error) return IoError(error.value(), "make directory", output_);
    } else if (!no_store_) {
      Result<Store> store = context.OpenStore(Access::kWrite);
      if (!store.ok() && store.error().code == ErrorCode::kNotFound) {
        return NotFound("{}; or write files with --output DIR", store.error().message);
      }
      if (!store.ok()) return std::move(store).error();
      store_ = *std::move(store);
      OSCOPE_RETURN_IF_ERROR(CheckQueryForRuns(*store_, query_));
    }
    return {};
  }

  Result<RunnerOutcome> RunTests(const Context& context) const {
    std::fflush(stdout);
    if (ctest_) return RunCTest(*ctest_, context.json());
    return RunJUnit(command_line, junit_, *rerun_command_, context.json());
  }

  Status Examine(const Context& context, const std::vector<FailedTest>& failed, TestReport& report, size_t& left) {
    std::vector<const FailedTest*> tests;
    for (const FailedTest& test : failed) {
      if (!test.cannot_run.empty()) {
        report.Add({.test = test.name, .verdict = TestVerdict::kNotRun, .why = test.cannot_run});
      } else if (tests.size() < max_failures_) {
        tests.push_back(&test);
      } else {
        ++left;
      }
    }
    const std::vector<std::optional<Result<PlainRun>>> plain = RunAgain(context, tests);
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    size_t recorded = 0;
    for (size_t i = 0; i < tests.size(); ++i)
      OSCOPE_RETURN_IF_ERROR(ExamineOne(context, *tests[i], *plain[i], report, recorded, left));
    return {};
  }

  // The tests as they are, some at a time; those that share something with others one after another.
  std::vector<std::optional<Result<PlainRun>>> RunAgain(const Context& context,
                                                        const std::vector<const FailedTest*>& tests) const {
    std::vector<std::optional<Result<PlainRun>>> runs(tests.size());
    const auto is_alone = [](const FailedTest& test) {
      return test.rules.alone || !test.setups.empty() || !test.cleanups.empty();
    };
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < tests.size() && !Cancelled(); i = next++) {
        if (!is_alone(*tests[i])) runs[i] = RunPlainly(*tests[i]);
      }
    };
    if (!tests.empty()) Progress(context, fmt::format("running {} again", Counted(tests.size(), "failed test")));
    {
      std::vector<std::jthread> threads;
      for (size_t i = 1; i < std::min(jobs_, tests.size()); ++i) threads.emplace_back(work);
      work();
    }
    for (size_t i = 0; i < tests.size() && !Cancelled(); ++i) {
      if (is_alone(*tests[i])) runs[i] = RunPlainly(*tests[i]);
    }
    return runs;
  }

  Status ExamineOne(const Context& context, const FailedTest& test, const Result<PlainRun>& plain, TestReport& report,
                    size_t& recorded, size_t& left) {
    if (!plain.ok()) {
      if (plain.error().code == ErrorCode::kCancelled) return plain.error();
      report.Add({.test = test.name, .verdict = TestVerdict::kNotRun, .why = plain.error().message});
      return {};
    }
    if (plain->verdict == Judgement::kPassed || plain->verdict == Judgement::kSkipped) {
      report.Add({.test = test.name,
                  .verdict = TestVerdict::kFlaky,
                  .why = fmt::format("it failed, and {} when it is run again",
                                     plain->verdict == Judgement::kPassed ? "passes" : "skips"),
                  .message = FailureMessage(test.reported)});
      return {};
    }
    bool whole_tried = false;
    for (const TracedPart& part : PartsOf(test, *plain)) {
      if (recorded >= max_failures_) {
        ++left;
        continue;
      }
      OSCOPE_ASSIGN_OR_RETURN(std::optional<TestResult> result, Record(context, test, *plain, part));
      if (!result && !whole_tried) {
        // A case that fails in company only.
        whole_tried = true;
        const TracedPart whole{test.name, std::nullopt, part.reported};
        OSCOPE_ASSIGN_OR_RETURN(result, Record(context, test, *plain, whole));
        if (result && result->verdict == TestVerdict::kRecorded) {
          result->notes.push_back(
              fmt::format("{} passes alone, and fails with the other cases: the whole test was recorded", part.test));
        }
      }
      if (!result) {
        result = TestResult{.test = part.test,
                            .verdict = TestVerdict::kNotReproduced,
                            .why = "it fails as it is, and passes under the tracer",
                            .message = FailureMessage(part.reported),
                            .place = FindPlace(part.reported),
                            .outcome = OutcomeOf(plain->end)};
      }
      if (result->verdict == TestVerdict::kRecorded) ++recorded;
      report.Add(*std::move(result));
    }
    return {};
  }

  // nullopt: it passes under the tracer. An error: nothing can go on.
  Result<std::optional<TestResult>> Record(const Context& context, const FailedTest& test, const PlainRun& plain,
                                           const TracedPart& part) {
    Progress(context, "tracing " + part.test);
    TestResult result{.test = part.test, .place = FindPlace(part.reported)};
    Result<TracedTest> traced = RunTraced(test, plain, part, settings_, *recorder_);
    if (!traced.ok()) {
      if (traced.error().code == ErrorCode::kCancelled) return std::move(traced).error();
      result.why = traced.error().message;
      return std::optional(result);
    }
    if (traced->verdict == Judgement::kPassed || traced->verdict == Judgement::kSkipped)
      return std::optional<TestResult>();
    RecordedRun& run = traced->run;
    result.notes = run.notes();
    result.outcome = run.header().outcome;
    result.reason = FailureReason(run);
    result.message = BestMessage(run, part, traced->end, plain.end, test.rules);
    if (traced->verdict == Judgement::kTimedOut && !plain.end.timed_out) {
      result.verdict = TestVerdict::kNotReproduced;
      result.outcome = OutcomeOf(plain.end);
      result.reason.clear();
      result.why = fmt::format(
          "it fails by itself as it is, and had to be ended after {:.3g} s under the tracer; --timeout-factor gives it "
          "more time",
          traced->end.seconds);
      return std::optional(result);
    }
    if (run.events() == 0) {
      result.why =
          "nothing was recorded: no function of it passed the choice of what is recorded (--all records everything)";
      return std::optional(result);
    }
    result.verdict = TestVerdict::kRecorded;
    result.place = BestPlace(run, part, result.message);
    run.SetMessage(result.message);
    // The other failures are told even where this one cannot be kept: the disk may be full.
    result.error = Keep(context, run, result);
    if (!result.error.ok() && result.error.error().code == ErrorCode::kCancelled) return result.error.error();
    return std::optional(result);
  }

  Status Keep(const Context& context, RecordedRun& run, TestResult& result) {
    result.events = run.events();
    result.fingerprint = run.fingerprint();
    if (!output_.empty()) {
      const std::string file = output_ + "/" + FileName(run.header());
      OSCOPE_RETURN_IF_ERROR(WriteRun(file, run));
      result.run = run.header().id;
      result.file = file;
      return {};
    }
    if (!store_) return {};
    const RunHeader& header = run.header();
    OSCOPE_ASSIGN_OR_RETURN(result.bug,
                            StoreRun(*store_, run, FailureRule({.reopen = reopen_, .without_fingerprint = true})));
    result.run = header.id;
    if (!opening_) return {};
    std::string note;
    Result<SimilarAnswer> similar = AnswerAboutRun(context, *opening_, *store_, header, query_,
                                                   {.suffix = kSuffix, .distance = {}, .limit = kSimilarShown}, note);
    if (similar.ok()) {
      result.similar = *std::move(similar);
      if (!note.empty()) result.notes.push_back(std::move(note));
    } else if (similar.error().code == ErrorCode::kCancelled) {
      return std::move(similar).error();
    } else {
      result.notes.push_back("similar bugs cannot be told: " + similar.error().message);
    }
    return {};
  }

  static void Progress(const Context& context, const std::string& what) {
    if (isatty(STDERR_FILENO) == 1) context.Note("{}", Shown(what));
  }

  std::vector<std::string> misplaced_;  // words that stand before --
  std::string junit_, rerun_, output_, annotate_, query_;
  bool no_store_ = false, reopen_ = false, no_input_ = false, no_query_ = false;
  size_t max_failures_ = 20, jobs_ = 1;
  TraceOptions options_;
  ReportFile report_file_;

  RerunSettings settings_;
  std::optional<CTestCommand> ctest_;
  std::optional<RerunCommand> rerun_command_;
  std::unique_ptr<Recorder> recorder_;
  std::optional<Store> store_;
  std::optional<SessionOpening> opening_;
  int runner_code_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeTestCommand() { return std::make_unique<TestCommand>(); }

}  // namespace oscope::cli
