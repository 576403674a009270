// What becomes of a failed test once it has run again: the verdicts of `oscope test`, and what is reported about a
// failure.
//
// A test runs as it is first. It passes: flaky. It fails: its failing cases run under the recorder, each by itself, or
// the test as a whole. One that passes there, or only hangs there, is not reproduced. All others are recorded.
// Threads: pure functions.
#pragma once

#include <optional>

#include "cli/testing/test_rerun.h"
#include "cli/testing/test_result.h"

namespace oscope::cli {

// Of a test that ran again as it is. Nothing: it fails, and is to be recorded.
std::optional<TestResult> VerdictAsItIs(const FailedTest& test, const PlainRun& plain);

// Of a part of it that ran under the recorder. Nothing: it passes there. A run whose verdict is kRecorded is to be
// kept, with the result's message.
std::optional<TestResult> VerdictUnderRecorder(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                                               const TracedTest& traced);

// Of a part that passes under the recorder, by itself and with the others.
TestResult NotReproduced(const PlainRun& plain, const TracedPart& part);

}  // namespace oscope::cli
