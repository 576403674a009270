// The number of variables decides how a predicate is found out: none, once; one, by a search over all bugs; two, one
// on each side, by a join; anything else, row by row.
#include <set>

#include "query/rules/rules.h"
#include "query/semantics/expressions.h"

namespace oscope {
namespace {

using Role = PredicatePlan::Role;

void Choose(PredicatePlan& plan) {
  const bql::SetPredicate& predicate = plan.predicate;
  std::set<uint32_t> variables;
  if (predicate.left.variable) variables.insert(*predicate.left.variable);
  ForEachTraces(predicate.right, [&](const bql::BugTraces& traces) {
    if (traces.variable) variables.insert(*traces.variable);
  });
  if (variables.empty()) {
    plan.role = Role::kConstant;
  } else if (variables.size() == 1) {
    plan.role = Role::kSearch;
    plan.variable = *variables.begin();
  } else if (variables.size() == 2 && predicate.left.variable &&
             predicate.right.kind == bql::TracePattern::Kind::kTraces) {
    plan.role = Role::kJoin;
    plan.variable = *predicate.left.variable;
    plan.other = *predicate.right.traces.variable;
  } else {
    plan.role = Role::kPerRow;
  }
}

}  // namespace

QueryPlan ChooseRoles(QueryPlan plan) {
  for (PredicatePlan& predicate : plan.predicates) Choose(predicate);
  return plan;
}

}  // namespace oscope
