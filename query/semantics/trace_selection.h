// Which of a bug's traces an expression takes, before its operators change them: t(b) of BQL.
//
// Without words: the traces of the failing runs, of the first kind the bug has: execution traces (method before
// statement, block, instruction), else stacks. `stack` and `execution` ask for one kind whatever its granularity,
// `passing` for the passing runs, `thread:N` for a thread, `b.failing` for the failing one; a granularity for the
// traces that have such an event, execution before stack. The first kind is chosen among the traces that the other
// words leave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bql/check/query.h"
#include "tracer/model/granularity.h"
#include "tracer/model/run.h"

namespace oscope {

// Whether an operator is a word that only chooses traces: stack, execution, thread:N, passing.
bool ChoosesTraces(const bql::TraceOp& op);

// What the choice looks at.
struct TraceTraits {
  TraceKind kind = TraceKind::kExecution;
  Granularity granularity = Granularity::kMethod;  // the coarsest of its events, up to method
  bool failing_run = true;
  bool failing_thread = false;
  uint32_t thread = 0;
};

class TraceSelection {
 public:
  explicit TraceSelection(const bql::BugTraces& traces);

  // Whether a trace could be taken, before the first kind is known.
  bool Admits(const TraceTraits& trace) const;
  // The rank of a trace's kind: of those admitted, the ones of the least rank are taken.
  uint32_t Rank(const TraceTraits& trace) const;

  // A granularity that a trace must have an event of; the caller looks, since traits do not say.
  std::optional<Granularity> needs() const { return needs_; }

  bool operator==(const TraceSelection&) const = default;

 private:
  bool failing_thread_ = false;
  bool passing_ = false;
  bool any_granularity_ = false;
  std::optional<TraceKind> kind_;
  std::vector<uint32_t> threads_;
  std::optional<Granularity> needs_;
};

}  // namespace oscope
