// Walks over the parts of a condition or a pattern, in the order in which they were written.
// Threads: pure functions; `visit` is called on the calling thread.
#pragma once

#include <functional>

#include "bql/check/query.h"

namespace oscope {

// Each of these calls `visit` with every part of the kind that it names; ForEachTraces with every expression that
// stands for a set of traces.
void ForEachSetPredicate(const bql::Condition& condition, const std::function<void(const bql::SetPredicate&)>& visit);
void ForEachFieldPredicate(const bql::Condition& condition,
                           const std::function<void(const bql::FieldPredicate&)>& visit);
void ForEachTraces(const bql::TracePattern& pattern, const std::function<void(const bql::BugTraces&)>& visit);
void ForEachTraces(const bql::Condition& condition, const std::function<void(const bql::BugTraces&)>& visit);

}  // namespace oscope
