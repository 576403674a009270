// Recognises the predicates that a search or a join over tails can serve: the variable's side is a plain tail, the
// known side fits into one, and the metric has a matcher for tails. A JACCARD? of threshold 0 is not among them, since
// it also holds for bugs that have nothing near.
#include <algorithm>

#include "query/plan/tails_suffice.h"
#include "query/rules/rules.h"
#include "query/semantics/metric_table.h"
#include "query/semantics/trace_selection.h"

namespace oscope {
namespace {

using bql::BugTraces;
using bql::TracePattern;

// b[len] with words that choose traces, and nothing else: the tails as they are.
bool IsTail(const BugTraces& traces) {
  if (!TailsSuffice(traces)) return false;
  return std::count_if(traces.ops.begin(), traces.ops.end(),
                       [](const bql::TraceOp& op) { return !ChoosesTraces(op); }) == 1;
}

// Known traces that are short enough for the kernel.
bool IsShortConstant(const TracePattern& pattern) {
  if (pattern.kind == TracePattern::Kind::kTraces) return !pattern.traces.variable && TailsSuffice(pattern.traces);
  return pattern.kind == TracePattern::Kind::kUnion &&
         std::all_of(pattern.parts.begin(), pattern.parts.end(), IsShortConstant);
}

// A JACCARD? of threshold 0 holds of traces that are not near at all, which a search does not find.
bool HoldsOnlyOfNear(const bql::SetPredicate& predicate) {
  return predicate.kind != bql::SetPredicate::Kind::kJaccard || predicate.threshold > 0;
}

// The side that the variable stands on is a tail, the other one has traces that are known beforehand.
bool CanSearch(const bql::SetPredicate& predicate) {
  if (predicate.left.variable) return IsTail(predicate.left) && IsShortConstant(predicate.right);
  return predicate.right.kind == TracePattern::Kind::kTraces && IsTail(predicate.right.traces) &&
         TailsSuffice(predicate.left);
}

bool CanJoin(const bql::SetPredicate& predicate) {
  return IsTail(predicate.right.traces) && TailsSuffice(predicate.left);
}

}  // namespace

QueryPlan CompareTails(QueryPlan plan) {
  const std::optional<TailMatching>& tails = MeasureOf(plan.select.metric.kind).tails;
  if (!tails) return plan;
  for (PredicatePlan& one : plan.predicates) {
    const bool search = one.role == PredicatePlan::Role::kSearch && CanSearch(one.predicate);
    const bool join = one.role == PredicatePlan::Role::kJoin && tails->joins && CanJoin(one.predicate);
    if ((search || join) && HoldsOnlyOfNear(one.predicate)) one.tails = tails;
  }
  return plan;
}

}  // namespace oscope
