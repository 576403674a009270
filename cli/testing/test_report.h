// What `oscope test` tells of each failed test: as text, as JSON, as annotations of a code review.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output/json_output.h"
#include "cli/similar/similar_answer.h"
#include "tracer/harness/failure_message.h"

namespace oscope::cli {

enum class TestVerdict : uint8_t {
  kRecorded,       // it fails under the recorder too
  kFlaky,          // it passes when it is run again as it is
  kNotReproduced,  // it fails as it is, and not in the same way under the recorder
  kNotRun,         // it cannot be run, or not be recorded
};
std::string_view TestVerdictName(TestVerdict verdict);  // "recorded", "flaky", "not-reproduced", "not-run"

struct TestResult {
  std::string test{};  // the {} let callers name only what they set
  TestVerdict verdict = TestVerdict::kNotRun;
  std::string why{};      // of what was not recorded
  std::string message{};  // the failure's
  std::optional<SourcePlace> place{};
  std::optional<Outcome> outcome{};  // how it ended when it failed; missing where it was not seen to
  std::string reason{};              // of the failure mark
  std::optional<RunId> run{};        // that was kept
  std::optional<RunDecision> bug{};
  std::string fingerprint{};
  std::string file{};  // that the run was written to
  uint64_t events = 0;
  std::optional<SimilarAnswer> similar{};
  std::vector<std::string> notes{};
  Status error{};  // why the run was not kept
};

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
