// Runs the test command and finds out which tests failed.
//
// CTest has no single source for that which exists in all versions. A JUnit report has names, messages and output, but
// only since 3.21; LastTestsFailed.log has the names; `ctest --show-only` has the commands and properties. So the
// report is read if there is one, the log otherwise, and the list says how a failed test is run again. Names are unique
// only within a directory of the build, but both lists have the same order: the n-th test of a name in one is the n-th
// in the other.
//
// Files of an earlier run may still lie there, so a file counts only if the command has written it.
#include "cli/testing/test_failures.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/subprocess.h"
#include "cli/context/resolve.h"
#include "cli/output/text.h"
#include "tracer/record/launch.h"

namespace oscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultTimeoutSeconds = 1500;  // CTest's own
constexpr uint64_t kMaxLogBytes = 16 << 20;

// The runner, with our streams. Whether the user stopped it shows in how it ended.
Result<int> RunAsGiven(std::vector<std::string> words, bool quiet_stdout, const CancelToken& cancel) {
  LaunchRequest request;
  request.command = std::move(words);
  request.cancel = cancel;
  if (quiet_stdout) request.output_file = "/dev/stderr";
  OSCOPE_ASSIGN_OR_RETURN(const ProgramEnd end, LaunchPlain(request));
  if (end.stop_asked) return Cancelled("{} was stopped", request.command.front());
  return end.signal != 0 ? 128 + end.signal : end.exit_code;
}

Result<std::string> OutputOf(std::vector<std::string> words, const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = std::move(words);
  options.cancel = cancel;
  OSCOPE_ASSIGN_OR_RETURN(SubprocessOutput output, RunSubprocess(options));
  return std::move(output.out);
}

// When a file was written; nullopt when it is not there.
std::optional<fs::file_time_type> WrittenAt(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? std::nullopt : std::optional(time);
}

Result<std::vector<JUnitCase>> ReadReport(const std::string& path, const CancelToken& cancel) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string xml, ReadInput(path, kMaxJUnitBytes, cancel));
  Result<std::vector<JUnitCase>> cases = ParseJUnit(xml);
  if (!cases.ok()) return std::move(cases).error().Within(path);
  return cases;
}

// Reads what a CTest of any version left.
class CTestResults {
 public:
  static Result<RunnerOutcome> Run(const CTestCommand& command, bool quiet_stdout, const CancelToken& cancel) {
    OSCOPE_ASSIGN_OR_RETURN(const std::string version, OutputOf(command.Version(), cancel));
    OSCOPE_ASSIGN_OR_RETURN(ScratchDirectory scratch, ScratchDirectory::Make(""));
    CTestResults results(command, cancel);
    const bool reports = WritesReports(version);
    if (reports) results.report_ = scratch.path() + "/report.xml";
    if (reports && command.own_report()) {
      OSCOPE_ASSIGN_OR_RETURN(results.report_, results.OwnReport());
    }
    if (Result<std::string> log = results.InBuildDirectory("Testing/Temporary/LastTestsFailed.log"); log.ok())
      results.log_ = *std::move(log);
    // Files of an earlier run say nothing about this one.
    const auto report_before = WrittenAt(results.report_), log_before = WrittenAt(results.log_);
    RunnerOutcome outcome;
    OSCOPE_ASSIGN_OR_RETURN(
        outcome.exit_code,
        RunAsGiven(reports ? command.Reporting(results.report_) : command.words(), quiet_stdout, cancel));
    if (outcome.exit_code == 0) return outcome;
    if (WrittenAt(results.report_) == report_before) results.report_.clear();
    if (WrittenAt(results.log_) == log_before) results.log_.clear();
    if (Result<std::vector<FailedTest>> failed = results.Failed(); failed.ok()) {
      outcome.failed = *std::move(failed);
    } else {
      outcome.problem = std::move(failed).error();
    }
    return outcome;
  }

 private:
  CTestResults(const CTestCommand& command, const CancelToken& cancel) : command_(command), cancel_(cancel) {}

  Result<std::string> InBuildDirectory(const std::string& path) const {
    if (fs::path(path).is_absolute()) return path;
    OSCOPE_ASSIGN_OR_RETURN(const std::string printed, OutputOf(command_.DryRun(), cancel_));
    const std::optional<std::string> directory = BuildDirectory(printed);
    if (!directory) return NotFound("ctest does not print its build directory");
    return *directory + "/" + path;
  }

  Result<std::string> OwnReport() const { return InBuildDirectory(*command_.own_report()); }

