// `oscope test`: runs a project's tests, records each that fails, and says which past bugs behaved alike.
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/context/command.h"
#include "cli/output/report_file.h"
#include "cli/testing/run_keeper.h"
#include "cli/testing/test_examiner.h"
#include "cli/testing/test_failures.h"
#include "cli/testing/test_report.h"
#include "cli/testing/test_rerun.h"

namespace oscope::cli {
namespace {

constexpr size_t kMaxJobs = 256;

class TestCommand : public Command {
 public:
  bool runs_a_command() const override { return true; }
  std::string_view name() const override { return "test"; }
  std::string_view summary() const override { return "Run the tests, record those that fail, and find similar bugs"; }
  std::optional<int> error_exit_code() const override { return kExitOscopeFailed; }

  void Register(Options& options) override {
    options.Add("COMMAND", misplaced_, "CTest and its arguments, after --").Value("-- ctest ARGUMENT...");
    options.Add("--junit", junit_, "Take the failed tests from a JUnit report that any runner wrote").Value("FILE");
    options
        .Add("--rerun", rerun_,
             "With --junit: the command for one test; {name}, {classname}, {suite}, {file} and {line} are put in")
        .Value("COMMAND");
    options.AddFlag("--no-store", no_store_, "Keep nothing");
    options.Add("--output", output_, "Write the runs to files (.osct) in DIR instead of a store").Value("DIR");
    options.AddFlag("--reopen", reopen_, "A resolved bug that had the same failure is reopened");
    options.Add("--max-failures", max_failures_, "Record at most N failures (default 20)")
        .Value("N")
        .Between(1u, 1'000'000u);
    options
        .Add("--timeout-factor", settings_.timeout_factor,
             "Make the tests' time-outs N times longer under the recorder (default 20)")
        .Value("N")
        .Between(1.0, 10'000.0);
    options.Add("--jobs", jobs_, "Run N tests again at once, before they are recorded one by one (default 1)")
        .Value("N")
        .Between(size_t{1}, kMaxJobs);
    options.Add("--annotate", annotate_, "github: also print each failure as an annotation of GitHub Actions")
        .Value("github")
        .OneOf({"github"});
    report_file_.Register(options);
    options.Add("--version", settings_.version, "The program's version (default: what git describe says)")
        .Value("VERSION");
    options.AddFlag("--no-input", no_input_, "Do not keep the input files with the runs");
    options
        .Add("--query", query_,
             "The saved query to ask about each, remembered for its test; usual: forget it, and search as usual")
        .Value("NAME");
    options.AddFlag("--no-query", no_query_, "Do not look for similar bugs");
    options_.Register(options);
    options.Footer(
        "Runs the CTest command and returns its exit code. Each failed test is run again without the recorder (it "
        "passes: "
        "flaky,\n"
        "reported, not kept), then under the recorder (it passes there: not reproduced, reported, not kept). A failing "
        "run goes to\n"
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
    if (!outcome.failed.empty()) keeper_.StartAsking(context);
    TestReport report(context, !annotate_.empty());
    const auto keep = [&](RecordedRun& run, TestResult& result) { return keeper_.Keep(context, run, result); };
    TestExaminer examiner(context, settings_, *recorder_, keep, {.max_failures = max_failures_, .jobs = jobs_});
    OSCOPE_ASSIGN_OR_RETURN(const size_t left, examiner.Examine(outcome.failed, report));
    const int code = outcome.exit_code == 0 && report.not_kept() > 0 ? kExitOscopeFailed : outcome.exit_code;
    report.Finish(code, left);
    OSCOPE_RETURN_IF_ERROR(report_file_.Write(report.AsJson(code, left)));
    keeper_.Finish(context);
    return code;
  }

  Status Prepare(const Context& context) {
    OSCOPE_RETURN_IF_ERROR(ChooseRunner());
    OSCOPE_ASSIGN_OR_RETURN(settings_.trace, options_.Settings());
    OSCOPE_ASSIGN_OR_RETURN(recorder_, options_.FindRecorder());
    OSCOPE_ASSIGN_OR_RETURN(settings_.project, context.Project());
    settings_.keep_inputs = !no_input_;
    settings_.cancel = context.cancel();
    OSCOPE_RETURN_IF_ERROR(report_file_.Prepare());
    return keeper_.Prepare(
        context,
        {.directory = output_, .nothing = no_store_, .reopen = reopen_, .query = query_, .no_query = no_query_});
  }

  // Who says which tests failed: CTest, or a report that any runner wrote.
  Status ChooseRunner() {
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
    return {};
  }

  Result<RunnerOutcome> RunTests(const Context& context) const {
    std::fflush(stdout);
    if (ctest_) return RunCTest(*ctest_, context.json(), context.cancel());
    return RunJUnit(command_line, junit_, *rerun_command_, context.json(), context.cancel());
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
  RunKeeper keeper_;
  int runner_code_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeTestCommand() { return std::make_unique<TestCommand>(); }

}  // namespace oscope::cli
