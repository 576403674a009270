// Levenshtein distance (levenshtein.h) as a metric.
//
// Threads: pure functions; any thread may make a metric and use it.
#pragma once

#include <memory>

#include "query/distance/metric.h"

namespace oscope {

std::unique_ptr<SequenceMetric> MakeLevenshtein();       // by long_kernel.h
std::unique_ptr<SequenceMetric> MakePlainLevenshtein();  // the same by plain dynamic programming: the oracle

}  // namespace oscope
