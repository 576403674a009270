// Both sequences become sorted lists of events with counts; their products are sums over a merge of the lists.
#include "query/distance/vsm.h"

#include <algorithm>

#include "query/distance/cosine.h"

namespace oscope {
namespace {

constexpr uint64_t kScale = 1000;

struct Count {
  uint32_t event = 0;
  uint64_t times = 0;
};

std::vector<Count> CountEvents(Sequence sequence) {
  std::vector<uint32_t> sorted(sequence.begin(), sequence.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Count> counts;
  for (const uint32_t event : sorted) {
    if (counts.empty() || counts.back().event != event) counts.push_back({event, 0});
    ++counts.back().times;
  }
  return counts;
}

uint64_t Dot(const std::vector<Count>& a, const std::vector<Count>& b) {
  uint64_t sum = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].event == b[j].event) sum += a[i].times * b[j].times;
    const bool left = a[i].event <= b[j].event, right = b[j].event <= a[i].event;
    i += left;
    j += right;
  }
  return sum;
}

class Vsm : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const uint64_t distance = VsmDistance(a, b);
    return distance <= bound ? std::optional(distance) : std::nullopt;
  }
};

}  // namespace

uint64_t VsmDistance(Sequence a, Sequence b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 0 : kScale;
  const std::vector<Count> in_a = CountEvents(a), in_b = CountEvents(b);
  return kScale - CosineInThousandths(Dot(in_a, in_b), Dot(in_a, in_a), Dot(in_b, in_b));
}

std::unique_ptr<SequenceMetric> MakeVsm() { return std::make_unique<Vsm>(); }

}  // namespace oscope
