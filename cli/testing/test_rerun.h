// Runs a failed test again: as it is, and under the recorder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/testing/test_failures.h"
#include "cli/tracing/traced_run.h"
#include "tracer/harness/framework_cases.h"
#include "tracer/harness/test_outcome.h"

namespace oscope::cli {

struct RerunSettings {
  double timeout_factor = 20;
  TraceSettings trace;
  std::string project, version;
  bool keep_inputs = true;
  CancelToken cancel;
};

// A run without the recorder.
struct PlainRun {
  TestEnd end;
  TestOutcome outcome = TestOutcome::kFailed;
  FailingCases cases;
};

// What is traced by itself: a failing case of a test program, or the test as a whole.
struct TracedPart {
  std::string test;               // "parser_test", "parser_test:Parse.Empty"
  std::optional<JUnitCase> only;  // the case
  JUnitCase reported;             // what is known of it already
};

// The parts of a test that failed. Where only the exit code of the whole means something, or one case is all that ran,
// it is one part.
std::vector<TracedPart> PartsOf(const FailedTest& test, const PlainRun& plain);

struct TracedTest {
  TestEnd end;
  TestOutcome outcome = TestOutcome::kFailed;
  RecordedRun run;
};

// kNotFound, kInvalid and others when it or a fixture of it cannot be run, kCancelled when it is cancelled or the user stops it.
// May be called from several threads.
Result<PlainRun> RunPlainly(const FailedTest& test, const CancelToken& cancel = {});

// The time-out is the test's own times the factor, a minute at least. A test that did not hang is given no more than
// ten times the factor of the time that it took, so that one which hangs under the recorder alone does not take hours.
Result<TracedTest> RunTraced(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                             const RerunSettings& settings, const Recorder& recorder);

}  // namespace oscope::cli
