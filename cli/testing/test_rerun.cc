// Runs a failed test again: first without the recorder, then under it.
//
// The first rerun tells flaky tests apart and says which cases of a GoogleTest or Boost.Test program fail. If the test
// has no rules about its output, each failing case is then recorded alone (PartsOf), so that the trace contains that
// case and nothing else. A test with rules is recorded as a whole, since its output as a whole decides.
//
// A test that passes takes a known time, and under the recorder a multiple of it. The time limit is computed from the
// time of the first rerun rather than from the test's own limit alone, which is 25 minutes by default (TracedTimeout).
//
// Both reruns have the test's environment, directory and fixtures. Their outcome is judged by CTest's rules, not by the
// exit code alone.
#include "cli/testing/test_rerun.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "base/subprocess.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kMinTracedSeconds = 60;
constexpr double kSlack = 10;  // a test need not take the same time twice
constexpr std::streamoff kMaxOutputBytes = 64 << 20;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

milliseconds ToMilliseconds(double seconds) {
  constexpr double kLongest = 1e9;
  return milliseconds(static_cast<int64_t>(std::min(seconds, kLongest) * 1000));
}

Result<TestInvocation> InvocationOf(const CTestTest& test) {
  TestInvocation invocation{test.command, OwnEnvironment()};
  OSCOPE_RETURN_IF_ERROR(ModifyEnvironment(invocation.environment, test.environment, test.environment_modification));
  return invocation;
}

Result<TestEnd> RunOnce(const CTestTest& test, TestInvocation invocation, const CancelToken& cancel) {
  SubprocessOptions options;
  options.argv = std::move(invocation.command);
  options.environment = std::move(invocation.environment);
  options.working_directory = test.working_directory;
  options.one_stream = true;
  options.cancel = cancel;
  options.timeout = ToMilliseconds(test.timeout_s.value_or(0));
  const auto start = Clock::now();
  OSCOPE_ASSIGN_OR_RETURN(SubprocessOutput output, RunSubprocess(options));
  TestEnd end;
  end.exit_code = output.exit_code;
  end.signal = output.signal;
  end.timed_out = output.timed_out;
  end.output = std::move(output.out);
  end.seconds = SecondsSince(start);
  return end;
}

// What it printed, up to a limit, as of a plain run; a test that prints nothing leaves no file.
std::string ReadOutput(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  std::string output(static_cast<size_t>(std::clamp<std::streamoff>(size, 0, kMaxOutputBytes)), '\0');
  file.seekg(0);
  file.read(output.data(), static_cast<std::streamsize>(output.size()));
  output.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return output;
}

// The fixtures of a test, while it lives: set up before it, cleaned up after it.
class Fixtures {
 public:
  Fixtures(const FailedTest& test, const CancelToken& cancel) : test_(test), cancel_(cancel) {}
  Fixtures(const Fixtures&) = delete;
  Fixtures& operator=(const Fixtures&) = delete;
  ~Fixtures() {
    for (const CTestTest& cleanup : test_.cleanups) (void)Run(cleanup);
  }

  Status SetUp() const {
    for (const CTestTest& setup : test_.setups) OSCOPE_RETURN_IF_ERROR(Run(setup));
    return {};
  }

 private:
  Status Run(const CTestTest& fixture) const {
    if (fixture.command.empty()) return Invalid("its fixture {} has no command", fixture.name);
    OSCOPE_ASSIGN_OR_RETURN(TestInvocation invocation, InvocationOf(fixture));
    invocation.command = WithoutLauncher(std::move(invocation.command));
    OSCOPE_ASSIGN_OR_RETURN(const TestEnd end, RunOnce(fixture, std::move(invocation), cancel_));
    const std::string reason = Reason(end, &fixture);
    if (!reason.empty()) return Invalid("its fixture {} failed: {}", fixture.name, reason);
    return {};
  }

  const FailedTest& test_;
  const CancelToken& cancel_;
};

double TracedTimeout(const FailedTest& test, const PlainRun& plain, double factor) {
  const double own = test.rules.timeout_s.value_or(0);
  const double whole = own > 0 ? own * factor : 0;
  if (plain.end.timed_out) return std::max(whole, kMinTracedSeconds);
  const double enough = std::max(plain.end.seconds * factor * kSlack, kMinTracedSeconds);
  return whole > 0 ? std::max(std::min(whole, enough), kMinTracedSeconds) : enough;
}

// Whether anything but the exit code decides.
bool HasRules(const CTestTest& rules) {
  return rules.will_fail || !rules.pass_regexes.empty() || !rules.fail_regexes.empty() || !rules.skip_regexes.empty();
}

// Whether the command asks for this case alone already, as gtest_discover_tests() makes them.
bool AsksFor(const CTestTest& rules, const std::string& name) {
  return std::any_of(rules.command.begin(), rules.command.end(), [&](const std::string& word) {
    return word == "--gtest_filter=" + name || word == "--run_test=" + name;
  });
}

// What is marked by the runner's exit code may be right by the test's rules, and the other way round.
void SetOutcomeBy(TestOutcome told, RecordedRun& run) {
  const Outcome outcome = run.header().outcome;
  const bool failed = told == TestOutcome::kFailed || told == TestOutcome::kTimedOut;
  if (failed && !IsFailing(outcome)) run.SetOutcome(Outcome::kFailed);
}

