// To which bug a failing run belongs: the open one with the same project, test and failure, known by its fields `test`
// and `fingerprint`.
//
// `test`, `trace` and `import` all ask here: a run has the same bug whether it was recorded into the store or came in a
// file.
#pragma once

#include <optional>
#include <string>

#include "cli/context.h"

namespace oscope::cli {

struct RunFailure {
  std::string project;
  std::string bug;          // that somebody named; empty: it is to be found
  std::string test;         // what ran (tracer/model/test_identity.h)
  std::string former_test;  // what earlier releases would have called it; empty: the same
  std::string fingerprint, message, version;
  std::string title;   // that a bug made for it is to have; empty: test and message
  std::string people;  // the test as a title has it; empty: `test`
};

// What a run says of its failure. Its custom field `title` is the recorder's (tracer/record).
RunFailure FailureOf(const RunHeader& run);

// Whether it has failed and says enough to be given a bug: a fingerprint, or, where a bug is named already, the title
// of that one.
bool AsksForBug(const RunHeader& run);

struct BugOfFailure {
  BugKey bug{};
  bool is_new = false;
  bool reopened = false;
  std::optional<BugKey> resolved{};  // a resolved bug had this failure before: is it back?
};

struct BugForOptions {
  bool reopen = false;        // a resolved bug that had this failure; else that is a person's decision
  uint64_t first_number = 1;  // of a bug that is made
};

// The bug that is named, made if it is not there; else the open one with this failure, else a new one with the next
// number. A bug that is there keeps its title. A failure without a fingerprint is like no other.
Result<BugOfFailure> BugFor(Store& store, const RunFailure& failure, const BugForOptions& options = {});

// The bugs that have the failure, without making or changing one.
struct KnownBugs {
  std::optional<BugKey> open, resolved;  // the newest of each
};
Result<KnownBugs> BugsWithFailure(const Snapshot& snapshot, const RunFailure& failure);

}  // namespace oscope::cli
