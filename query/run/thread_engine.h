// The engine of one process: a planned query over a corpus, by threads. Map over segments and bugs, reduce per bug,
// rank.
//
// The answer is the same bytes on any number of threads, with and without the index.
// Threads: one query at a time per call; several calls may share a corpus.
#pragma once

#include <functional>

#include "base/result.h"
#include "query/corpus/corpus.h"
#include "query/operators/query_context.h"
#include "query/plan/query_plan.h"
#include "query/semantics/answer.h"
#include "query/semantics/make_metric.h"

namespace oscope {

struct EngineLimits {
  uint64_t rows = 1'000'000;
};

// The corpus knows the bugs and runs that the plan asks for first.
Result<Answer> RunByThreads(const Corpus& corpus, const QueryPlan& plan, const UserMetrics& user_metrics,
                            const EngineLimits& limits, QueryContext& context);

}  // namespace oscope
