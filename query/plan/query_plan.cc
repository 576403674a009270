#include "query/plan/query_plan.h"

#include <algorithm>

#include "base/result.h"
#include "query/rules/rules.h"
#include "query/semantics/expressions.h"

namespace oscope {

size_t QueryPlan::IndexOf(const bql::SetPredicate& predicate) const {
  const auto at = std::find_if(predicates.begin(), predicates.end(),
                               [&](const PredicatePlan& plan) { return plan.predicate == predicate; });
  OSCOPE_CHECK(at != predicates.end());
  return static_cast<size_t>(at - predicates.begin());
}

QueryPlan MakePlan(const bql::Select& select) {
  QueryPlan plan;
  plan.select = select;
  ForEachSetPredicate(plan.select.where, [&](const bql::SetPredicate& predicate) {
    const bool known = std::any_of(plan.predicates.begin(), plan.predicates.end(),
                                   [&](const PredicatePlan& one) { return one.predicate == predicate; });
    if (!known) plan.predicates.emplace_back().predicate = predicate;
  });
  plan.runs_first = true;
  return plan;
}

QueryPlan OptimisePlan(QueryPlan plan, bool use_index) {
  using Rule = QueryPlan (*)(QueryPlan);
  std::vector<Rule> rules = {ShortenOperators, AskFieldsFirst, ChooseRoles};
  if (use_index) rules.insert(rules.end(), {ReadTails, CompareTails});
  rules.insert(rules.end(), {LimitAsBound, ReadReportsLate});
  for (const Rule rule : rules) plan = rule(std::move(plan));
  return plan;
}

}  // namespace oscope
