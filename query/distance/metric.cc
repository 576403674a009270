// Rarity in fixed point. log2 is computed bit by bit with integers only, since std::log2 may differ in the last bit
// between libraries and an answer must not.
#include "query/distance/metric.h"

#include <algorithm>
#include <bit>

namespace oscope {
namespace {

using Wide = unsigned __int128;

constexpr int kFraction = 16;

// log2 of `value` >= 1, both in 16.16: the whole part is the highest bit; each squaring of the rest gives one bit more.
uint32_t Log2(uint64_t value) {
  constexpr int kPrecision = 62;
  const int whole = static_cast<int>(std::bit_width(value)) - 1 - kFraction;
  uint64_t rest = value << (kPrecision - whole - kFraction);  // in [1, 2), 62 bits after the point
  auto result = static_cast<uint32_t>(whole) << kFraction;
  for (int bit = kFraction - 1; bit >= 0; --bit) {
    rest = static_cast<uint64_t>((Wide{rest} * rest) >> kPrecision);
    if (rest >> (kPrecision + 1) == 0) continue;
    rest >>= 1;
    result |= uint32_t{1} << bit;
  }
  return result;
}

// Numbers beyond 2^45 count as 2^45, so that the shift does not overflow.
uint32_t Rarity(uint64_t traces_with, uint64_t traces) {
  constexpr uint64_t kMost = uint64_t{1} << 45, kOne = uint64_t{1} << kFraction;
  const uint64_t ratio = (std::min(traces, kMost) << kFraction) / std::max<uint64_t>(1, std::min(traces_with, kMost));
  return Log2(kOne + ratio);
}

}  // namespace

EventWeights WeighEvents(std::span<const uint64_t> traces_with_event, uint64_t traces) {
  EventWeights weights;
  // A store without traces weighs all events alike.
  weights.unknown = Rarity(1, std::max<uint64_t>(1, traces));
  for (const uint64_t with : traces_with_event) weights.rarity.push_back(Rarity(with, std::max<uint64_t>(1, traces)));
  return weights;
}

}  // namespace oscope
