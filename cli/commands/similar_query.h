// The search for similar bugs as a query: the shipped `suffix`, or for a bug that has only stacks `stack`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/similar_scan.h"
#include "cli/context.h"
#include "query/run/session.h"

namespace oscope::cli {

// How near a bug must be. Without a number of its own the search widens until it finds something.
struct SimilarDistance {
  bool any = false;               // all that share an event
  std::optional<uint32_t> edits;
};

struct SimilarAnswer {
  SimilarBugs found;
  TraceKind kind = TraceKind::kExecution;
  bool by_words = false;           // distances are thousandths by which the words of stacks differ, not edits
  std::vector<std::string> notes;  // that the search was widened
};

// What the failing runs of a bug can be compared by: its executions, else its stacks. kNotFound when it has no trace.
Result<TraceKind> ComparedKind(Session& session, const BugKey& bug);

// The `limit` (0: all) nearest other bugs. Executions are compared by their last `length` events up to the failure, stacks whole.
Result<SimilarAnswer> QuerySimilar(const Context& context, Session& session, const BugKey& bug, TraceKind kind, uint32_t length,
                                   const SimilarDistance& distance, size_t limit);

}  // namespace oscope::cli
