// Counts differing positions in blocks of 256 and looks at the bound between blocks only: a loop that stops in the
// middle cannot be vectorised by the compiler.
#include "query/distance/hamming.h"

#include <algorithm>

namespace oscope {
namespace {

constexpr size_t kStride = 256;  // how often the bound is looked at: a simpler loop runs faster

uint64_t Differing(Sequence a, Sequence b) {
  uint64_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

class Hamming : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    return HammingWithin(a, b, bound);
  }
};

}  // namespace

std::optional<uint64_t> HammingWithin(Sequence a, Sequence b, uint64_t bound) {
  const size_t common = std::min(a.size(), b.size());
  uint64_t distance = std::max(a.size(), b.size()) - common;
  for (size_t i = 0; i < common && distance <= bound; i += kStride) {
    const size_t length = std::min(kStride, common - i);
    distance += Differing(a.subspan(i, length), b.subspan(i, length));
  }
  if (distance > bound) return std::nullopt;
  return distance;
}

std::unique_ptr<SequenceMetric> MakeHamming() { return std::make_unique<Hamming>(); }

}  // namespace oscope
