// Makes the sections of an index file that a search reads: tails, sketches, postings (segment_search.h reads them).
//
// A commit makes them from the rows it writes, a rebuild from the tables: the same traces in the same order give the
// same bytes.
// Threads: one at a time.
#pragma once

#include <span>
#include <vector>

#include "index/store/index_file.h"
#include "index/store/run_table.h"
#include "index/store/segment_rows.h"
#include "index/tails/tail_builder.h"

namespace oscope {

class SearchSectionsBuilder {
 public:
  // Rows of the traces table as they are written, in this order; always with the same `names`.
  void Add(const SegmentRows& rows, std::span<const uint32_t> order, const SymbolTable& names);
  // A row group as it was read. `runs` are all of the segment, in order.
  Status Add(const TraceBatch& batch, std::span<const RunIdentity> runs);

  // Whether the last trace has all the events it announced.
  bool complete() const { return tails_.complete(); }
  // None when there were no traces.
  std::vector<IndexSection> Finish();

 private:
  uint32_t NumberOf(uint32_t code, const SymbolTable& names);

  TailBuilder tails_;
  std::vector<uint32_t> numbers_;  // code -> number of the name in tails_, + 1
  std::vector<uint32_t> events_;
  size_t next_run_ = 0;
};

Result<std::vector<IndexSection>> RebuildSearchSections(const StoreFiles& files, const SegmentEntry& entry,
                                                        std::span<const RunIdentity> runs);

}  // namespace oscope
