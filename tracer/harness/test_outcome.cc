// Decides as CTest does whether a test passed. The order of the questions matters: a time-out or a signal is a failure
// whatever the rules say, then comes the skip code, then the regular expressions replace the exit code, and WILL_FAIL
// inverts the result at the end.
#include "tracer/harness/test_outcome.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "tracer/harness/cmake_regex.h"
#include "tracer/harness/ctest_tests.h"

namespace oscope {
namespace {

bool AnyFound(const std::vector<std::string>& regexes, std::string_view output) {
  return std::any_of(regexes.begin(), regexes.end(),
                     [&](const std::string& regex) { return CMakeRegex(regex).FoundIn(output); });
}

std::string SignalText(int number) {
  const char* name = sigabbrev_np(number);
  const char* words = sigdescr_np(number);
  if (name == nullptr || words == nullptr) return fmt::format("signal {}", number);
  return fmt::format("SIG{} ({})", name, words);
}

}  // namespace

TestOutcome TestOutcomeOf(const TestEnd& end, const CTestTest* rules) {
  if (end.timed_out) return TestOutcome::kTimedOut;
  if (end.signal != 0) return TestOutcome::kFailed;
  if (rules == nullptr) return end.exit_code == 0 ? TestOutcome::kPassed : TestOutcome::kFailed;
  if (rules->skip_return_code == end.exit_code || AnyFound(rules->skip_regexes, end.output))
    return TestOutcome::kSkipped;
  bool passed = end.exit_code == 0;
  if (!rules->pass_regexes.empty()) passed = AnyFound(rules->pass_regexes, end.output);
  if (AnyFound(rules->fail_regexes, end.output)) passed = false;
  return passed != rules->will_fail ? TestOutcome::kPassed : TestOutcome::kFailed;
}

std::string Reason(const TestEnd& end, const CTestTest* rules) {
  const TestOutcome outcome = TestOutcomeOf(end, rules);
  if (outcome == TestOutcome::kPassed || outcome == TestOutcome::kSkipped) return {};
  if (end.timed_out && rules != nullptr && rules->timeout_s)
    return fmt::format("timed out after {:g} s", *rules->timeout_s);
  if (end.timed_out) return fmt::format("timed out after {:.3g} s", end.seconds);
  if (end.signal != 0) return SignalText(end.signal);
  if (rules != nullptr && rules->will_fail) return "it passed, and WILL_FAIL says that it must not";
  if (rules != nullptr && AnyFound(rules->fail_regexes, end.output))
    return "the output has what FAIL_REGULAR_EXPRESSION forbids";
  if (rules != nullptr && !rules->pass_regexes.empty()) return "the output lacks what PASS_REGULAR_EXPRESSION asks for";
  return fmt::format("exit code {}", end.exit_code);
}

}  // namespace oscope
