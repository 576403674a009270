// A set of events that may take a few others for its own, in a vector's width: for each of two hashes, one bit for each
// of its 256 values. So what it does not have is not in the query, for sure. Of other events it takes about one in
// eight for those of a query of 50, by one hash, and one in fifty by both.
#pragma once

#include <cstdint>

namespace oscope {

inline constexpr int kEventHashes = 2;
// A hash of an id is the upper byte of the lower 16 bits of its product with one of these.
inline constexpr uint16_t kEventHashFactors[kEventHashes] = {0x9e37, 0x6a35};

struct HashedEvents {
  uint8_t bits[kEventHashes][2][16] = {};  // hash h is bit h / 16 % 8 of [h / 128][h % 16]
};

}  // namespace oscope
