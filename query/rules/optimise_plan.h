// All rules, in the order in which they are applied.
//
// Threads: a pure function.
// Example:   OptimisePlan(MakePlan(select))
#pragma once

#include "query/plan/query_plan.h"

namespace oscope {

// Without the index (to measure it, or to test that it is never needed) traces are read whole and compared literally.
QueryPlan OptimisePlan(QueryPlan plan, bool use_index = true);

}  // namespace oscope
