// Did a test pass? By CTest's own rules.
//
//   SKIP_RETURN_CODE, SKIP_REGULAR_EXPRESSION   skipped, whatever else holds
//   FAIL_REGULAR_EXPRESSION found               failed
//   PASS_REGULAR_EXPRESSION                     decides in place of the exit code: one of them must be found
//   WILL_FAIL                                   turns the answer round, except of a crash and a time-out, which always
//                                               fail
//
// tests/unit/harness/test_outcome_test.cc compares it with the CTest that is installed.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

struct CTestTest;

// How a test ended, and what it printed on both streams.
struct TestEnd {
  int exit_code = 0;  // when `signal` is 0
  int signal = 0;
  bool timed_out = false;
  std::string output;
  double seconds = 0;
};

enum class TestOutcome : uint8_t { kPassed, kFailed, kTimedOut, kSkipped };

// `rules` are a test's properties; nullptr: the exit code alone.
TestOutcome TestOutcomeOf(const TestEnd& end, const CTestTest* rules);

// Why it failed, for people: "exit code 3", "SIGSEGV (Segmentation fault)", "timed out after 5 s" (by the rules, else
// what it took), "the output has what FAIL_REGULAR_EXPRESSION forbids". Empty when it passed.
std::string Reason(const TestEnd& end, const CTestTest* rules);

}  // namespace oscope
