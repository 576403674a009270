// The same search for every bug's traces against every other's: all pairs that are near.
#pragma once

#include "base/result.h"
#include "query/operators/prepared_query.h"
#include "query/operators/search_result.h"

namespace oscope {

Result<JoinResult> JoinTails(const PreparedQuery& query, const PredicatePlan& plan, JoinOrder order);

}  // namespace oscope
