// One group of rows of one length against a query, at each instruction set. For short_kernel.cc and its tests.
#pragma once

#include <cstdint>

namespace oscope {

inline constexpr uint32_t kMostLanes = 128;

// All rows of a group have `columns` events from starts[lane] on, and one band: bit b of a row's state, at its j-th event (from 0), is the
// pair of that event and the query's event j - low + b.
template <typename Id>
struct ShortGroup {
  const Id* const* starts = nullptr;   // one a lane: LanesOf(...) many
  uint32_t columns = 0;
  const uint16_t* codes = nullptr;
  const void* const* windows = nullptr;  // [column * words + word]: the query's window of that column, by code, in lanes
  uint32_t low = 0;
  uint32_t final_bit = 0;              // of the diagonal that ends in the last pair
  uint32_t start_score = 0;            // what that diagonal starts with
  uint32_t bound = 0;
  uint16_t* scores = nullptr;          // out, one a lane; above `bound`: some number above it
};

// How wide a row's state is: a 16-, 32- or 64-bit lane, or two or four of 64.
enum class BandWidth : uint8_t { k16, k32, k64, k128, k256 };
inline constexpr int kBandWidths = 5;

// The functions of one level, by band width.
template <typename Id>
struct ShortLevel {
  uint32_t lanes[kBandWidths];
  void (*run[kBandWidths])(const ShortGroup<Id>& group);
};

template <typename Id>
struct ShortLevels {
  static const ShortLevel<Id> kPortable, kAvx2, kAvx512;
};

}  // namespace oscope
