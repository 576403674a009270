// A RowMatcher by `recent` (query/semantics/recent_methods.h): every row's tail is weighed as it is read, and one that
// cannot be near is left at once.
// Threads: as row_matcher.h says.
#pragma once

#include <span>
#include <vector>

#include "query/distance/recent.h"
#include "query/operators/row_matcher.h"
#include "query/semantics/recent_methods.h"
#include "query/semantics/trace_set.h"

namespace oscope {

class RecentMatcher : public RowMatcher {
 public:
  // `known` is the trace, weighed by its methods; a row counts with its last `length` events. `names` are the corpus's
  // ids of the segment's events.
  RecentMatcher(const Corpus::Segment& segment, std::span<const uint32_t> names, const MethodWeights& methods,
                const RecentEvents& known, TraceKind kind, uint64_t length, const std::vector<uint8_t>& taken);

  void FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const override;

 private:
  // An event of the segment.
  struct Event {
    uint32_t method = 0;
    uint32_t rarity = 0;
    uint32_t known = 0;  // what its method weighs in the known trace
  };
  template <typename Id>
  void Measure(std::span<const Id> column, uint32_t first, uint32_t last, uint64_t bound, Scratch& scratch) const;

  std::vector<Event> events_;
  const size_t methods_;
  const uint64_t squared_length_;
  const uint64_t length_;
};

// One for each segment; the query's metric needs the weights of methods. May be called from any thread.
RowMatchers MatchByRecent(const TraceSequence& known, const SearchedTails& tails);

}  // namespace oscope
