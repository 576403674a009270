// The rewrites of a query's plan, one a file, each named by its effect. Every rule leaves the answer as it was.
#pragma once

#include "query/plan/query_plan.h"

namespace oscope {

// b[50][20] => b[20];  [50][20]b => [20]b;  PROJ(b, stack)[50] => PROJ(b[50], stack): a word that chooses traces and an
//                                           operator that cuts
// them may change places, so that the suffix comes first and the index can serve it.
QueryPlan ShortenOperators(QueryPlan plan);

// p && b.status = 'open' => b.status = 'open' && p: what costs nothing is asked first. Set predicates keep their order
// among themselves, because of two with one distance the first gives the row's pair.
QueryPlan AskFieldsFirst(QueryPlan plan);

// By the variables that a predicate names: none is decided once, one by a search over all bugs, two by a join.
QueryPlan ChooseRoles(QueryPlan plan);

// An expression whose first operator is a suffix that the index holds needs no whole trace.
QueryPlan ReadTails(QueryPlan plan);

// Tails of a variable and constant traces, or those of two variables, by a metric that the tails of the index serve: by
// its matcher, a segment at once.
QueryPlan CompareTails(QueryPlan plan);

// SELECT b … WHERE p [&& fields] LIMIT n, ranked by distance: nothing farther than the n-th nearest is needed.
QueryPlan LimitAsBound(QueryPlan plan);

// When every row needs a trace and no field is asked, reports are read for the rows that are shown only.
QueryPlan ReadReportsLate(QueryPlan plan);

}  // namespace oscope
