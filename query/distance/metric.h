// A metric: the distance between two sequences of events, as BQL's DISTANCE clause names it.
//
// Events are ids of which only equality counts, except where a metric is given weights or names. All distances are
// integers, so that an answer is the same on every machine: a metric with values in [0, 1] counts thousandths, rounded
// to the nearest (each header says how).
// Each metric is one file with a function Make… that returns it. The table of all metrics is
// query/semantics/metric_table.h; this folder's README says how to add one.
// Threads: metrics are immutable; Within may be called from many threads at once.
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
  // Returns the distance if it is at most `bound`, otherwise nullopt. Only a user's own metric can fail: its errors are
  // those of query/distance/user_metric.h.
  virtual Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const = 0;
};

// How much each event counts, for `weighted` and `recent`, as 16.16 fixed-point numbers. The weights are part of a job,
// so that every worker uses the same. They are inverse document frequencies: log2(1 + traces / traces_with(event)),
// computed in integers.
struct EventWeights {
  std::vector<uint32_t> rarity;  // by event id; an id beyond the end has the weight `unknown`
  uint32_t unknown = 0;
};
EventWeights WeighEvents(std::span<const uint64_t> traces_with_event, uint64_t traces);

}  // namespace oscope
