// One known trace against the tails of one segment: which rows are within a bound.
//
// Rows that cannot be near are left out by the sketch or, where the trace's events are rare, by the postings; the rest goes through
// the kernel. Every filter only saves time.
// Threads: made by one; FindNear may be called from any thread, each with a Scratch of its own.
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

namespace oscope {

struct NearRow {
  uint32_t row = 0;
  uint32_t distance = 0;
};

class TailMatcher {
 public:
  // What a thread reuses from block to block.
  struct Scratch {
    std::vector<uint32_t> rows;
    std::vector<RowTail> tails;
    std::vector<uint16_t> distances;
    std::vector<NearRow> near;
  };

  // `names` are the trace's events and `hashes` their SketchHashes; a row counts with its last `length`. `taken` are the segment's rows of
  // a SelectedTraces. No bound will be greater than `max_bound`.
  TailMatcher(const Corpus::Segment& segment, std::span<const std::string_view> names, std::span<const uint64_t> hashes, TraceKind kind,
              uint64_t length, uint64_t max_bound, const std::vector<uint8_t>& taken);

  // The blocks of rows that the segment is searched in: FindNear takes one.
  static constexpr uint32_t kBlockRows = 16'384;
  uint32_t blocks() const;

  // Into scratch.near, in order of rows.
  void FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const;

 private:
  // The rows that may be near, ascending.
  void CollectRows(uint32_t first, uint32_t last, uint64_t bound, QueryContext& context, std::vector<uint32_t>& rows) const;
  void KeepTaken(std::vector<uint32_t>& rows) const;

  const Corpus::Segment& segment_;
  const std::vector<uint8_t>& taken_;
  const uint8_t mark_;
  const uint64_t length_;
  std::optional<std::vector<uint32_t>> listed_;  // by the postings, when they are the cheaper filter: all rows that may be near
  SketchQuery sketch_;
  ShortQuery query_;
};

}  // namespace oscope
