// Both sequences are renamed and then compared by the usual kernel. The renaming is each sequence's own, so an event
// that is inserted at the front changes all later numbers; a distance that chose the best renaming of both together
// would be much harder to compute.
#include "query/distance/renamed.h"

#include <unordered_map>

#include "query/distance/levenshtein_metric.h"

namespace oscope {
namespace {

class Renamed : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    return levenshtein_->Within(RenameByAppearance(a), RenameByAppearance(b), bound);
  }

 private:
  std::unique_ptr<SequenceMetric> levenshtein_ = MakeLevenshtein();
};

}  // namespace

std::vector<uint32_t> RenameByAppearance(Sequence sequence) {
  std::unordered_map<uint32_t, uint32_t> number;
  std::vector<uint32_t> out;
  out.reserve(sequence.size());
  for (const uint32_t event : sequence)
    out.push_back(number.emplace(event, static_cast<uint32_t>(number.size())).first->second);
  return out;
}

std::unique_ptr<SequenceMetric> MakeRenamed() { return std::make_unique<Renamed>(); }

}  // namespace oscope
