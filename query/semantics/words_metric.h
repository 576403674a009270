// The metric `words`: how unlike two traces are by the words of their events' names
// (query/similarity/stack_similarity.h), made for stacks.
//
// Distance: one minus the similarity, in thousandths, rounded to nearest. Symmetric; 0 for equal traces that have a
// word.
// Threads: Within may be called from many threads at once.
#pragma once

#include <memory>

#include "query/distance/metric.h"
#include "query/semantics/event_names.h"
#include "query/similarity/word_rarity.h"

namespace oscope {

// Counts the words of stacks, one after the other: what the rarity of a word is taken from.
class StackWords {
 public:
  // The frames of a stack up to its failure; the last kTailEvents of them count.
  void Add(std::span<const std::string_view> frames);
  WordStatistics Freeze() const { return counter_.Freeze(); }

 private:
  WordCounter counter_;
};

// `names` outlives the metric.
std::unique_ptr<SequenceMetric> MakeWordsMetric(const EventNames& names, WordStatistics statistics);
std::unique_ptr<SequenceMetric> MakePlainWordsMetric(
    const EventNames& names, WordStatistics statistics);  // from the names each time: the oracle

}  // namespace oscope
