// Reads the words that choose traces from an expression's operators, and judges a trace by its header alone.
#include "query/semantics/trace_selection.h"

#include <algorithm>

#include "tracer/model/granularity.h"

namespace oscope {

using bql::Projection;

bool ChoosesTraces(const bql::TraceOp& op) {
  if (op.kind != bql::TraceOp::Kind::kProject) return false;
  const Projection::Kind kind = op.projection.kind;
  return kind == Projection::Kind::kStack || kind == Projection::Kind::kExecution ||
         kind == Projection::Kind::kThread || kind == Projection::Kind::kPassing;
}

TraceSelection::TraceSelection(const bql::BugTraces& traces) : failing_thread_(traces.failing_thread) {
  for (const bql::TraceOp& op : traces.ops) {
    if (op.kind != bql::TraceOp::Kind::kProject) continue;
    switch (op.projection.kind) {
      case Projection::Kind::kStack: kind_ = TraceKind::kStack; break;
      case Projection::Kind::kExecution:
        kind_ = TraceKind::kExecution;
        any_granularity_ = true;
        break;
      case Projection::Kind::kThread: threads_.push_back(op.projection.thread); break;
      case Projection::Kind::kPassing: passing_ = true; break;
      case Projection::Kind::kGranularity:
        if (!op.projection.negated) {
          needs_ = op.projection.granularity;
          any_granularity_ = true;
        }
        break;
      default: break;
    }
  }
}

bool TraceSelection::Admits(const TraceTraits& trace) const {
  if (trace.failing_run == passing_) return false;
  if (failing_thread_ && !trace.failing_thread) return false;
  if (kind_ && trace.kind != *kind_) return false;
  return std::all_of(threads_.begin(), threads_.end(), [&](uint32_t thread) { return trace.thread == thread; });
}

uint32_t TraceSelection::Rank(const TraceTraits& trace) const {
  constexpr uint32_t kStackRank = 10;
  if (trace.kind == TraceKind::kStack) return kStackRank;
  if (any_granularity_) return 0;
  switch (trace.granularity) {
    case Granularity::kStatement: return 1;
    case Granularity::kBlock: return 2;
    case Granularity::kInstruction: return 3;
    default: return 0;
  }
}

}  // namespace oscope
