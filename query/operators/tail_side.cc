// Collects the known traces of a predicate and the bugs they are of, and makes for a known trace one matcher for each
// segment, by the kind of matcher that the plan chose.
#include "query/operators/tail_side.h"

#include <algorithm>

#include "query/operators/recent_matcher.h"
#include "query/operators/tail_matcher.h"
#include "query/semantics/expressions.h"

namespace oscope {
namespace {

uint64_t SuffixLength(const bql::BugTraces& traces) {
  const auto suffix = std::find_if(traces.ops.begin(), traces.ops.end(),
                                   [](const bql::TraceOp& op) { return op.kind == bql::TraceOp::Kind::kSuffix; });
  OSCOPE_CHECK(suffix != traces.ops.end());
  return suffix->length;
}

const bql::BugTraces& VariableSide(const PredicatePlan& plan) {
  return plan.predicate.left.variable ? plan.predicate.left : plan.predicate.right.traces;
}

}  // namespace

TailSide::TailSide(const PreparedQuery& query, const PredicatePlan& plan) : TailSide(query, plan, VariableSide(plan)) {
  const auto add = [&](const bql::BugTraces& traces) {
    for (TraceSequence& sequence : query.TracesOf(traces, query.SubjectOf(traces, {})))
      sequences_.push_back(std::move(sequence));
    const uint32_t itself = query.IdentityOf(traces, {});
    // A run that belongs to no bug is none that could be found.
    if (!query.select().with_self && itself < query.corpus().bugs()) bugs_.push_back(itself);
  };
  if (plan.predicate.left.variable) {
    ForEachTraces(plan.predicate.right, add);
  } else {
    add(plan.predicate.left);
  }
  sequences_ = Distinct(std::move(sequences_));
}

TailSide::TailSide(const PreparedQuery& query, const PredicatePlan& plan, const bql::BugTraces& searched)
    : query_(query),
      matcher_(plan.tails->matcher),
      selected_(query.corpus().Select(TraceSelection(searched))),
      length_(SuffixLength(searched)),
      bound_(std::min(plan.predicate.distance.value_or(plan.tails->greatest), plan.tails->greatest)) {}

bool TailSide::IsItself(uint32_t bug) const { return std::find(bugs_.begin(), bugs_.end(), bug) != bugs_.end(); }

RowMatchers TailSide::MakeMatchers(const TraceSequence& sequence) const {
  const SearchedTails tails{.query = query_, .selected = *selected_, .length = length_, .max_bound = bound_};
  switch (matcher_) {
    case TailMatching::Matcher::kEdits: return MatchByEdits(sequence, tails);
    case TailMatching::Matcher::kRecent: return MatchByRecent(sequence, tails);
  }
  return {};
}

}  // namespace oscope
