// To which bug a failing run of a test belongs: one with the same project, test and failure, known by its fields `test` and `fingerprint`.
#pragma once

#include <optional>
#include <string>

#include "cli/context.h"

namespace oscope::cli {

struct TestFailure {
  std::string project, test, fingerprint;
  std::string message, version;
};

struct BugOfFailure {
  BugKey bug{};
  bool is_new = false;
  bool reopened = false;
  std::optional<BugKey> resolved{};  // a resolved bug had this failure before: is it back?
};

// The open bug, else a new one with the next number, titled by test and message. Whether a resolved bug is back is a person's decision: it is
// reopened only when `reopen` says so.
Result<BugOfFailure> BugFor(Store& store, const TestFailure& failure, bool reopen);

}  // namespace oscope::cli
