// Levenshtein distance as a SequenceMetric, in its fast form and its plain form.
#include "query/distance/levenshtein_metric.h"

#include <algorithm>

#include "query/distance/long_kernel.h"

namespace oscope {
namespace {

class PlainLevenshteinMetric : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    // No two sequences are further apart than 2^32 - 1.
    const auto within = LevenshteinWithin(a, b, static_cast<uint32_t>(std::min<uint64_t>(bound, UINT32_MAX)));
    return within ? std::optional<uint64_t>(*within) : std::nullopt;
  }
};

class LevenshteinMetric : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const auto within = LongDistanceWithin(a, b, bound);
    return within ? std::optional<uint64_t>(*within) : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<SequenceMetric> MakePlainLevenshtein() { return std::make_unique<PlainLevenshteinMetric>(); }
std::unique_ptr<SequenceMetric> MakeLevenshtein() { return std::make_unique<LevenshteinMetric>(); }

}  // namespace oscope
