// Count sketches: how many of a tail's last 50 events fall into each of some buckets by the hash of their names. A lower bound of the edit
// distance that costs a byte a bucket.
//
// Of two sequences of lengths m and n at Levenshtein distance at most d, the multisets of events share at least max(m, n) - d; so do the
// counts of the buckets, since a bucket can only merge events. A suffix of another length than kSketchEvents is bounded
// through its overlap (NeededOverlap says how); the bound is never too strict, only weaker.
// A bucket is chosen by XXH3 of the name, so that one sketch of a query serves every segment.
// Stored:    column-major in the segment's index: bucket b of all rows lies together, so that a filter reads only the query's buckets
// Threads:   pure functions over borrowed memory.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace oscope {

inline constexpr uint32_t kSketchEvents = 50;

}  // namespace oscope
