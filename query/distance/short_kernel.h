// Levenshtein distances from one short query to many rows at once: bit-parallel, banded, a row a vector lane.
//
// Of two sequences of lengths m and n at distance at most d, a best path stays on d + 1 diagonals. So a row's state is
// d + 1 bits: 16 rows share an AVX2 vector at d = 10, 8 at d = 30, whatever the lengths. A row takes three steps:
//   short_kernel_sift.h   the events at the end that it shares with the query fall away; with more than d others that
//                         are none of the query's it is over
//   short_kernel_class.h  it waits for others of which as much is left
//   short_kernel_loop.h   a group of them is computed, which ends as soon as all are over
// Up to d = 31 and with 16-bit ids an event is compared with all that lie in its band; else a table says where the
// query has it. levenshtein.h gives the same numbers and is the oracle.
// Threads:   a ShortQuery is immutable; DistancesWithin is a pure function.
//
// Example:
//   ShortQuery query(events, names, 10);
//   DistancesWithin<uint16_t>(query, column, rows, 10, distances);   // distances[i] <= 10: row i is near
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/simd_level.h"
#include "query/distance/levenshtein.h"
#include "query/distance/short_kernel_set.h"

namespace oscope {

inline constexpr uint32_t kMaxShortEvents = 256;
inline constexpr uint16_t kOverBound = UINT16_MAX;

// Where a row's events lie in a column of ids: the `length` before `end`.
struct RowTail {
  uint64_t end = 0;
  uint32_t length = 0;  // at most kMaxShortEvents
};

class ShortQuery {
 public:
  // `ids`: every id of the rows is below; an event of the query that is not equals none of theirs. At most
  // kMaxShortEvents events. `max_bound`: no call has a greater bound; a small one saves memory and time here.
  ShortQuery(Sequence events, uint32_t ids, uint64_t max_bound);

  Sequence events() const { return events_; }
  uint64_t max_bound() const { return max_bound_; }
  // By id: 1, 2, … for the query's events, 0 for all others.
  const uint8_t* codes() const { return codes_.data(); }
  std::span<const uint8_t> event_codes() const { return event_codes_; }  // 0: equals none
  // The events kRepeats times each (short_kernel_level.h); empty where 16 bits are too few for all ids and one more.
  std::span<const uint16_t> repeated() const { return repeated_; }
  // The events as narrow ids, UINT16_MAX for those that no row has; empty where repeated() is.
  std::span<const uint16_t> narrow() const { return narrow_; }
  // The set of the first 0, 1, 2, … events; empty where repeated() is.
  const HashedEvents* prefix_sets() const { return prefix_sets_.data(); }
  // Whether different events have different codes: not when there are more than 255. Distances by codes are then too
  // small.
  bool exact() const { return exact_; }

  // For each code, which of the events i, i + 1, … are it: bit b for event i + b, as many as Lane has bits. i counts
  // from 0 and may be negative or beyond the end: there are no events there.
  template <typename Lane>
  const Lane* Window(int32_t i) const;

 private:
  void RepeatEvents(uint32_t ids);
  template <typename Lane>
  void FillWindows(std::vector<Lane>& windows) const;

  std::vector<uint32_t> events_;
  uint64_t max_bound_;
  std::vector<uint8_t> codes_, event_codes_;
  std::vector<uint16_t> repeated_, narrow_;
  std::vector<HashedEvents> prefix_sets_;
  uint32_t code_count_ = 1;  // with 0
  bool exact_ = true;
  std::vector<uint16_t> windows16_;
  std::vector<uint32_t> windows32_;
  std::vector<uint64_t> windows64_;
};

// distances[i] becomes the distance to row i if it is at most `bound`, else kOverBound. Id: uint16_t or uint32_t.
template <typename Id>
void DistancesWithin(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
                     std::span<uint16_t> distances, SimdLevel level = BestSimdLevel());

}  // namespace oscope
