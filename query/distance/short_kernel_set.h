// A set of events that may take a few others for its own, in a vector's width: one bit for each of 256 hashes. So what it does not have is
// not in the query, for sure; of the events of other rows it takes about one in eight for the query's.
#pragma once

#include <cstdint>

namespace oscope {

// The hash of an id is the upper byte of the lower 16 bits of its product with this.
inline constexpr uint16_t kEventHashFactor = 0x9e37;

struct EventSet {
  uint8_t bits[2][16] = {};  // hash h is bit h / 16 % 8 of bits[h / 128][h % 16]
};

}  // namespace oscope
