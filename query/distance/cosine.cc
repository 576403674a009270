// An exact cosine in thousandths. A floating-point root would round differently on different machines and make answers
// depend on them. Instead the candidate thousandth k is tested by squaring both sides of the inequality, in 256-bit
// integers, and found by bisection in ten steps.
#include "query/distance/cosine.h"

namespace oscope {
namespace {

using Wide = unsigned __int128;

constexpr uint64_t kScale = 1000;

struct Product {
  Wide high = 0, low = 0;
  bool operator>=(const Product& other) const { return high != other.high ? high > other.high : low >= other.low; }
};

// 256 bits: the products below need up to 150.
Product Multiply(Wide a, Wide b) {
  constexpr int kHalf = 64;
  const Wide mask = UINT64_MAX;
  const Wide low = (a & mask) * (b & mask), cross = (a >> kHalf) * (b & mask), other = (a & mask) * (b >> kHalf);
  const Wide middle = (low >> kHalf) + (cross & mask) + (other & mask);
  return {(a >> kHalf) * (b >> kHalf) + (cross >> kHalf) + (other >> kHalf) + (middle >> kHalf),
          (middle << kHalf) | (low & mask)};
}

}  // namespace

// The greatest k with 2000 · dot >= (2k - 1) · sqrt(a · b), found with both sides squared.
uint64_t CosineInThousandths(uint64_t dot, uint64_t a, uint64_t b) {
  const Wide twice = Wide{2 * kScale} * dot;
  const Product left = Multiply(twice, twice);
  uint64_t low = 0, high = kScale;
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2, odd = 2 * middle - 1;
    if (left >= Multiply(Wide{odd * odd} * a, b)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace oscope
