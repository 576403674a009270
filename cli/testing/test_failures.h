// Which tests failed, by what their runner says, and how each is run again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context/context.h"
#include "tracer/harness/ctest_command.h"
#include "tracer/harness/ctest_tests.h"
#include "tracer/harness/junit.h"
#include "tracer/harness/rerun_command.h"

namespace oscope::cli {

struct FailedTest {
  std::string name;
  CTestTest rules;                          // its command, directory and environment, and what passing means
  std::vector<CTestTest> setups, cleanups;  // fixtures that it needs
  std::string cannot_run;                   // why it cannot be run again; empty: it can
  JUnitCase reported;                       // what the runner's report says of it
};

struct RunnerOutcome {
  int exit_code = 0;
  std::vector<FailedTest> failed;
  Status problem;  // why it is not known which tests failed
};

// Runs CTest as it was given and finds out what failed. With `quiet_stdout` it prints to standard error, so that stdout
// is ours. kCancelled when the user stopped it, kNotFound when there is no such program.
Result<RunnerOutcome> RunCTest(const CTestCommand& command, bool quiet_stdout, const CancelToken& cancel);

// Runs a command, if there is one, and reads the report that it leaves. Without one the exit code is 1 when a test
// failed.
Result<RunnerOutcome> RunJUnit(const std::vector<std::string>& command, const std::string& report,
                               const RerunCommand& rerun, bool quiet_stdout, const CancelToken& cancel);

// A test that is traced for good (cmake/package) starts with our own launcher, which must not record the reruns once
// more.
std::vector<std::string> WithoutLauncher(std::vector<std::string> command);

}  // namespace oscope::cli
