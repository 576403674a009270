// A metric: the distance between two event sequences as BQL's DISTANCE clause names it.
//
// Events are ids; only their equality counts, except where a metric is given weights or names. All distances are
// integers, so that an answer is the same on every machine: a metric in [0, 1] is in thousandths, rounded to nearest
// (each header says how).
// One metric a file, each with a function Make… that gives it. Which ones there are is told by the table that makes them,
// query/semantics/metric_table.h; this folder's README says how to add one.
// Threads: Within may be called from many threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "query/distance/levenshtein.h"

namespace oscope {

inline constexpr uint64_t kUnbounded = UINT64_MAX;

class SequenceMetric {
 public:
  virtual ~SequenceMetric() = default;
  // The distance if it is at most `bound`, else nothing. An error only from a user's own metric.
  virtual Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const = 0;
};

// How much an event counts, for `weighted` and `recent`: frozen with the job, so that every worker uses the same. 16.16
// fixed point. Rarity is that of inverse document frequency: log2(1 + traces / traces_with(event)), computed in
// integers.
struct EventWeights {
  std::vector<uint32_t> rarity;  // by event id; an id beyond the end has the greatest
  uint32_t unknown = 0;
};
EventWeights WeighEvents(std::span<const uint64_t> traces_with_event, uint64_t traces);

}  // namespace oscope
