// Levenshtein distance after renaming: events become numbers in the order of their first appearance (α-renaming), each
// sequence by itself. So two runs of the same shape through different functions are near.
//
// Threads: pure functions.
// Example: {7, 8, 7} and {1, 2, 1} both become {0, 1, 0}: distance 0.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

std::vector<uint32_t> RenameByAppearance(Sequence sequence);

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeRenamed();

}  // namespace oscope
