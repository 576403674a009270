// `words` as a metric, twice, as in recent_methods.cc: a fast one that remembers the words of each event's name and
// each thread's last two vectors, and a plain one for the oracle.
#include "query/semantics/words_metric.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <utility>

#include "index/tails/tail_table.h"
#include "query/similarity/frame_weigher.h"
#include "query/similarity/stack_similarity.h"

namespace oscope {
namespace {

std::optional<uint64_t> DistanceWithin(const WordVector& a, const WordVector& b, uint64_t bound) {
  const uint64_t distance = (kSame - Similarity(a, b) + 500) / 1000;
  return distance <= bound ? std::optional<uint64_t>(distance) : std::nullopt;
}

class PlainWordsMetric : public SequenceMetric {
 public:
  PlainWordsMetric(const EventNames& names, WordStatistics statistics)
      : names_(names), similarity_(std::move(statistics)) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    return DistanceWithin(Weigh(a), Weigh(b), bound);
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

// One side is usually the same from call to call: the bug at hand.
class WordsMetric : public SequenceMetric {
 public:
  WordsMetric(const EventNames& names, WordStatistics statistics)
      : names_(names), statistics_(std::move(statistics)), threads_([this] { return OfThread(*this); }) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    OfThread& here = threads_.local();
    here.left.Set(a, here.weigher);
    here.right.Set(b, here.weigher);
    return DistanceWithin(here.left.vector, here.right.vector, bound);
  }

 private:
  struct Weighed {
    std::vector<uint32_t> events;
    WordVector vector;
    void Set(Sequence now, FrameWeigher& weigher) {
      if (std::equal(now.begin(), now.end(), events.begin(), events.end())) return;
      events.assign(now.begin(), now.end());
      vector = weigher.Weigh(now);
    }
  };
  struct OfThread {
    explicit OfThread(const WordsMetric& metric)
        : weigher(metric.statistics_,
                  [&names = metric.names_](uint32_t event) -> std::string_view { return names.name(event); }) {}
    FrameWeigher weigher;
    Weighed left, right;
  };

  const EventNames& names_;
  const WordStatistics statistics_;
  mutable tbb::enumerable_thread_specific<OfThread> threads_;
};

}  // namespace

void StackWords::Add(std::span<const std::string_view> frames) {
  const auto last = frames.last(std::min<size_t>(frames.size(), kTailEvents));
  counter_.AddStack(StackSimilarity::Words({.frames = {last.begin(), last.end()}, .test = {}, .exception = {}}));
}

std::unique_ptr<SequenceMetric> MakeWordsMetric(const EventNames& names, WordStatistics statistics) {
  return std::make_unique<WordsMetric>(names, std::move(statistics));
}

std::unique_ptr<SequenceMetric> MakePlainWordsMetric(const EventNames& names, WordStatistics statistics) {
  return std::make_unique<PlainWordsMetric>(names, std::move(statistics));
}

}  // namespace oscope
