// `recent` as a metric, twice: a fast one that keeps for each thread the two sequences it weighed last, as one side is
// usually the same from pair to pair, and a plain one that follows the definition, for the oracle.
#include "query/semantics/recent_methods.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <map>
#include <utility>

#include "query/distance/cosine.h"
#include "query/distance/recent.h"
#include "query/semantics/make_metric.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

// One side is usually the same from call to call: the bug at hand.
class RecentMetric : public SequenceMetric {
 public:
  explicit RecentMetric(std::shared_ptr<const MethodWeights> weights) : weights_(std::move(weights)) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    OfThread& here = threads_.local();
    here.left.Set(a, *weights_);
    here.right.Set(b, *weights_);
    const uint64_t distance = RecentDistance(here.left.recent, here.right.recent);
    return distance <= bound ? std::optional(distance) : std::nullopt;
  }

 private:
  struct Weighed {
    std::vector<uint32_t> events, methods;
    RecentEvents recent;
    void Set(Sequence now, const MethodWeights& weights) {
      if (std::equal(now.begin(), now.end(), events.begin(), events.end())) return;
      events.assign(now.begin(), now.end());
      methods.clear();
      for (const uint32_t event : now) methods.push_back(weights.method_of[event]);
      recent = WeighRecent(methods, weights.weights);
    }
  };
  struct OfThread {
    Weighed left, right;
  };

  const std::shared_ptr<const MethodWeights> weights_;
  mutable tbb::enumerable_thread_specific<OfThread> threads_;
};

class PlainRecentMetric : public SequenceMetric {
 public:
  explicit PlainRecentMetric(std::shared_ptr<const MethodWeights> weights) : weights_(std::move(weights)) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const std::map<uint32_t, uint64_t> ours = Weigh(a), theirs = Weigh(b);
    const uint64_t similarity =
        ours.empty() || theirs.empty()
            ? (ours.empty() && theirs.empty() ? 1000 : 0)
            : CosineInThousandths(Product(ours, theirs), Product(ours, ours), Product(theirs, theirs));
    return 1000 - similarity <= bound ? std::optional(1000 - similarity) : std::nullopt;
  }

 private:
  std::map<uint32_t, uint64_t> Weigh(Sequence events) const {
    std::map<uint32_t, uint64_t> weighed;
    for (size_t before_end = 0; before_end < std::min(events.size(), RecentEvents::kReach); ++before_end) {
      const uint32_t method = weights_->method_of[events[events.size() - 1 - before_end]];
      weighed.try_emplace(
          method,
          std::max<uint64_t>(1, (uint64_t{weights_->weights.rarity[method]} * (655360 / (10 + before_end))) >> 16));
    }
    return weighed;
  }
  static uint64_t Product(const std::map<uint32_t, uint64_t>& a, const std::map<uint32_t, uint64_t>& b) {
    uint64_t sum = 0;
    for (const auto& [method, weight] : a) {
      if (const auto other = b.find(method); other != b.end()) sum += weight * other->second;
    }
    return sum;
  }

  const std::shared_ptr<const MethodWeights> weights_;
};

}  // namespace

void Methods::Extend(const EventNames& names) {
  method_of_.reserve(names.size());
  for (uint32_t event = static_cast<uint32_t>(method_of_.size()); event < names.size(); ++event) {
    const auto number = static_cast<uint32_t>(numbers_.size());
    method_of_.push_back(numbers_.try_emplace(WithoutTemplateArguments(names.name(event)), number).first->second);
  }
}

MethodWeights Methods::Weigh(const EventStatistics& statistics) const {
  std::vector<uint64_t> traces_with(numbers_.size(), 0);
  for (size_t event = 0; event < std::min(method_of_.size(), statistics.traces_with_event.size()); ++event) {
    traces_with[method_of_[event]] += statistics.traces_with_event[event];
  }
  for (uint64_t& with : traces_with) with = std::min(with, statistics.traces);
  return {method_of_, WeighEvents(traces_with, statistics.traces)};
}

std::unique_ptr<SequenceMetric> MakeRecentMethods(std::shared_ptr<const MethodWeights> weights) {
  return std::make_unique<RecentMetric>(std::move(weights));
}

std::unique_ptr<SequenceMetric> MakePlainRecentMethods(std::shared_ptr<const MethodWeights> weights) {
  return std::make_unique<PlainRecentMetric>(std::move(weights));
}

}  // namespace oscope
