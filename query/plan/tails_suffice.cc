// An expression needs tails only, if the first operator that changes events is a suffix that fits into a tail.
#include "query/plan/tails_suffice.h"

#include "index/tails/tail_table.h"
#include "query/semantics/trace_selection.h"

namespace oscope {

bool TailsSuffice(const bql::BugTraces& traces) {
  // The index does not say which granularities a trace mixes.
  if (TraceSelection(traces).needs()) return false;
  for (const bql::TraceOp& op : traces.ops) {
    if (!ChoosesTraces(op)) return op.kind == bql::TraceOp::Kind::kSuffix && op.length <= kTailEvents;
  }
  return false;
}

}  // namespace oscope
