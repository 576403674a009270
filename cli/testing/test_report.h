// What `oscope test` reports for each failed test: as text, as JSON, or as annotations of a code review.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context/context.h"
#include "cli/output/json_output.h"
#include "cli/testing/test_result.h"

namespace oscope::cli {

std::string_view TestVerdictName(TestVerdict verdict);  // "recorded", "flaky", "not-reproduced", "not-run"

class TestReport {
 public:
  TestReport(const Context& context, bool annotate) : context_(context), annotate_(annotate) {}

  // Tells it at once; with --json when all are there.
  void Add(TestResult result);
  void Finish(int exit_code, size_t left);
  Json AsJson(int exit_code, size_t left) const;
  size_t not_kept() const;  // runs that could not be

 private:
  std::vector<std::vector<const TestResult*>> Alike() const;  // those that fail alike, two at least
  void Print(const TestResult& result) const;
  void PrintRecorded(const TestResult& result) const;
  std::string HowToImport() const;  // empty where no file was written

  const Context& context_;
  bool annotate_;
  std::vector<TestResult> results_;
};

}  // namespace oscope::cli
