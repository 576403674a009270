// The suffix search: the distance between known traces and the last events of every bug's traces, by a metric that the
// tails serve, over the indexes of all segments, block by block on all threads (row_matcher.h).
//
// Serves INTERSECT?, SUBSET? and JACCARD? with a variable's tail on one side and constant traces on the other. With a
// plan's keep_nearest the bound falls to the k-th nearest bug's distance as they are found.
#pragma once

#include "base/result.h"
#include "query/operators/literal_search.h"
#include "query/operators/prepared_query.h"
#include "query/operators/search_result.h"

namespace oscope {

Result<SearchResult> SearchTails(const PreparedQuery& query, const PredicatePlan& plan, const AllowsBug& allows);

}  // namespace oscope
