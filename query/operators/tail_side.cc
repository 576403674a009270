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
    : query_(query),
      searched_(&searched),
      selected_(query.corpus().Select(TraceSelection(searched))),
      length_(SuffixLength(searched)) {
  // Both sides have at most kTailEvents events, and no number of edits is greater; no share is greater than all.
  constexpr uint64_t kThousandths = 1000;
  const uint64_t greatest = query.methods() != nullptr ? kThousandths : kTailEvents;
  bound_ = std::min<uint64_t>(plan.predicate.distance.value_or(greatest), greatest);
}

bool TailSide::IsItself(uint32_t bug) const { return std::find(bugs_.begin(), bugs_.end(), bug) != bugs_.end(); }

std::vector<std::unique_ptr<RowMatcher>> TailSide::MakeMatchers(const TraceWord& word) const {
  return query_.methods() != nullptr ? MatchersByMethods(word, *query_.methods()) : MatchersByEdits(word);
}

std::vector<std::unique_ptr<RowMatcher>> TailSide::MatchersByEdits(const TraceWord& word) const {
  std::vector<std::string_view> names;
  names.reserve(word.events.size());
  for (const uint32_t event : word.events) names.push_back(query_.NameOf(event));
  std::vector<uint64_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) hashes.push_back(SketchHash(name));
  std::vector<std::unique_ptr<RowMatcher>> matchers;
  const std::vector<Corpus::Segment>& segments = query_.corpus().segments();
  for (size_t s = 0; s < segments.size(); ++s) {
    matchers.push_back(
        std::make_unique<TailMatcher>(segments[s], names, hashes, word.kind, length_, bound_, selected_->rows[s]));
  }
  return matchers;
}

std::vector<std::unique_ptr<RowMatcher>> TailSide::MatchersByMethods(const TraceWord& word,
                                                                     const MethodWeights& methods) const {
  std::vector<uint32_t> ran;
  ran.reserve(word.events.size());
  for (const uint32_t event : word.events) ran.push_back(methods.method_of[event]);
  const RecentEvents known = WeighRecent(ran, methods.weights);
  std::vector<std::unique_ptr<RowMatcher>> matchers;
  const std::vector<Corpus::Segment>& segments = query_.corpus().segments();
  for (uint32_t s = 0; s < segments.size(); ++s) {
    matchers.push_back(std::make_unique<RecentMatcher>(segments[s], query_.corpus().NamesOf(s), methods, known,
                                                       word.kind, length_, selected_->rows[s]));
  }
  return matchers;
}

}  // namespace oscope
