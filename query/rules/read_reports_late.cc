// Decides what must be known of the bugs before the search. If every row needs a trace and no field is asked about,
// then bugs without traces cannot be in the answer, and reports are read for the few rows that are shown.
#include <algorithm>

#include "query/rules/rules.h"
#include "query/semantics/expressions.h"
#include "query/semantics/ranked_rows.h"

namespace oscope {
namespace {

using bql::Condition;

// Whether a row that satisfies the condition has a trace for this variable: then bugs without traces need not be known.
bool NeedsTrace(const QueryPlan& plan, const Condition& condition, uint32_t variable) {
  switch (condition.kind) {
    case Condition::Kind::kAnd:
      return std::any_of(condition.parts.begin(), condition.parts.end(),
                         [&](const Condition& part) { return NeedsTrace(plan, part, variable); });
    case Condition::Kind::kOr:
      return std::all_of(condition.parts.begin(), condition.parts.end(),
                         [&](const Condition& part) { return NeedsTrace(plan, part, variable); });
    case Condition::Kind::kSet: {
      const PredicatePlan& predicate = plan.Of(condition.set);
      if (predicate.role == PredicatePlan::Role::kSearch && predicate.variable == variable) {
        // In a union the other parts may do without the variable's traces.
        return condition.set.left.variable == variable || condition.set.right.kind == bql::TracePattern::Kind::kTraces;
      }
      if (predicate.role == PredicatePlan::Role::kJoin)
        return predicate.variable == variable || predicate.other == variable;
      return false;
    }
    default: return false;
  }
}

bool IsOfRuns(const std::string& field) { return field == "test" || field == "signal"; }

}  // namespace

QueryPlan ReadReportsLate(QueryPlan plan) {
  const bql::Select& select = plan.select;
  bool fields = OrdersByField(select), runs = false;
  ForEachFieldPredicate(select.where, [&](const bql::FieldPredicate& predicate) {
    fields = true;
    runs |= IsOfRuns(predicate.field);
  });
  for (const bql::OutputColumn& column : select.columns) {
    runs |= column.kind == bql::OutputColumn::Kind::kField && IsOfRuns(column.field);
  }
  if (select.order) runs |= IsOfRuns(select.order->column.field);
  bool traces = true;
  for (uint32_t variable = 0; variable < select.variables.size(); ++variable) {
    traces &= NeedsTrace(plan, select.where, variable);
  }
  plan.runs_first = runs;
  plan.reports_first = fields || runs || !traces;
  return plan;
}

}  // namespace oscope
