// The rule that gives a failing run its bug: the open one with the same failure, else a new one with the next number.
//
// `test`, `trace` and `import` all give it to their commits, and so does whatever uploads later: a run has the same bug
// whether it was recorded into the store or came in a file. The commit calls it with the version that it builds on
// (index/store/known_bugs.h), so that two that report one failure at once make one bug.
// Threads: a rule may be called from any thread, by one at a time.
#pragma once

#include "index/store/known_bugs.h"

namespace oscope {

struct FailureRuleOptions {
  // A resolved bug that had this failure is reopened; else that is a person's decision, and a new bug is made.
  bool reopen = false;
  // A failure without a fingerprint is like no other, and gets a bug of its own; else it gets none.
  bool without_fingerprint = false;
};

// A run that names a bug has that one. If nobody has reported it and the run has a title for it (its custom field
// `title`, by the recorder), it is made from the failure. A run that passed keeps what it has.
BugRule FailureRule(const FailureRuleOptions& options = {});

// Sets the status and, with it, when the bug was resolved.
void SetStatus(Bug& bug, BugStatus status, int64_t now_ns);

}  // namespace oscope
