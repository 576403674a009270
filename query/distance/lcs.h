// Distance by the longest common subsequence: how many events must be inserted or deleted to make two sequences equal,
// |a| + |b| - 2 · LCS(a, b).
//
// LCS is computed 64 events of one sequence at a time, O(|a| · |b| / 64) time and O(|a| + |b|) memory.
// Threads: pure functions.
// Example: {1, 2, 3} and {1, 3, 4} share {1, 3}: distance 2.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

uint64_t LcsLength(Sequence a, Sequence b);
uint64_t LcsDistance(Sequence a, Sequence b);

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeLcs();

}  // namespace oscope
