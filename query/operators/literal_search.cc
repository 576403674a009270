// Evaluates a predicate literally for each bug (or pair of bugs), in parallel. It serves every metric and every
// expression that the tails of the index do not. What it shares with the fast search is the falling bound of a LIMIT.
#include "query/operators/literal_search.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "query/operators/nearest_bound.h"
#include "query/operators/parallel_bugs.h"

namespace oscope {
namespace {

constexpr size_t kGrain = 16;

uint64_t BoundOf(const PredicatePlan& plan) { return plan.predicate.distance.value_or(kUnbounded); }

// Whether a right side that is of one bug alone has nothing without its traces; a union has its other parts.
bool IsOneBug(const bql::TracePattern& right) { return right.kind == bql::TracePattern::Kind::kTraces; }

}  // namespace

Result<SearchResult> SearchLiterally(const PreparedQuery& query, const PredicatePlan& plan, const AllowsBug& allows) {
  NearestBound nearest(plan.keep_nearest, BoundOf(plan));
  tbb::enumerable_thread_specific<SearchResult> found;
  OSCOPE_RETURN_IF_ERROR(ForEachInParallel(query.corpus().bugs(), kGrain, query.context(), [&](size_t i) -> Status {
    const uint32_t bug = static_cast<uint32_t>(i);
    if (!allows(bug)) return {};
    const size_t traces = query.corpus().TracesOf(bug).size();
    query.context().done += traces;
    if (traces == 0 && IsOneBug(plan.predicate.right)) return {};
    uint32_t row[bql::kMaxVariables] = {};
    row[plan.variable] = bug;
    OSCOPE_ASSIGN_OR_RETURN(const Judgement judgement, query.Evaluate(plan.predicate, row, nearest.bound()));
    query.context().verified += traces;
    if (!judgement.holds) return {};
    const BugMatch match{bug, judgement.distance.value_or(0)};
    found.local().push_back(match);
    query.context().partial.Add({&match, 1});
    nearest.Found(match.distance);
    nearest.Tighten();
    return {};
  }));
  SearchResult all;
  for (const SearchResult& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return all;
}

Result<JoinResult> JoinLiterally(const PreparedQuery& query, const PredicatePlan& plan, JoinOrder order) {
  const uint32_t bugs = query.corpus().bugs();
  JoinResult joined(bugs);
  OSCOPE_RETURN_IF_ERROR(ForEachInParallel(bugs, 1, query.context(), [&](size_t i) -> Status {
    const uint32_t left = static_cast<uint32_t>(i);
    query.context().done += query.corpus().TracesOf(left).size();
    if (!query.IsCandidate(left) || query.corpus().TracesOf(left).empty()) return {};
    uint32_t row[bql::kMaxVariables] = {};
    row[plan.variable] = left;
    for (uint32_t right = 0; right < bugs; ++right) {
      if (!Wants(order, left, right) || !query.IsCandidate(right)) continue;
      if (query.corpus().TracesOf(right).empty() && IsOneBug(plan.predicate.right)) continue;
      if (right % 256 == 0) OSCOPE_RETURN_IF_ERROR(query.context().Check());
      row[plan.other] = right;
      OSCOPE_ASSIGN_OR_RETURN(const Judgement judgement, query.Evaluate(plan.predicate, row));
      if (judgement.holds) joined[left].push_back({right, judgement.distance.value_or(0)});
    }
    return query.context().memory.Take(joined[left].capacity() * sizeof(BugMatch));
  }));
  return joined;
}

}  // namespace oscope
