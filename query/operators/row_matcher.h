// One known trace against the tails of one segment: which rows are within a bound. One source a matcher, each with a
// function Match… that makes one for every segment; query/semantics/tail_matching.h names them all.
//
// Threads: made by one; FindNear may be called from any thread, each with a Scratch of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "query/corpus/corpus.h"
#include "query/distance/short_kernel.h"
#include "query/operators/query_context.h"

namespace oscope {

struct NearRow {
  uint32_t row = 0;
  uint32_t distance = 0;
};

class RowMatcher {
 public:
  // What a thread reuses from block to block.
  struct Scratch {
    std::vector<uint32_t> rows;
    std::vector<RowTail> tails;
    std::vector<uint16_t> distances;
    std::vector<NearRow> near;
    std::vector<uint64_t> seen;  // by method, the last of the rows below that has it
    uint64_t rows_seen = 0;
  };

  virtual ~RowMatcher() = default;

  // The blocks of rows that the segment is searched in: FindNear takes one.
  static constexpr uint32_t kBlockRows = 16'384;
  uint32_t blocks() const { return (Rows() + kBlockRows - 1) / kBlockRows; }

  // Into scratch.near, in order of rows.
  virtual void FindNear(uint32_t block, uint64_t bound, QueryContext& context, Scratch& scratch) const = 0;

 protected:
  // `taken` are the segment's rows of a SelectedTraces; those of this kind of trace count.
  RowMatcher(const Corpus::Segment& segment, TraceKind kind, const std::vector<uint8_t>& taken)
      : segment_(segment), taken_(taken), code_(SelectedTraces::CodeOf(kind)) {}

  const TailTable& tails() const { return segment_.search->tails(); }
  uint32_t Rows() const { return static_cast<uint32_t>(tails().size()); }
  uint32_t LastRow(uint32_t block) const {
    return static_cast<uint32_t>(std::min<uint64_t>(Rows(), (uint64_t{block} + 1) * kBlockRows));
  }
  bool IsTaken(uint32_t row) const { return taken_[row] == code_; }

  const Corpus::Segment& segment_;

 private:
  const std::vector<uint8_t>& taken_;
  const uint8_t code_;
};

// By segment.
using RowMatchers = std::vector<std::unique_ptr<RowMatcher>>;

class PreparedQuery;

// The tails that a known trace is compared with. What it refers to outlives the matchers.
struct SearchedTails {
  const PreparedQuery& query;
  const SelectedTraces& selected;  // the rows that count
  uint64_t length = 0;             // each with its last `length` events
  uint64_t max_bound = 0;          // no bound will be greater
};

}  // namespace oscope
