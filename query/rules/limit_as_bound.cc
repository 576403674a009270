// LIMIT n becomes a bound that falls while the search runs. It may be used only where the rows are ranked by the very
// distance that the search finds, and where one predicate decides: no other set predicate may reject one of the
// nearest n.
#include <algorithm>

#include "query/rules/rules.h"

namespace oscope {
namespace {

using bql::Condition;

// The only set predicate, when the condition is it alone or a conjunction of it and fields.
const bql::SetPredicate* OnlyPredicate(const Condition& condition) {
  if (condition.kind == Condition::Kind::kSet) return &condition.set;
  if (condition.kind != Condition::Kind::kAnd) return nullptr;
  const bql::SetPredicate* found = nullptr;
  for (const Condition& part : condition.parts) {
    if (part.kind == Condition::Kind::kField) continue;
    if (part.kind != Condition::Kind::kSet || found != nullptr) return nullptr;
    found = &part.set;
  }
  return found;
}

bool RanksByDistance(const bql::Select& select) {
  return !select.order ||
         (select.order->column.kind == bql::OutputColumn::Kind::kDistance && !select.order->descending);
}

}  // namespace

QueryPlan LimitAsBound(QueryPlan plan) {
  const bql::Select& select = plan.select;
  const bool counts = std::any_of(select.columns.begin(), select.columns.end(), [](const bql::OutputColumn& column) {
    return column.kind == bql::OutputColumn::Kind::kCount;
  });
  const bql::SetPredicate* only = OnlyPredicate(select.where);
  if (!select.limit || counts || only == nullptr || !RanksByDistance(select)) return plan;
  PredicatePlan& predicate = plan.predicates[plan.IndexOf(*only)];
  // JACCARD?'s distance is not that of any pair.
  if (predicate.predicate.kind == bql::SetPredicate::Kind::kJaccard) return plan;
  // n counts traces as far away as d, not only those nearer than the nearest bugs.
  if (predicate.predicate.count > 1) return plan;
  if (predicate.role != PredicatePlan::Role::kSearch || select.variables.size() != 1) return plan;
  if (select.offset <= UINT64_MAX - *select.limit) predicate.keep_nearest = *select.limit + select.offset;
  return plan;
}

}  // namespace oscope