  Result<std::vector<FailedTest>> Failed() const {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<JUnitCase> cases, Cases());
    if (std::none_of(cases.begin(), cases.end(), FailedForCTest)) return std::vector<FailedTest>{};
    OSCOPE_ASSIGN_OR_RETURN(const std::string listing, OutputOf(command_.Listing(), cancel_));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<CTestTest> all, ParseCTestTests(listing));
    // A name is unique in its directory only; both lists have the order of the tests.
    std::map<std::string, size_t> seen;
    std::vector<FailedTest> tests;
    for (const JUnitCase& one : cases) {
      const size_t occurrence = seen[one.name]++;
      if (FailedForCTest(one)) tests.push_back(Match(one, all, occurrence));
    }
    return tests;
  }

  // All that were run; without a report those that failed.
  Result<std::vector<JUnitCase>> Cases() const {
    if (!report_.empty()) {
      Result<std::vector<JUnitCase>> cases = ReadReport(report_, cancel_);
      // What a test printed may have spoiled the report; the log has the names at least.
      if (cases.ok()) return cases;
    }
    std::vector<JUnitCase> cases;
    // No test failed: CTest ended for another reason, which it has printed.
    if (log_.empty()) return cases;
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadInput(log_, kMaxLogBytes, cancel_));
    for (const std::string& name : ParseLastTestsFailed(text)) {
      JUnitCase& one = cases.emplace_back();
      one.name = one.classname = name;
      one.state = CaseState::kFailed;
    }
    return cases;
  }

  FailedTest Match(const JUnitCase& one, const std::vector<CTestTest>& all, size_t occurrence) const {
    FailedTest test;
    test.name = one.name;
    test.reported = one;
    for (const CTestTest& candidate : all) {
      if (candidate.name != one.name || occurrence-- > 0) continue;
      test.rules = candidate;
      test.rules.command = WithoutLauncher(test.rules.command);
      if (!test.rules.timeout_s) test.rules.timeout_s = command_.timeout_s().value_or(kDefaultTimeoutSeconds);
      for (const CTestTest* setup : SetupsOf(candidate, all)) test.setups.push_back(*setup);
      for (const CTestTest* cleanup : CleanupsOf(candidate, all)) test.cleanups.push_back(*cleanup);
      break;
    }
    if (one.state == CaseState::kNotRun) {
      test.cannot_run = one.message;
    } else if (test.rules.command.empty()) {
      test.cannot_run = "ctest does not list its command";
    }
    return test;
  }

  const CTestCommand& command_;
  const CancelToken& cancel_;
  std::string report_, log_;  // empty: there is none
};

}  // namespace

Result<RunnerOutcome> RunCTest(const CTestCommand& command, bool quiet_stdout, const CancelToken& cancel) {
  return CTestResults::Run(command, quiet_stdout, cancel);
}

Result<RunnerOutcome> RunJUnit(const std::vector<std::string>& command, const std::string& report,
                               const RerunCommand& rerun, bool quiet_stdout, const CancelToken& cancel) {
  RunnerOutcome outcome;
  if (!command.empty()) {
    const auto before = WrittenAt(report);
    OSCOPE_ASSIGN_OR_RETURN(outcome.exit_code, RunAsGiven(command, quiet_stdout, cancel));
    if (WrittenAt(report) == before) {
      if (outcome.exit_code != 0) outcome.problem = NotFound("{} did not write {}", command.front(), report);
      return outcome;
    }
  }
  Result<std::vector<JUnitCase>> cases = ReadReport(report, cancel);
  if (!cases.ok() && command.empty()) return std::move(cases).error();
  if (!cases.ok()) {
    outcome.problem = std::move(cases).error();
    return outcome;
  }
  for (JUnitCase& one : *cases) {
    if (one.state != CaseState::kFailed) continue;
    FailedTest& test = outcome.failed.emplace_back();
    test.name = FullName(one);
    test.rules.command = WithoutLauncher(rerun.For(one));
    if (const std::string missing = rerun.Missing(one); !missing.empty()) {
      test.cannot_run = fmt::format("--rerun asks for {{{}}}, which the report does not have", missing);
    }
    test.rules.timeout_s = kDefaultTimeoutSeconds;
    test.reported = std::move(one);
  }
  if (command.empty()) outcome.exit_code = outcome.failed.empty() ? 0 : 1;
  return outcome;
}

std::vector<std::string> WithoutLauncher(std::vector<std::string> command) {
  if (command.size() < 4 || fs::path(command[0]).filename() != "oscope" || command[1] != "trace") return command;
  const auto end = std::find(command.begin(), command.end(), "--");
  if (end == command.end()) return command;
  command.erase(command.begin(), end + 1);
  return command;
}

}  // namespace oscope::cli