// "NAME=value" and "NAME=operation:value" by their names, each once. Values are not kept.
void TellVariables(const CTestTest& rules, std::vector<NotKept>& not_kept) {
  for (const std::vector<std::string>* list : {&rules.environment, &rules.environment_modification}) {
    for (const std::string& variable : *list) {
      const NotKept missing{std::string(kVariableNotKept), variable.substr(0, variable.find('='))};
      if (std::ranges::find(not_kept, missing) == not_kept.end()) not_kept.push_back(missing);
    }
  }
}

Expectation ExpectationOf(const CTestTest& rules) {
  Expectation expected;
  expected.fails = rules.will_fail;
  expected.output = rules.pass_regexes;
  expected.forbidden_output = rules.fail_regexes;
  // Where the output or any failing code is asked for, no certain code is.
  if (!expected.fails && expected.output.empty()) expected.exit_code = 0;
  return expected;
}

// What of the test cannot be read from its command.
Repeat RepeatOf(const FailedTest& test, const PlainRun& plain, const TracedPart& part) {
  Repeat repeat;
  // A report of another runner has no rules of CTest's, and so no name in them.
  repeat.selection.runner = test.rules.name.empty() ? "junit" : "ctest";
  if (part.only) {
    repeat.selection.framework = FrameworkName(plain.cases.framework);
    repeat.selection.filter = CaseName(plain.cases.framework, *part.only);
    repeat.expected.exit_code = 0;
  } else {
    repeat.expected = ExpectationOf(test.rules);
  }
  TellVariables(test.rules, repeat.not_kept);
  for (const CTestTest& setup : test.setups) repeat.not_kept.push_back({std::string(kFixtureNotKept), setup.name});
  return repeat;
}

}  // namespace

std::vector<TracedPart> PartsOf(const FailedTest& test, const PlainRun& plain) {
  const FailingCases& cases = plain.cases;
  const bool apart = !HasRules(test.rules) && !cases.failing.empty();
  const std::string first = apart ? CaseName(cases.framework, cases.failing.front()) : "";
  if (!apart || (cases.failing.size() == 1 && (cases.cases_run == 1 || AsksFor(test.rules, first)))) {
    return {{test.name, std::nullopt, apart ? cases.failing.front() : test.reported}};
  }
  std::vector<TracedPart> parts;
  for (const JUnitCase& one : cases.failing) {
    parts.push_back({test.name + ":" + CaseName(cases.framework, one), one, one});
  }
  return parts;
}

Result<PlainRun> RunPlainly(const FailedTest& test, const CancelToken& cancel) {
  const Fixtures fixtures(test, cancel);
  OSCOPE_RETURN_IF_ERROR(fixtures.SetUp());
  OSCOPE_ASSIGN_OR_RETURN(const TestInvocation invocation, InvocationOf(test.rules));
  OSCOPE_ASSIGN_OR_RETURN(const ScratchDirectory reports, ScratchDirectory::Make(""));
  PlainRun plain;
  OSCOPE_ASSIGN_OR_RETURN(plain.end, RunOnce(test.rules, AskForReports(invocation, reports.path()), cancel));
  plain.outcome = TestOutcomeOf(plain.end, &test.rules);
  plain.cases = ReadReports(reports.path(), plain.end.output);
  return plain;
}

Result<TracedTest> RunTraced(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                             const RerunSettings& settings, const Recorder& recorder) {
  OSCOPE_RETURN_IF_ERROR(settings.cancel.Check());
  const Fixtures fixtures(test, settings.cancel);
  OSCOPE_RETURN_IF_ERROR(fixtures.SetUp());
  OSCOPE_ASSIGN_OR_RETURN(TestInvocation invocation, InvocationOf(test.rules));
  if (part.only) invocation = OnlyCase(std::move(invocation), plain.cases.framework, *part.only);
  OSCOPE_ASSIGN_OR_RETURN(const ScratchDirectory scratch, ScratchDirectory::Make(""));

  TracedRunRequest request;
  request.project = settings.project;
  request.version = settings.version;
  request.test = part.test;
  request.keep_inputs = settings.keep_inputs;
  request.repeat = RepeatOf(test, plain, part);
  request.launch.command = std::move(invocation.command);
  request.launch.environment = std::move(invocation.environment);
  request.launch.working_directory = test.rules.working_directory;
  request.launch.output_file = scratch.path() + "/output";
  request.launch.no_input = true;
  request.launch.settings = settings.trace;
  request.launch.timeout = ToMilliseconds(TracedTimeout(test, plain, settings.timeout_factor));
  request.launch.end_if_stopped = true;
  request.launch.cancel = settings.cancel;

  const auto start = Clock::now();
  ProgramEnd program;
  OSCOPE_ASSIGN_OR_RETURN(RecordedRun run, TraceCommand(request, recorder, &program));
  TestEnd end;
  end.exit_code = program.exit_code;
  end.signal = program.timed_out ? 0 : program.signal;
  end.timed_out = program.timed_out;
  end.seconds = SecondsSince(start);
  if (program.stop_asked) return Cancelled("{} was stopped", part.test);
  end.output = ReadOutput(request.launch.output_file);
  const TestOutcome outcome = TestOutcomeOf(end, part.only ? nullptr : &test.rules);
  SetOutcomeBy(outcome, run);
  return TracedTest{std::move(end), outcome, std::move(run)};
}

}  // namespace oscope::cli
