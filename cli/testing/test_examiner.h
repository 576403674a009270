// Runs each failed test again, without and then under the recorder, and adds the result to a report.
//
// Tests run again as they are several at a time, unless they share something with others; they are recorded one by one,
// in the order in which they failed. What becomes of them is decided by test_verdict.h.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cli/testing/test_report.h"
#include "cli/testing/test_rerun.h"

namespace oscope::cli {

struct ExamineLimits {
  size_t max_failures = 20;  // that are recorded
  size_t jobs = 1;           // tests that run at once
};

// Keeps a recorded run and sets in `result` where. Its error is reported with the result, except kCancelled, which ends
// all.
using KeepRun = std::function<Status(RecordedRun& run, TestResult& result)>;

class TestExaminer {
 public:
  // All must outlive it.
  TestExaminer(const Context& context, const RerunSettings& settings, const Recorder& recorder, KeepRun keep,
               ExamineLimits limits)
      : context_(context), settings_(settings), recorder_(recorder), keep_(std::move(keep)), limits_(limits) {}

  // How many failures were left out, because there were more than the limit. An error: nothing could go on.
  Result<size_t> Examine(const std::vector<FailedTest>& failed, TestReport& report);

 private:
  std::vector<std::optional<Result<PlainRun>>> RunAgain(const std::vector<const FailedTest*>& tests) const;
  Status ExamineOne(const FailedTest& test, const Result<PlainRun>& plain, TestReport& report);
  Result<TestResult> ExaminePart(const FailedTest& test, const PlainRun& plain, const TracedPart& part,
                                 bool& whole_tried) const;
  Result<std::optional<TestResult>> Record(const FailedTest& test, const PlainRun& plain, const TracedPart& part) const;

  const Context& context_;
  const RerunSettings& settings_;
  const Recorder& recorder_;
  const KeepRun keep_;
  const ExamineLimits limits_;
  size_t recorded_ = 0, left_ = 0;
};

}  // namespace oscope::cli
