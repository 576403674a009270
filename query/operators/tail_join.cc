// All near pairs of two variables: every trace of every left bug is searched for among all tails, with the left bugs
// shared among the threads.
//
// A thread keeps for its left bug three arrays over all right bugs: the least distance to the current trace (sequence),
// the total over the traces so far, and the number of traces that were near (count). Only what was touched is looked at
// and cleared afterwards, so that the arrays are filled once for each thread and not for each left bug. INTERSECT? with a
// count and SUBSET? can be concluded from these numbers. JACCARD? must also know the traces that are not near, so for
// it the join only proposes pairs and the predicate is evaluated literally.
//
// Comparing the tails of every pair of bugs would find the same. Searching for one trace at a time lets the filters of
// the index (sketch, postings, lengths) see whole segments at once.
#include "query/operators/tail_join.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "query/operators/parallel_bugs.h"
#include "query/operators/tail_side.h"

namespace oscope {
namespace {

using bql::SetPredicate;

constexpr uint16_t kFar = UINT16_MAX;

// What a thread knows of the right bugs near one left bug; cleared for the next by what was touched.
struct Neighbours {
  explicit Neighbours(uint32_t bugs) : sequence(bugs, kFar), total(bugs, kFar), count(bugs, 0) {}
  std::vector<uint16_t> sequence;  // the sequence at hand: its nearest trace of each bug
  std::vector<uint16_t> total;     // INTERSECT?: the least over sequences, SUBSET?: the greatest
  std::vector<uint32_t> count;     // how many sequences were near
  std::vector<uint32_t> near_sequence, near_any;
  RowMatcher::Scratch scratch;
};

class Join {
 public:
  Join(const PreparedQuery& query, const PredicatePlan& plan, JoinOrder order)
      : query_(query), plan_(plan), order_(order), side_(query, plan, plan.predicate.right.traces), neighbours_([&] {
          return Neighbours(query.corpus().bugs());
        }) {}

  Result<JoinResult> Run() {
    JoinResult joined(query_.corpus().bugs());
    OSCOPE_RETURN_IF_ERROR(ForEachInParallel(joined.size(), 1, query_.context(), [&](size_t i) -> Status {
      const uint32_t left = static_cast<uint32_t>(i);
      query_.context().done += query_.corpus().TracesOf(left).size();
      if (!query_.IsCandidate(left)) return {};
      const TraceSet sequences = query_.TracesOf(plan_.predicate.left, left);
      if (sequences.empty()) return {};
      Neighbours& near = neighbours_.local();
      for (const TraceSequence& sequence : sequences) OSCOPE_RETURN_IF_ERROR(Compare(sequence, left, near));
      OSCOPE_RETURN_IF_ERROR(Conclude(left, sequences.size(), near, joined[left]));
      return query_.context().memory.Take(joined[left].size() * sizeof(BugMatch));
    }));
    return joined;
  }

 private:
  Status Compare(const TraceSequence& sequence, uint32_t left, Neighbours& near) const {
    const RowMatchers matchers = side_.MakeMatchers(sequence);
    for (uint32_t s = 0; s < matchers.size(); ++s) {
      const Corpus::Segment& segment = query_.corpus().segments()[s];
      for (uint32_t block = 0; block < matchers[s]->blocks(); ++block) {
        OSCOPE_RETURN_IF_ERROR(query_.context().Check());
        matchers[s]->FindNear(block, side_.bound(), query_.context(), near.scratch);
        for (const NearRow& row : near.scratch.near) {
          const uint32_t right = segment.bug(row.row);
          if (!Wants(order_, left, right)) continue;
          if (near.sequence[right] == kFar) near.near_sequence.push_back(right);
          near.sequence[right] = std::min(near.sequence[right], static_cast<uint16_t>(row.distance));
        }
      }
    }
    const bool greatest = plan_.predicate.kind == SetPredicate::Kind::kSubset;
    for (const uint32_t right : near.near_sequence) {
      const uint16_t distance = std::exchange(near.sequence[right], kFar);
      uint16_t& total = near.total[right];
      if (near.count[right]++ == 0) {
        near.near_any.push_back(right);
        total = distance;
      } else {
        total = greatest ? std::max(total, distance) : std::min(total, distance);
      }
    }
    near.near_sequence.clear();
    return {};
  }

  Status Conclude(uint32_t left, size_t sequences, Neighbours& near, SearchResult& found) const {
    std::sort(near.near_any.begin(), near.near_any.end());
    Status status;
    for (const uint32_t right : near.near_any) {
      const uint32_t count = std::exchange(near.count[right], 0);
      const uint16_t total = std::exchange(near.total[right], kFar);
      if (!query_.IsCandidate(right) || !status.ok()) continue;
      switch (plan_.predicate.kind) {
        case SetPredicate::Kind::kIntersect:
          if (count >= plan_.predicate.count) found.push_back({right, total});
          break;
        case SetPredicate::Kind::kSubset:
          if (count == sequences) found.push_back({right, total});
          break;
        case SetPredicate::Kind::kJaccard: status = Evaluate(left, right, found); break;
      }
    }
    near.near_any.clear();
    return status;
  }

  // JACCARD? must know the traces that are not near as well.
  Status Evaluate(uint32_t left, uint32_t right, SearchResult& found) const {
    uint32_t row[bql::kMaxVariables] = {};
    row[plan_.variable] = left;
    row[plan_.other] = right;
    OSCOPE_ASSIGN_OR_RETURN(const Judgement judgement, query_.Evaluate(plan_.predicate, row));
    if (judgement.holds) found.push_back({right, judgement.distance.value_or(0)});
    return {};
  }

  const PreparedQuery& query_;
  const PredicatePlan& plan_;
  const JoinOrder order_;
  const TailSide side_;
  tbb::enumerable_thread_specific<Neighbours> neighbours_;
};

}  // namespace

Result<JoinResult> JoinTails(const PreparedQuery& query, const PredicatePlan& plan, JoinOrder order) {
  return Join(query, plan, order).Run();
}

}  // namespace oscope
