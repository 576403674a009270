// Vector space model: one minus the cosine of the two vectors of event counts, in thousandths.
//
// 1000 - round(1000 · a·b / (|a| |b|)), computed exactly in integers; a similarity half way between two thousandths is
// rounded up. The order of events does not count. Two empty sequences are at 0, an empty one and another at 1000.
// Threads: pure functions.
// Example: {1, 1, 2} and {1, 2, 2}: cosine 4/5, distance 200.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

uint64_t VsmDistance(Sequence a, Sequence b);

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeVsm();

}  // namespace oscope
