// The right side of a set predicate for given bugs: which traces and which languages it is the union of.
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/semantics/event_names.h"
#include "query/semantics/trace_set.h"

namespace oscope {

// The set of traces that an expression denotes; an empty one where the expression's bug must not be looked at (it is
// the left side's own).
using TracesOf = std::function<Result<TraceSet>(const bql::BugTraces&)>;

// Patterns are bound to `names`. A part without traces adds nothing, and neither does its repetition. `ask` is called
// now and then: its error ends the work and comes back as it is.
Result<TraceUnion> MakeTraceUnion(const bql::TracePattern& pattern, const TracesOf& traces_of, const EventNames& names,
                                  const std::function<Status()>& ask);

}  // namespace oscope
