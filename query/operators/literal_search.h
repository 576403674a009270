// A set predicate of one variable (or of two), bug by bug, with the metric as it is. What no faster operator serves.
#pragma once

#include <functional>

#include "base/result.h"
#include "query/operators/prepared_query.h"
#include "query/operators/search_result.h"

namespace oscope {

// Whether a bug may be in the answer, fields and FROM considered. May be called from any thread.
using AllowsBug = std::function<bool(uint32_t bug)>;

Result<SearchResult> SearchLiterally(const PreparedQuery& query, const PredicatePlan& plan, const AllowsBug& allows);

Result<JoinResult> JoinLiterally(const PreparedQuery& query, const PredicatePlan& plan, JoinOrder order);

}  // namespace oscope
