// Merges neighbouring cuts of the same kind into the shorter one and moves words that choose traces behind the cuts.
// They commute, since a word looks at the trace's header and a cut at its events.
#include <algorithm>
#include <iterator>

#include "query/rules/rules.h"
#include "query/semantics/trace_selection.h"

namespace oscope {
namespace {

using bql::TraceOp;

void Shorten(bql::BugTraces& traces) {
  std::vector<TraceOp> words, cuts;
  for (TraceOp& op : traces.ops) {
    if (ChoosesTraces(op)) {
      words.push_back(std::move(op));
      continue;
    }
    const bool twice = !cuts.empty() && op.kind != TraceOp::Kind::kProject && cuts.back().kind == op.kind;
    if (twice) {
      cuts.back().length = std::min(cuts.back().length, op.length);
    } else {
      cuts.push_back(std::move(op));
    }
  }
  // The words come last, where they do not separate two operators that could be joined.
  traces.ops = std::move(cuts);
  std::move(words.begin(), words.end(), std::back_inserter(traces.ops));
}

void Shorten(bql::TracePattern& pattern) {
  Shorten(pattern.traces);
  for (bql::TracePattern& part : pattern.parts) Shorten(part);
}

void Shorten(bql::Condition& condition) {
  Shorten(condition.set.left);
  Shorten(condition.set.right);
  for (bql::Condition& part : condition.parts) Shorten(part);
}

}  // namespace

QueryPlan ShortenOperators(QueryPlan plan) {
  Shorten(plan.select.where);
  // Two predicates may have become one.
  return MakePlan(plan.select);
}

}  // namespace oscope
