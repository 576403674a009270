// The index beside a segment: where a run and a bug are, without reading Parquet. Rebuildable at any time, never needed
// for a right answer.
//
// On disk:   two sections of the index file (index_file.h, docs/formats/index.md); those of a search stand beside them
//            (segment_search.h)
//              RUNS     32 bytes a run, by run id: id (16, most significant byte first), u64 low half of the content
//                       hash, u32 first row in the traces table, u32 row in the runs table
//              BUGS     16 bytes a revision, by placement: u64 placement of the key, u32 row in the bugs table, u32
//                       zero
// Threads:   immutable; may be read from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/store/index_file.h"
#include "index/store/store_files.h"
#include "tracer/model/run.h"

namespace oscope {

inline constexpr uint32_t kNoRow = UINT32_MAX;

struct RunLocation {
  RunId id;
  uint64_t content_hash_low = 0;
  uint32_t trace_row = kNoRow;  // kNoRow: the run has no trace
  uint32_t run_row = 0;
};
struct BugLocation {
  uint64_t placement = 0;
  uint32_t row = 0;
};

class SegmentIndex {
 public:
  // The two sections; the lists are sorted here.
  static std::vector<IndexSection> MakeSections(std::vector<RunLocation> runs, std::vector<BugLocation> bugs);
  // The file of an index that has nothing else.
  static std::string Encode(const std::string& segment, std::vector<RunLocation> runs, std::vector<BugLocation> bugs);

  // Checks the sections that it reads, and keeps the file.
  static Result<std::shared_ptr<const SegmentIndex>> Make(std::shared_ptr<const IndexFile> file);
  static Result<std::shared_ptr<const SegmentIndex>> Decode(std::string bytes, const std::string& segment);
  static Result<std::shared_ptr<const SegmentIndex>> Load(const StoreFiles& files, const std::string& segment);
  // From the tables themselves, without what only a search needs: a fraction of the time of RebuildIndexSections.
  static Result<std::shared_ptr<const SegmentIndex>> Rebuild(const StoreFiles& files, const SegmentEntry& entry);

  size_t runs() const { return runs_.size() / kRunBytes; }
  RunLocation run(size_t i) const;
  RunId run_id(size_t i) const;
  std::optional<RunLocation> FindRun(RunId id) const;
  size_t LowerBound(RunId id, size_t from = 0) const;  // the first run not below `id`, searched onwards from `from`

  // Rows of the bugs table whose key may have this placement.
  std::vector<uint32_t> BugRows(uint64_t placement) const;

  // Whether any of these (sorted) may be here.
  bool HasBugAmong(std::span<const uint64_t> placements) const;

  const std::shared_ptr<const IndexFile>& file() const { return file_; }

 private:
  static constexpr size_t kRunBytes = 32;
  static constexpr size_t kBugBytes = 16;
  size_t FirstBug(uint64_t placement, size_t from) const;
  uint64_t BugPlacement(size_t i) const;

  std::shared_ptr<const IndexFile> file_;
  std::string_view runs_, bugs_;
};

// The sections of the whole index from the tables: what a commit writes, byte for byte.
Result<std::vector<IndexSection>> RebuildIndexSections(const StoreFiles& files, const SegmentEntry& entry);

}  // namespace oscope
