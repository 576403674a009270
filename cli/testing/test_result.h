// What became of one failed test, or of one failing case of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/similar/similar_answer.h"
#include "tracer/harness/failure_message.h"

namespace oscope::cli {

enum class TestVerdict : uint8_t {
  kRecorded,       // it fails under the recorder too
  kFlaky,          // it passes when it is run again as it is
  kNotReproduced,  // it fails as it is, and not in the same way under the recorder
  kNotRun,         // it cannot be run, or not be recorded
};

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

}  // namespace oscope::cli
