// A RowMatcher by Levenshtein distance.
//
// Rows that cannot be near are left out by the sketch or, where the trace's events are rare, by the postings; the rest
// goes through the kernel. Every filter only saves time.
// Threads: as row_matcher.h says.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/sketch/sketch.h"
#include "query/corpus/corpus.h"
#include "query/distance/short_kernel.h"
#include "query/operators/query_context.h"
#include "query/operators/row_matcher.h"
#include "query/semantics/trace_set.h"

namespace oscope {

class TailMatcher : public RowMatcher {
 public:
  // `names` are the trace's events and `hashes` their SketchHashes; a row counts with its last `length`. `taken` are
  // the segment's rows of a SelectedTraces. No bound will be greater than `max_bound`.
  TailMatcher(const Corpus::Segment& segment, std::span<const std::string_view> names, std::span<const uint64_t> hashes,
              TraceKind kind, uint64_t length, uint64_t max_bound, const std::vector<uint8_t>& taken);

  void FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const override;

 private:
  // The rows that may be near, ascending.
  void CollectRows(uint32_t first, uint32_t last, uint64_t bound, QueryContext& context,
                   std::vector<uint32_t>& rows) const;
  void KeepTaken(std::vector<uint32_t>& rows) const;

  const uint64_t length_;
  // by the postings, when they are the cheaper filter: all rows that may be near
  std::optional<std::vector<uint32_t>> listed_;
  SketchQuery sketch_;
  ShortQuery query_;
};

// One for each segment. May be called from any thread.
RowMatchers MatchByEdits(const TraceSequence& known, const SearchedTails& tails);

}  // namespace oscope
