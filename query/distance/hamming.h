// Hamming distance: at how many positions two sequences differ. Positions that only the longer one has count one each.
//
// Threads: pure functions.
// Example: {1, 2, 3} and {1, 5, 3, 4} are at distance 2.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

// The distance if it is at most `bound`; stops when the bound is out of reach.
std::optional<uint64_t> HammingWithin(Sequence a, Sequence b, uint64_t bound);

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeHamming();

}  // namespace oscope
