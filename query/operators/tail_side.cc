#include "query/operators/tail_side.h"

#include <algorithm>

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
    for (TraceWord& word : query.TracesOf(traces, query.SubjectOf(traces, {}))) words_.push_back(std::move(word));
    const uint32_t itself = query.IdentityOf(traces, {});
    // A run that belongs to no bug is none that could be found.
    if (!query.select().with_self && itself < query.corpus().bugs()) bugs_.push_back(itself);
  };
  if (plan.predicate.left.variable) {
    ForEachTraces(plan.predicate.right, add);
  } else {
    add(plan.predicate.left);
  }
  words_ = Distinct(std::move(words_));
}

TailSide::TailSide(const PreparedQuery& query, const PredicatePlan& plan, const bql::BugTraces& searched)
    : query_(query), searched_(&searched), selected_(query.corpus().Select(TraceSelection(searched))), length_(SuffixLength(searched)) {
  // Both sides have at most kTailEvents events, and no distance is greater.
  bound_ = std::min<uint64_t>(plan.predicate.distance.value_or(kTailEvents), kTailEvents);
}

bool TailSide::IsItself(uint32_t bug) const { return std::find(bugs_.begin(), bugs_.end(), bug) != bugs_.end(); }

std::vector<TailMatcher> TailSide::MakeMatchers(const TraceWord& word) const {
  std::vector<std::string_view> names;
  names.reserve(word.events.size());
  for (const uint32_t event : word.events) names.push_back(query_.NameOf(event));
  std::vector<uint64_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) hashes.push_back(SketchHash(name));
  std::vector<TailMatcher> matchers;
  const std::vector<Corpus::Segment>& segments = query_.corpus().segments();
  matchers.reserve(segments.size());
  for (size_t s = 0; s < segments.size(); ++s) {
    matchers.emplace_back(segments[s], names, hashes, word.kind, length_, bound_, selected_->rows[s]);
  }
  return matchers;
}

}  // namespace oscope
