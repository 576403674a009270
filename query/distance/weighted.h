// Weighted alignment: events that are rare and events near the failure (the end) count more.
//
// An event k places before the end of its sequence weighs rarity(event) · half / (half + k). An alignment pairs equal
// events in order; what is not paired costs its weight, a pair costs the difference of its weights. The distance is the
// least such cost in thousandths of the weight of both sequences together, rounded to nearest (half up): 0 for equal
// sequences, 1000 when they share nothing; symmetric. Two empty sequences are at 0. Only the last `window` events of
// each count: what lies further from the failure weighs next to nothing. All in integers (rarity in 16.16 fixed point),
// so that it is the same everywhere. O(window²) time.
// Threads: pure functions.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

struct WeightedParameters {
  uint32_t half = 16;      // places before the end at which an event weighs half
  uint32_t window = 1024;  // events
};

uint64_t WeightedDistance(Sequence a, Sequence b, const EventWeights& weights,
                          const WeightedParameters& parameters = {});

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeWeighted(EventWeights weights);

}  // namespace oscope
