// Alignment by weights is a longest common subsequence whose pairs bring the smaller of two weights: the cost is
// everything that is not common, so the largest common weight gives the least cost. One row of the table is kept.
#include "query/distance/weighted.h"

#include <algorithm>
#include <numeric>

namespace oscope {
namespace {

constexpr uint64_t kScale = 1000;

std::vector<uint64_t> WeighPlaces(Sequence sequence, const EventWeights& weights, uint64_t half) {
  std::vector<uint64_t> out;
  out.reserve(sequence.size());
  for (size_t i = 0; i < sequence.size(); ++i) {
    const uint32_t event = sequence[i];
    const uint64_t rarity = event < weights.rarity.size() ? weights.rarity[event] : weights.unknown;
    const uint64_t before_end = sequence.size() - 1 - i;
    // At least 1: an event that differs is never for nothing.
    out.push_back(std::max<uint64_t>(1, rarity * half / (half + before_end)));
  }
  return out;
}

// The greatest weight that pairs of equal events can have in common, crossing no other pair.
uint64_t CommonWeight(Sequence a, Sequence b, const std::vector<uint64_t>& weight_a,
                      const std::vector<uint64_t>& weight_b) {
  std::vector<uint64_t> row(b.size() + 1, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    uint64_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const uint64_t above = row[j + 1];
      const uint64_t paired = a[i] == b[j] ? diagonal + std::min(weight_a[i], weight_b[j]) : 0;
      row[j + 1] = std::max({above, row[j], paired});
      diagonal = above;
    }
  }
  return row.back();
}

class Weighted : public SequenceMetric {
 public:
  explicit Weighted(EventWeights weights) : weights_(std::move(weights)) {}
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const uint64_t distance = WeightedDistance(a, b, weights_);
    return distance <= bound ? std::optional(distance) : std::nullopt;
  }

 private:
  EventWeights weights_;
};

}  // namespace

uint64_t WeightedDistance(Sequence a, Sequence b, const EventWeights& weights, const WeightedParameters& parameters) {
  a = a.last(std::min<size_t>(a.size(), parameters.window));
  b = b.last(std::min<size_t>(b.size(), parameters.window));
  if (a.empty() && b.empty()) return 0;
  const std::vector<uint64_t> weight_a = WeighPlaces(a, weights, parameters.half),
                              weight_b = WeighPlaces(b, weights, parameters.half);
  const uint64_t total =
      std::accumulate(weight_a.begin(), weight_a.end(), std::accumulate(weight_b.begin(), weight_b.end(), uint64_t{0}));
  const uint64_t cost = total - 2 * CommonWeight(a, b, weight_a, weight_b);
  return (2 * kScale * cost + total) / (2 * total);
}

std::unique_ptr<SequenceMetric> MakeWeighted(EventWeights weights) {
  return std::make_unique<Weighted>(std::move(weights));
}

}  // namespace oscope
