// Embedding: how many events of the shorter sequence do not fit into the longer one as a subsequence,
// min(|a|, |b|) - LCS(a, b). 0 when the shorter one is the longer one with events left out.
//
// Threads: pure functions.
// Example: {open, close} lies in {open, read, close}: 0; {close, open} does not: 1.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

uint64_t EmbeddingDistance(Sequence a, Sequence b);

// The same as a metric; any thread may make one and use it.
std::unique_ptr<SequenceMetric> MakeEmbedding();

}  // namespace oscope
