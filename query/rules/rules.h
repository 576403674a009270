// The rewrites of a query's plan, one in each file and named by its effect. No rule changes the answer; each takes a
// plan and returns the changed one.
// Threads: pure functions.
#pragma once

#include "query/plan/query_plan.h"

namespace oscope {

// b[50][20] => b[20];  [50][20]b => [20]b;  PROJ(b, stack)[50] => PROJ(b[50], stack)
//
// A projection that chooses traces and an operator that cuts them may change places. The suffix then comes first, and
// the index can serve it.
QueryPlan ShortenOperators(QueryPlan plan);

// p && b.status = 'open' => b.status = 'open' && p
//
// What costs nothing is evaluated first. Set predicates keep their order among themselves: if two give the same
// distance, the row's pair of traces is that of the first.
QueryPlan AskFieldsFirst(QueryPlan plan);

// Sets how each predicate is evaluated, by the number of variables that it names: without a variable it is decided once
// for the query, with one by a search over all bugs, with two by a join.
QueryPlan ChooseRoles(QueryPlan plan);

// Makes an expression read tails from the index when its first operator is a suffix that is short enough; any other
// reads whole traces.
QueryPlan ReadTails(QueryPlan plan);

// Compares the tails of a whole segment at once, by the metric's own matcher. This is possible for a variable against
// constant traces, or two variables, if the metric has a matcher for tails.
QueryPlan CompareTails(QueryPlan plan);

// SELECT b … WHERE p [&& fields] LIMIT n, ranked by distance
//
// Lets the search lower its bound to the distance of the n-th nearest bug that it has found, since no bug farther away
// can be in the answer.
QueryPlan LimitAsBound(QueryPlan plan);

// When every row needs a trace and no condition asks for a field, reports are read only for the rows that are shown.
QueryPlan ReadReportsLate(QueryPlan plan);

}  // namespace oscope
