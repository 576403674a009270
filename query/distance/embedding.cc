// Computed from the longest common subsequence. For the bound 0, the usual question ("does one trace contain the
// other?"), a single scan answers.
#include "query/distance/embedding.h"

#include <algorithm>

#include "query/distance/lcs.h"

namespace oscope {
namespace {

bool IsSubsequence(Sequence shorter, Sequence longer) {
  size_t at = 0;
  for (size_t i = 0; i < longer.size() && at < shorter.size(); ++i) at += longer[i] == shorter[at];
  return at == shorter.size();
}

class Embedding : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    if (a.size() > b.size()) std::swap(a, b);
    if (bound == 0) return IsSubsequence(a, b) ? std::optional<uint64_t>(0) : std::nullopt;
    const uint64_t distance = EmbeddingDistance(a, b);
    return distance <= bound ? std::optional(distance) : std::nullopt;
  }
};

}  // namespace

uint64_t EmbeddingDistance(Sequence a, Sequence b) { return std::min(a.size(), b.size()) - LcsLength(a, b); }

std::unique_ptr<SequenceMetric> MakeEmbedding() { return std::make_unique<Embedding>(); }

}  // namespace oscope
