// Puts together what is known of a failure from three sources that know different things: the runner's report, the run
// without the recorder, and the recording. What a test framework says is better than an exit code; what a program
// printed before a signal ended it is not the reason for the signal.
#include "cli/testing/test_verdict.h"

#include <fmt/core.h>

#include "cli/tracing/recorded_facts.h"

namespace oscope::cli {
namespace {

// Where the recorder saw no more than the end of the program.
bool IsWeak(FailureKind kind) { return kind == FailureKind::kExit || kind == FailureKind::kTimeout; }

// What the recorder could say only by the exit code, a framework or the output says better; but what a program printed
// before a signal or a time-out ended it is not why. Of a time-out under the recorder, the run as it is: that one had
// the test's own time.
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

}  // namespace

std::optional<TestResult> VerdictAsItIs(const FailedTest& test, const PlainRun& plain) {
  if (plain.outcome != TestOutcome::kPassed && plain.outcome != TestOutcome::kSkipped) return std::nullopt;
  return TestResult{.test = test.name,
                    .verdict = TestVerdict::kFlaky,
                    .why = fmt::format("it failed, and {} when it is run again",
                                       plain.outcome == TestOutcome::kPassed ? "passes" : "skips"),
                    .message = FailureMessage(test.reported)};
}

std::optional<TestResult> VerdictUnderRecorder(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                                               const TracedTest& traced) {
  if (traced.outcome == TestOutcome::kPassed || traced.outcome == TestOutcome::kSkipped) return std::nullopt;
  const RecordedRun& run = traced.run;
  TestResult result{.test = part.test, .place = FindPlace(part.reported)};
  result.notes = run.notes();
  result.outcome = run.header().outcome;
  result.reason = FailureReason(run);
  result.message = BestMessage(run, part, traced.end, plain.end, test.rules);
  if (traced.outcome == TestOutcome::kTimedOut && !plain.end.timed_out) {
    result.verdict = TestVerdict::kNotReproduced;
    result.outcome = OutcomeOf(plain.end);
    result.reason.clear();
    result.why = fmt::format(
        "it fails without the recorder, and had to be ended after {:.3g} s under the recorder; --timeout-factor gives "
        "it "
        "more time",
        traced.end.seconds);
    return result;
  }
  if (run.events() == 0) {
    result.why = "nothing was recorded: all of its functions are left out by the rules (--all records everything)";
    return result;
  }
  result.verdict = TestVerdict::kRecorded;
  result.place = BestPlace(run, part, result.message);
  return result;
}

TestResult NotReproduced(const PlainRun& plain, const TracedPart& part) {
  return TestResult{.test = part.test,
                    .verdict = TestVerdict::kNotReproduced,
                    .why = "it fails without the recorder, and passes under it",
                    .message = FailureMessage(part.reported),
                    .place = FindPlace(part.reported),
                    .outcome = OutcomeOf(plain.end)};
}

}  // namespace oscope::cli
