// Runs the failed tests again. The reruns without the recorder are independent of each other and may go on several
// threads; a test that CTest would not run beside others (RUN_SERIAL, resource locks, fixtures) runs alone. Recordings
// are made one after another, since each uses as much of the machine as it can get.
#include "cli/testing/test_examiner.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "cli/output/text.h"
#include "cli/testing/test_verdict.h"

namespace oscope::cli {
namespace {

void Progress(const Context& context, const std::string& what) {
  if (isatty(STDERR_FILENO) == 1) context.Note("{}", Shown(what));
}

}  // namespace

Result<size_t> TestExaminer::Examine(const std::vector<FailedTest>& failed, TestReport& report) {
  recorded_ = left_ = 0;
  std::vector<const FailedTest*> tests;
  for (const FailedTest& test : failed) {
    if (!test.cannot_run.empty()) {
      report.Add({.test = test.name, .verdict = TestVerdict::kNotRun, .why = test.cannot_run});
    } else if (tests.size() < limits_.max_failures) {
      tests.push_back(&test);
    } else {
      ++left_;
    }
  }
  const std::vector<std::optional<Result<PlainRun>>> plain = RunAgain(tests);
  OSCOPE_RETURN_IF_ERROR(settings_.cancel.Check());
  for (size_t i = 0; i < tests.size(); ++i) OSCOPE_RETURN_IF_ERROR(ExamineOne(*tests[i], *plain[i], report));
  return left_;
}

// The tests as they are, some at a time; those that share something with others one after another.
std::vector<std::optional<Result<PlainRun>>> TestExaminer::RunAgain(const std::vector<const FailedTest*>& tests) const {
  std::vector<std::optional<Result<PlainRun>>> runs(tests.size());
  const auto is_alone = [](const FailedTest& test) {
    return test.rules.alone || !test.setups.empty() || !test.cleanups.empty();
  };
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < tests.size() && !settings_.cancel.cancelled(); i = next++) {
      if (!is_alone(*tests[i])) runs[i] = RunPlainly(*tests[i], settings_.cancel);
    }
  };
  if (!tests.empty()) Progress(context_, fmt::format("running {} again", Counted(tests.size(), "failed test")));
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min(limits_.jobs, tests.size()); ++i) threads.emplace_back(work);
    work();
  }
  for (size_t i = 0; i < tests.size() && !settings_.cancel.cancelled(); ++i) {
    if (is_alone(*tests[i])) runs[i] = RunPlainly(*tests[i], settings_.cancel);
  }
  return runs;
}

Status TestExaminer::ExamineOne(const FailedTest& test, const Result<PlainRun>& plain, TestReport& report) {
  if (!plain.ok()) {
    if (plain.error().code == ErrorCode::kCancelled) return plain.error();
    report.Add({.test = test.name, .verdict = TestVerdict::kNotRun, .why = plain.error().message});
    return {};
  }
  if (std::optional<TestResult> result = VerdictAsItIs(test, *plain)) {
    report.Add(*std::move(result));
    return {};
  }
  bool whole_tried = false;
  for (const TracedPart& part : PartsOf(test, *plain)) {
    if (recorded_ >= limits_.max_failures) {
      ++left_;
      continue;
    }
    OSCOPE_ASSIGN_OR_RETURN(TestResult result, ExaminePart(test, *plain, part, whole_tried));
    if (result.verdict == TestVerdict::kRecorded) ++recorded_;
    report.Add(std::move(result));
  }
  return {};
}

Result<TestResult> TestExaminer::ExaminePart(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                                             bool& whole_tried) const {
  OSCOPE_ASSIGN_OR_RETURN(std::optional<TestResult> result, Record(test, plain, part));
  if (!result && !whole_tried) {
    // A case that fails in company only.
    whole_tried = true;
    const TracedPart whole{test.name, std::nullopt, part.reported};
    OSCOPE_ASSIGN_OR_RETURN(result, Record(test, plain, whole));
    if (result && result->verdict == TestVerdict::kRecorded) {
      result->notes.push_back(
          fmt::format("{} passes alone, and fails with the other cases: the whole test was recorded", part.test));
    }
  }
  return result ? *std::move(result) : NotReproduced(plain, part);
}

// Nothing: it passes under the recorder. An error: nothing can go on.
Result<std::optional<TestResult>> TestExaminer::Record(const FailedTest& test, const PlainRun& plain,
                                                       const TracedPart& part) const {
  Progress(context_, "tracing " + part.test);
  Result<TracedTest> traced = RunTraced(test, plain, part, settings_, recorder_);
  if (!traced.ok()) {
    if (traced.error().code == ErrorCode::kCancelled) return std::move(traced).error();
    return std::optional(
        TestResult{.test = part.test, .why = traced.error().message, .place = FindPlace(part.reported)});
  }
  std::optional<TestResult> result = VerdictUnderRecorder(test, plain, part, *traced);
  if (!result || result->verdict != TestVerdict::kRecorded) return result;
  traced->run.SetMessage(result->message);
  // The other failures are reported even if this one cannot be kept, for example because the disk is full.
  result->error = keep_(traced->run, *result);
  if (!result->error.ok() && result->error.error().code == ErrorCode::kCancelled) return result->error.error();
  return result;
}

}  // namespace oscope::cli
