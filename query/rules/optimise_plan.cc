#include "query/rules/optimise_plan.h"

#include <utility>
#include <vector>

#include "query/rules/rules.h"

namespace oscope {

QueryPlan OptimisePlan(QueryPlan plan, bool use_index) {
  using Rule = QueryPlan (*)(QueryPlan);
  std::vector<Rule> rules = {ShortenOperators, AskFieldsFirst, ChooseRoles};
  if (use_index) rules.insert(rules.end(), {ReadTails, CompareTails});
  rules.insert(rules.end(), {LimitAsBound, ReadReportsLate});
  for (const Rule rule : rules) plan = rule(std::move(plan));
  return plan;
}

}  // namespace oscope
