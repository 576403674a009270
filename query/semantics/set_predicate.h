// The set predicates of figure 3.3.7, literally: every trace of one side against every trace of the other.
#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/distance/metric.h"
#include "query/semantics/judgement.h"
#include "query/semantics/trace_set.h"

namespace oscope {

// The metric of a query as it measures two traces, and a trace and a language.
struct TraceMetric {
  const SequenceMetric& sequences;
  // The distance to the nearest word, if it is at most the bound. Not called where Check refuses patterns.
  std::function<std::optional<uint64_t>(Sequence, const Language&, uint64_t bound)> to_language;
};

// Nothing is within any distance of an empty side: such a predicate does not hold.
Result<Judgement> EvaluateSetPredicate(const bql::SetPredicate& predicate, const TraceSet& left,
                                       const TraceUnion& right, const TraceMetric& metric);

}  // namespace oscope
