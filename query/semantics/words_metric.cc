#include "query/semantics/words_metric.h"

#include <algorithm>
#include <utility>

#include "index/tails/tail_table.h"
#include "query/similarity/stack_similarity.h"

namespace oscope {
namespace {

class WordsMetric : public SequenceMetric {
 public:
  WordsMetric(const EventNames& names, WordStatistics statistics) : names_(names), similarity_(std::move(statistics)) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const uint32_t alike = Similarity(Weigh(a), Weigh(b));
    const uint64_t distance = (kSame - alike + 500) / 1000;
    return distance <= bound ? std::optional<uint64_t>(distance) : std::nullopt;
  }

 private:
  WordVector Weigh(Sequence events) const {
    StackText text;
    text.frames.reserve(events.size());
    for (const uint32_t event : events) text.frames.push_back(names_.name(event));
    return similarity_.Weigh(text);
  }

  const EventNames& names_;
  const StackSimilarity similarity_;
};

}  // namespace

void StackWords::Add(std::span<const std::string_view> frames) {
  const auto last = frames.last(std::min<size_t>(frames.size(), kTailEvents));
  counter_.AddStack(StackSimilarity::Words({.frames = {last.begin(), last.end()}, .test = {}, .exception = {}}));
}

std::unique_ptr<SequenceMetric> MakeWordsMetric(const EventNames& names, WordStatistics statistics) {
  return std::make_unique<WordsMetric>(names, std::move(statistics));
}

}  // namespace oscope
