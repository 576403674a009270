// The usual search: the bugs whose failing runs ended like those of a bug, or like one run.
//
// Executions are compared by their last events (the shipped query `suffix`); bugs that are farther away follow by the
// methods that ran last. Stacks are compared whole, by the words of their frames. docs/history-accuracy.md and
// docs/accuracy.md measure both.
// Threads: those of the session.
//
// Example:
//   OSCOPE_ASSIGN_OR_RETURN(const SimilarAnswer answer, FindSimilar(session, BugKey{"Beanutils", "342"}, {}));
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "query/run/session.h"
#include "query/similar/similar_answer.h"

namespace oscope {

// How near a bug must be. Without a number of its own, bugs that are not near follow.
struct SimilarDistance {
  bool any = false;  // all that share an event
  std::optional<uint32_t> edits;
};

// What is compared where there are both executions and stacks.
enum class CompareFirst : uint8_t { kExecutions, kStacks };

struct SimilarOptions {
  uint32_t suffix = 50;  // of executions; stacks are compared whole
  SimilarDistance distance = {};
  size_t limit = 10;  // bugs; 0 is all
  CompareFirst first = CompareFirst::kExecutions;
};

// The bugs similar to a bug, nearest first, in the newest version of the store; the bug itself is not among them.
// The session keeps its own parameters and limit.
// Fails with kNotFound when no failing run of the bug has a trace to compare; else as a statement of the session does.
Result<SimilarAnswer> FindSimilar(Session& session, const BugKey& bug, const SimilarOptions& options);

// The same for a run. The bug that it belongs to is no answer. kNotFound when it has no trace of a failure.
Result<SimilarAnswer> FindSimilar(Session& session, RunId run, const SimilarOptions& options);

}  // namespace oscope
