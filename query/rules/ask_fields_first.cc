// Fields before set predicates, in every conjunction: they cost nothing, and what they reject need not be compared. A
// stable partition keeps the order of the set predicates, on which the pair that is shown depends.
#include <algorithm>

#include "query/rules/rules.h"

namespace oscope {
namespace {

using bql::Condition;

bool HasSetPredicate(const Condition& condition) {
  return condition.kind == Condition::Kind::kSet ||
         std::any_of(condition.parts.begin(), condition.parts.end(), HasSetPredicate);
}

void Order(Condition& condition) {
  for (Condition& part : condition.parts) Order(part);
  if (condition.kind != Condition::Kind::kAnd) return;
  std::stable_partition(condition.parts.begin(), condition.parts.end(),
                        [](const Condition& part) { return !HasSetPredicate(part); });
}

}  // namespace

QueryPlan AskFieldsFirst(QueryPlan plan) {
  Order(plan.select.where);
  return plan;
}

}  // namespace oscope
