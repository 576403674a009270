// Levenshtein distance of long sequences: thousands of events, any bound.
//
// In this order: the lengths; what both share at the ends; how many events of one the other does not have; diagonal
// transition (Ukkonen, Algorithms for approximate string matching, 1985), which takes O(d²) steps for a distance d;
// and, where that would cost more, Myers' bit vectors over the band, in strips of words that a vector's lanes work on
// one column behind each other. levenshtein.h gives the same numbers and is the oracle.
// Threads: a LongQuery is immutable; DistanceWithin may be called from many threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/simd_level.h"
#include "query/distance/levenshtein.h"

namespace oscope {

class LongQuery {
 public:
  explicit LongQuery(Sequence events);

  Sequence events() const { return events_; }

  // The distance if it is at most `bound`, else nothing.
  std::optional<uint32_t> DistanceWithin(Sequence other, uint64_t bound, SimdLevel level = BestSimdLevel()) const;

 private:
  friend class LongComparison;
  uint32_t CodeOf(uint32_t event) const;  // 0: not in the query

  struct Slot {
    uint32_t event = 0, code = 0;  // code 0: free
  };

  std::vector<uint32_t> events_;
  std::vector<Slot> slots_;       // an open hash table, at most half full
  uint32_t shift_ = 0;            // of the hash, to a slot
  std::vector<uint32_t> codes_;   // of the events
  std::vector<uint32_t> counts_;  // by code
};

// The same for one pair.
std::optional<uint32_t> LongDistanceWithin(Sequence a, Sequence b, uint64_t bound);

}  // namespace oscope
