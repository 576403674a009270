// Reindexing: makes every segment's index from its tables again, and writes the files that differ.
//
// An index is compared byte for byte with what its tables give. That is possible because an index depends on its
// tables alone, in their order, and never on how the segment came to be. It finds what a checksum cannot: an index
// that is whole, but belongs to other tables or was made by a faulty release.
#include "index/store/reindex.h"

#include "index/store/bug_name_table.h"
#include "index/store/failure_index.h"
#include "index/store/segment_index.h"
#include "index/store/segment_search.h"
#include "index/store/store.h"
#include "index/store/store_state.h"

namespace oscope {

namespace {

IndexFault FaultOf(ErrorCode code) { return code == ErrorCode::kCorrupt ? IndexFault::kDamaged : IndexFault::kOlder; }

void Count(IndexFault fault, ReindexResult& result) {
  switch (fault) {
    case IndexFault::kNone: break;
    case IndexFault::kMissing: ++result.missing; break;
    case IndexFault::kOlder: ++result.older; break;
    case IndexFault::kDamaged: ++result.damaged; break;
    case IndexFault::kWrong: ++result.wrong; break;
  }
}

}  // namespace

Result<IndexState> CheckStoredIndex(const StoreFiles& files, const SegmentEntry& segment) {
  const auto file = IndexFile::Load(files, segment.id);
  if (!file.ok() && file.error().code == ErrorCode::kNotFound) return IndexState{IndexFault::kMissing, "missing", {}};
  // Not taken for a fault of the file, which is perhaps a good one, and would be written anew.
  if (!file.ok() && file.error().code == ErrorCode::kIo)
    return Error(file.error()).Within(fmt::format("index/{}.osix", segment.id));
  const auto check = [&]() -> Status {
    if (!file.ok()) return file.error();
    OSCOPE_RETURN_IF_ERROR((*file)->CheckAll());
    OSCOPE_RETURN_IF_ERROR(SegmentIndex::Make(*file));
    OSCOPE_RETURN_IF_ERROR(BugNameTable::Make(*file, segment.bug_revisions));
    OSCOPE_RETURN_IF_ERROR(FailureIndex::Make(*file));
    OSCOPE_RETURN_IF_ERROR(SegmentSearch::Make(*file, segment.traces));
    return {};
  };
  const Status status = check();
  if (status.ok()) return IndexState();
  return IndexState{FaultOf(status.error().code), status.error().message, {}};
}

Result<IndexState> CompareIndex(const StoreFiles& files, const SegmentEntry& segment) {
  OSCOPE_ASSIGN_OR_RETURN(std::vector<IndexSection> sections, RebuildIndexSections(files, segment));
  OSCOPE_ASSIGN_OR_RETURN(IndexState state, CheckStoredIndex(files, segment));
  if (state.fault == IndexFault::kNone) {
    OSCOPE_ASSIGN_OR_RETURN(const auto file, IndexFile::Load(files, segment.id));
    if (file->bytes() != IndexFile::Encode(segment.id, sections))
      state = {IndexFault::kWrong, "differs from the tables", {}};
  }
  state.sections = std::move(sections);
  return state;
}

Result<ReindexResult> Store::Reindex(const ReindexOptions& options) {
  StoreState& store = *state_;
  if (store.read_only && !options.verify)
    return Error{ErrorCode::kIo, fmt::format("store {} is open for reading only", path())};
  std::unique_ptr<FileLock> lock;
  if (!options.verify) {
    OSCOPE_ASSIGN_OR_RETURN(lock, store.files.LockAsWriter());
  }
  OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
  newest->skip_damaged = store.skip_damaged;
  ReindexResult result;
  OSCOPE_RETURN_IF_ERROR(newest->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const IndexState state, CompareIndex(store.files, segment));
    ++result.segments;
    Count(state.fault, result);
    if (state.fault != IndexFault::kNone && !options.verify) {
      OSCOPE_RETURN_IF_ERROR(IndexFile::Write(store.files, segment.id, state.sections));
      store.Forget({segment});
      ++result.written;
    }
    return store.Step();
  }));
  return result;
}

}  // namespace oscope
