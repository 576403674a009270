#include "query/semantics/expressions.h"

namespace oscope {

using bql::Condition;
using bql::TracePattern;

void ForEachSetPredicate(const Condition& condition, const std::function<void(const bql::SetPredicate&)>& visit) {
  if (condition.kind == Condition::Kind::kSet) visit(condition.set);
  for (const Condition& part : condition.parts) ForEachSetPredicate(part, visit);
}

void ForEachFieldPredicate(const Condition& condition, const std::function<void(const bql::FieldPredicate&)>& visit) {
  if (condition.kind == Condition::Kind::kField) visit(condition.field);
  for (const Condition& part : condition.parts) ForEachFieldPredicate(part, visit);
}

void ForEachTraces(const TracePattern& pattern, const std::function<void(const bql::BugTraces&)>& visit) {
  if (pattern.kind == TracePattern::Kind::kTraces) visit(pattern.traces);
  for (const TracePattern& part : pattern.parts) ForEachTraces(part, visit);
}

void ForEachTraces(const Condition& condition, const std::function<void(const bql::BugTraces&)>& visit) {
  ForEachSetPredicate(condition, [&](const bql::SetPredicate& predicate) {
    visit(predicate.left);
    ForEachTraces(predicate.right, visit);
  });
}

}  // namespace oscope
