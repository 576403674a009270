// Which cases of a test program failed, and how it is made to run one of them alone: GoogleTest and Boost.Test.
//
// Both read options from the environment, so any test can be asked without knowing what it is: it runs as it is, with a
// wish for a report. Where a report appears the framework is known, and so are the cases that failed. A program that
// crashed or hung leaves none; then GoogleTest's own output says which case had begun.
//   GTEST_OUTPUT=xml:DIR/        GTEST_FILTER=Suite.Case
//   BOOST_TEST_LOGGER=…:JUNIT,…  BOOST_TEST_RUN_FILTERS=suite/case
// An option on the command line wins over the variable, so that one is replaced.
// Threads: plain values; ReadReports reads files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tracer/harness/junit.h"
#include "tracer/harness/test_environment.h"

namespace oscope {

enum class Framework : uint8_t { kUnknown, kGoogleTest, kBoostTest };
std::string_view FrameworkName(Framework framework);  // "GoogleTest"; empty when it is unknown
// The variable that makes a program of the framework with this name run one case alone: "GTEST_FILTER"; empty when the
// name is unknown.
std::string_view FilterVariable(std::string_view framework_name);

// A program as it is to be run.
struct TestInvocation {
  std::vector<std::string> command;
  Environment environment;
};

// The same run, with reports left in `directory` (absolute, empty, without ':' or ',').
TestInvocation AskForReports(TestInvocation invocation, const std::string& directory);

struct FailingCases {
  Framework framework = Framework::kUnknown;
  size_t cases_run = 0;            // known of a report only
  std::vector<JUnitCase> failing;  // in their order
};

// From the reports in `directory` and, without one, from what the program printed. What cannot be read is as if it were
// not there.
FailingCases ReadReports(const std::string& directory, std::string_view output);

// The name under which the framework knows a case: "Suite.Case", "suite/case".
std::string CaseName(Framework framework, const JUnitCase& one);

// The same run of one case alone.
TestInvocation OnlyCase(TestInvocation invocation, Framework framework, const JUnitCase& one);

}  // namespace oscope
