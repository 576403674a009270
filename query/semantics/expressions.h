// Walks over the parts of a condition.
#pragma once

#include <functional>

#include "bql/check/query.h"

namespace oscope {

// Every set predicate, every set-of-traces expression of a condition, of a pattern; in the order they stand.
void ForEachSetPredicate(const bql::Condition& condition, const std::function<void(const bql::SetPredicate&)>& visit);
void ForEachFieldPredicate(const bql::Condition& condition,
                           const std::function<void(const bql::FieldPredicate&)>& visit);
void ForEachTraces(const bql::TracePattern& pattern, const std::function<void(const bql::BugTraces&)>& visit);
void ForEachTraces(const bql::Condition& condition, const std::function<void(const bql::BugTraces&)>& visit);

}  // namespace oscope
