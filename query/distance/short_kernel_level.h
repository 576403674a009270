// One group of rows of one length against a query, at each instruction set. For short_kernel.cc and its tests.
#pragma once

#include <cstdint>

#include "query/distance/short_kernel_set.h"

namespace oscope {

inline constexpr uint32_t kMostLanes = 128;
inline constexpr uint32_t kRepeats = 32;     // of an id in ShortGroup::repeated: the widest vector of them
inline constexpr int32_t kRepeatedPad = 64;  // entries on either side of the query's, which no row's id equals

// A row's events as codes of the query (ShortQuery::codes).
template <typename Id>
struct RowCoding {
  const uint8_t* codes_by_id = nullptr;
  const Id* ids = nullptr;
  uint32_t length = 0;
  uint32_t bound = 0;
  uint8_t* codes = nullptr;  // out
};

// What rows of one length are held against, before they are taken (short_kernel_sift.h).
struct Sieve {
  const uint16_t* query = nullptr;  // its ids
  uint32_t query_length = 0;
  uint32_t row_length = 0;
  uint32_t bound = 0;
  const HashedEvents* prefix_sets = nullptr;  // of the query's first 0, 1, 2, … events
};

inline constexpr uint32_t kSiftedRows = 128;  // at most, in a call

struct SiftedRow {
  uint32_t row = 0;     // which of those given
  uint32_t shared = 0;  // how many events at the end are the query's
};

// All rows of a group have `columns` events, and one band: bit b of a row's state, at its j-th event (from 0), is the
// pair of that event and the query's event j - low + b.
struct ShortGroup {
  // The rows' events: codes, `stride` further on a lane, for run; or ids, for compare.
  const uint8_t* codes = nullptr;
  uint32_t stride = 0;
  const uint16_t* const* ids = nullptr;  // where each lane's begin
  const uint16_t* repeated = nullptr;    // the query's ids, kRepeats times each; event 0 is entry kRepeatedPad
  uint32_t width = 0;                    // of the band, for compare: at most 32
  uint32_t columns = 0;
  // [column * words + word]: the query's window of that column, by code, in lanes
  const void* const* windows = nullptr;
  uint32_t low = 0;
  uint32_t final_bit = 0;    // of the diagonal that ends in the last pair
  uint32_t start_score = 0;  // what that diagonal starts with
  uint32_t bound = 0;
  uint16_t* scores = nullptr;  // out, one a lane; above `bound`: some number above it
};

// How wide a row's state is: a 16-, 32- or 64-bit lane, or two or four of 64.
enum class BandWidth : uint8_t { k16, k32, k64, k128, k256 };
inline constexpr int kBandWidths = 5;

// The functions of one level.
struct ShortLevel {
  // How many of the row's events the query does not have; once they are more than `bound` the rest is neither coded nor
  // counted.
  uint32_t (*code_narrow)(const RowCoding<uint16_t>& row);
  uint32_t (*code_wide)(const RowCoding<uint32_t>& row);
  // Writes the rows that may be within the bound and returns how many they are.
  uint32_t (*sift)(const Sieve& sieve, const uint16_t* const* rows, uint32_t count, SiftedRow* kept);
  // By band width.
  uint32_t lanes[kBandWidths];
  void (*run[kBandWidths])(const ShortGroup& group);
  // The same for narrow ids and bands of 16 and 32: every event is compared with all that lie in its band, which is
  // faster than to look up its code and then its matches. As many lanes.
  void (*compare[2])(const ShortGroup& group);
};

extern const ShortLevel kShortPortable, kShortAvx2, kShortAvx512;

}  // namespace oscope
