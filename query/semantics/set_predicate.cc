// The definitions of INTERSECT?, SUBSET? and JACCARD? over two sets of traces, written to be compared with the
// language's reference rather than to be fast. Of pairs at one distance the one with the least trace ids counts, so
// that the pair that is shown does not depend on the order in which traces were read.
#include "query/semantics/set_predicate.h"

#include <algorithm>
#include <tuple>

namespace oscope {
namespace {

using bql::SetPredicate;

// A pair of traces and how far they are apart; the lesser is nearer, then named first.
struct Near {
  uint64_t distance = 0;
  TracePair pair;
  auto operator<=>(const Near&) const = default;
};
using MaybeNear = std::optional<Near>;

void Improve(MaybeNear& best, const Near& candidate) {
  if (!best || candidate < *best) best = candidate;
}

// For each trace of either side, the nearest of the other within the bound.
struct Nearest {
  std::vector<MaybeNear> of_left, of_right;
};

Result<Nearest> Compare(const TraceSet& left, const TraceUnion& right, const TraceMetric& metric, uint64_t bound) {
  Nearest nearest{std::vector<MaybeNear>(left.size()), std::vector<MaybeNear>(right.sequences.size())};
  for (size_t x = 0; x < left.size(); ++x) {
    for (size_t y = 0; y < right.sequences.size(); ++y) {
      // A stack and an execution trace are never compared.
      if (left[x].kind != right.sequences[y].kind) continue;
      OSCOPE_ASSIGN_OR_RETURN(const std::optional<uint64_t> distance,
                              metric.sequences.Within(left[x].events, right.sequences[y].events, bound));
      if (!distance) continue;
      const Near near{*distance, {left[x].id, right.sequences[y].id}};
      Improve(nearest.of_left[x], near);
      Improve(nearest.of_right[y], near);
    }
    for (const Language& language : right.languages) {
      const std::optional<uint64_t> distance = metric.to_language(left[x].events, language, bound);
      if (distance) Improve(nearest.of_left[x], {*distance, {left[x].id, std::nullopt}});
    }
  }
  return nearest;
}

Judgement Holds(const Near& near) { return {.holds = true, .distance = near.distance, .pair = near.pair}; }

Judgement Intersect(const SetPredicate& predicate, const Nearest& nearest) {
  uint64_t count = 0;
  MaybeNear best;
  for (const MaybeNear& one : nearest.of_left) {
    if (!one) continue;
    ++count;
    Improve(best, *one);
  }
  return best && count >= predicate.count ? Holds(*best) : Judgement{};
}

Judgement Subset(const Nearest& nearest) {
  MaybeNear farthest;
  for (const MaybeNear& one : nearest.of_left) {
    if (!one) return {};
    if (!farthest || one->distance > farthest->distance)
      farthest = one;  // of equals the first trace, which has the least id
  }
  return farthest ? Holds(*farthest) : Judgement{};
}

// How many elements of X ∪ Y are near the other side, and how many there are.
Judgement Jaccard(const SetPredicate& predicate, const TraceSet& left, const TraceUnion& right,
                  const Nearest& nearest) {
  uint64_t shared = 0, all = left.size();
  MaybeNear best;
  for (const MaybeNear& one : nearest.of_left) {
    if (!one) continue;
    ++shared;
    Improve(best, *one);
  }
  // A language is infinite: then it is the share of the left side alone.
  if (right.languages.empty()) {
    for (size_t y = 0; y < right.sequences.size(); ++y) {
      const auto twin = std::find_if(left.begin(), left.end(), [&](const TraceSequence& sequence) {
        return sequence.kind == right.sequences[y].kind && sequence.events == right.sequences[y].events;
      });
      if (twin != left.end()) {
        if (!nearest.of_left[static_cast<size_t>(twin - left.begin())] && nearest.of_right[y]) ++shared;
        continue;
      }
      ++all;
      if (nearest.of_right[y]) ++shared;
    }
  }
  const unsigned __int128 scaled = static_cast<unsigned __int128>(shared) * bql::kFractionScale;
  if (scaled < static_cast<unsigned __int128>(predicate.threshold) * all) return {};
  Judgement judgement{.holds = true, .distance = {}, .pair = {}};
  judgement.distance = ((all - shared) * bql::kDistanceScale + all / 2) / all;
  if (best) judgement.pair = best->pair;
  return judgement;
}

}  // namespace

Result<Judgement> EvaluateSetPredicate(const SetPredicate& predicate, const TraceSet& left, const TraceUnion& right,
                                       const TraceMetric& metric) {
  if (left.empty() || right.empty()) return Judgement{};
  OSCOPE_ASSIGN_OR_RETURN(const Nearest nearest, Compare(left, right, metric, predicate.distance.value_or(kUnbounded)));
  switch (predicate.kind) {
    case SetPredicate::Kind::kIntersect: return Intersect(predicate, nearest);
    case SetPredicate::Kind::kSubset: return Subset(nearest);
    case SetPredicate::Kind::kJaccard: return Jaccard(predicate, left, right, nearest);
  }
  return Judgement{};
}

}  // namespace oscope
