// The two sides of a tail search: the variable's tails, and the traces that are known.
//
// Threads: made by one; const functions may be called from any thread.
#pragma once

#include <memory>
#include <vector>

#include "query/operators/prepared_query.h"
#include "query/operators/row_matcher.h"

namespace oscope {

class TailSide {
 public:
  // The known traces are those of the predicate's constant side. The plan's `tails` serve the predicate.
  TailSide(const PreparedQuery& query, const PredicatePlan& plan);
  // A join: they are the left side's, given for each bug; the right side is searched.
  TailSide(const PreparedQuery& query, const PredicatePlan& plan, const bql::BugTraces& searched);

  const TraceSet& sequences() const { return sequences_; }
  const std::vector<uint32_t>& bugs() const { return bugs_; }  // that the sequences are of; none WITH SELF
  bool IsItself(uint32_t bug) const;
  // What no distance between the two sides exceeds, or the predicate's own bound.
  uint64_t bound() const { return bound_; }

  // A sequence against every segment, by the plan's matcher.
  RowMatchers MakeMatchers(const TraceSequence& sequence) const;

 private:
  const PreparedQuery& query_;
  TailMatching::Matcher matcher_;
  std::shared_ptr<const SelectedTraces> selected_;
  uint64_t length_ = 0;
  uint64_t bound_ = 0;
  TraceSet sequences_;
  std::vector<uint32_t> bugs_;
};

}  // namespace oscope
