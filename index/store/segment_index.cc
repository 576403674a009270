// Encodes, reads and rebuilds the sections RUNS and BUGS. Both are sorted arrays of fixed width, searched in place.
//
// A commit looks up all its runs in every segment. Both lists are sorted, so each search starts where the last one
// ended and takes growing steps (Gallop): looking up m ids among n costs about m log(n / m) rather than m log n, and a
// single id costs what a bisection costs.
#include "index/store/segment_index.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "index/store/bug_name_table.h"
#include "index/store/bug_table.h"
#include "index/store/failure_index.h"
#include "index/store/placement.h"
#include "index/store/run_table.h"
#include "index/store/search_sections.h"
#include "index/store/trace_table.h"

namespace oscope {

namespace {

constexpr uint32_t kRunsTag = SectionTag("RUNS"), kBugsTag = SectionTag("BUGS");
constexpr uint32_t kVersion = 0;  // of both

uint64_t ReadU64(const char* at) {
  uint64_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}
uint32_t ReadU32(const char* at) {
  uint32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// The first of [from, end) that is not below, by growing steps and then bisection: a merge of two sorted lists costs
// what the shorter is worth.
template <typename Below>
size_t Gallop(size_t from, size_t end, Below below) {
  size_t low = from, step = 1;
  while (low + step < end && below(low + step)) {
    low += step;
    step *= 2;
  }
  size_t high = std::min(end, low + step + 1);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (below(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

std::vector<IndexSection> SegmentIndex::MakeSections(std::vector<RunLocation> runs, std::vector<BugLocation> bugs) {
  std::sort(runs.begin(), runs.end(), [](const RunLocation& a, const RunLocation& b) { return a.id < b.id; });
  std::sort(bugs.begin(), bugs.end(), [](const BugLocation& a, const BugLocation& b) {
    return std::tie(a.placement, a.row) < std::tie(b.placement, b.row);
  });
  ByteWriter run_bytes;
  for (const RunLocation& run : runs) {
    run_bytes.U64(__builtin_bswap64(run.id.value.high));
    run_bytes.U64(__builtin_bswap64(run.id.value.low));
    run_bytes.U64(run.content_hash_low);
    run_bytes.U32(run.trace_row);
    run_bytes.U32(run.run_row);
  }
  ByteWriter bug_bytes;
  for (const BugLocation& bug : bugs) {
    bug_bytes.U64(bug.placement);
    bug_bytes.U32(bug.row);
    bug_bytes.U32(0);
  }
  std::vector<IndexSection> sections;
  sections.push_back({kRunsTag, kVersion, run_bytes.Take()});
  sections.push_back({kBugsTag, kVersion, bug_bytes.Take()});
  return sections;
}

std::string SegmentIndex::Encode(const std::string& segment, std::vector<RunLocation> runs,
                                 std::vector<BugLocation> bugs) {
  return IndexFile::Encode(segment, MakeSections(std::move(runs), std::move(bugs)));
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Make(std::shared_ptr<const IndexFile> file) {
  auto index = std::make_shared<SegmentIndex>();
  OSCOPE_ASSIGN_OR_RETURN(index->runs_, file->Section(kRunsTag, kVersion));
  OSCOPE_ASSIGN_OR_RETURN(index->bugs_, file->Section(kBugsTag, kVersion));
  if (index->runs_.size() % kRunBytes != 0 || index->bugs_.size() % kBugBytes != 0)
    return Corrupt("a section holds a broken entry");
  index->file_ = std::move(file);
  return std::shared_ptr<const SegmentIndex>(std::move(index));
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Decode(std::string bytes, const std::string& segment) {
  OSCOPE_ASSIGN_OR_RETURN(auto file, IndexFile::Decode(std::move(bytes), segment));
  return Make(std::move(file));
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Load(const StoreFiles& files, const std::string& segment) {
  OSCOPE_ASSIGN_OR_RETURN(auto file, IndexFile::Load(files, segment));
  return Make(std::move(file));
}

namespace {

// Where the runs' traces begin. Both tables are in the same order of runs, so one pass finds each run's first row.
Status LocateTraces(const StoreFiles& files, const SegmentEntry& entry, std::vector<RunLocation>& runs) {
  const TableFile* table = entry.Find(Table::kTraces);
  if (table == nullptr) return {};
  OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunId> owners, ReadTraceRunIds(*reader));
  size_t run = 0;
  for (uint32_t row = 0; row < owners.size(); ++row) {
    if (row > 0 && owners[row] == owners[row - 1]) continue;
    while (run < runs.size() && runs[run].id != owners[row]) ++run;
    if (run == runs.size()) return Corrupt("segment {}: trace row {} belongs to no run", entry.id, row);
    runs[run].trace_row = row;
  }
  return {};
}

Result<std::vector<BugRevision>> ReadRevisions(const StoreFiles& files, const SegmentEntry& entry) {
  const TableFile* table = entry.Find(Table::kBugs);
  if (table == nullptr) return std::vector<BugRevision>();
  OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
  return ReadBugs(*reader);
}

Result<std::vector<RunIdentity>> ReadIdentities(const StoreFiles& files, const SegmentEntry& entry) {
  const TableFile* table = entry.Find(Table::kRuns);
  if (table == nullptr) return std::vector<RunIdentity>();
  OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
  return ReadRunIdentities(*reader);
}

Result<std::vector<IndexSection>> LocationSections(const StoreFiles& files, const SegmentEntry& entry,
                                                   const std::vector<RunIdentity>& identities) {
  std::vector<RunLocation> runs;
  for (uint32_t row = 0; row < identities.size(); ++row) {
    runs.push_back({identities[row].id, identities[row].content_hash.low, kNoRow, row});
  }
  OSCOPE_RETURN_IF_ERROR(LocateTraces(files, entry, runs));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> revisions, ReadRevisions(files, entry));
  std::vector<BugLocation> bugs;
  for (uint32_t row = 0; row < revisions.size(); ++row) bugs.push_back({PlacementOf(revisions[row].bug.key), row});
  std::vector<IndexSection> sections = SegmentIndex::MakeSections(std::move(runs), std::move(bugs));
  std::vector<IndexSection> names = BugNameTable::MakeSections(revisions);
  std::move(names.begin(), names.end(), std::back_inserter(sections));
  return sections;
}

}  // namespace

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Rebuild(const StoreFiles& files, const SegmentEntry& entry) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunIdentity> identities, ReadIdentities(files, entry));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<IndexSection> sections, LocationSections(files, entry, identities));
  return Decode(IndexFile::Encode(entry.id, sections), entry.id);
}

Result<std::vector<IndexSection>> RebuildIndexSections(const StoreFiles& files, const SegmentEntry& entry) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunIdentity> identities, ReadIdentities(files, entry));
  OSCOPE_ASSIGN_OR_RETURN(std::vector<IndexSection> sections, LocationSections(files, entry, identities));
  OSCOPE_ASSIGN_OR_RETURN(std::vector<IndexSection> failures, RebuildFailureSections(files, entry));
  std::move(failures.begin(), failures.end(), std::back_inserter(sections));
  OSCOPE_ASSIGN_OR_RETURN(std::vector<IndexSection> search, RebuildSearchSections(files, entry, identities));
  std::move(search.begin(), search.end(), std::back_inserter(sections));
  return sections;
}

RunId SegmentIndex::run_id(size_t i) const {
  const char* at = runs_.data() + i * kRunBytes;
  return {{__builtin_bswap64(ReadU64(at)), __builtin_bswap64(ReadU64(at + 8))}};
}

RunLocation SegmentIndex::run(size_t i) const {
  const char* at = runs_.data() + i * kRunBytes;
  return {run_id(i), ReadU64(at + 16), ReadU32(at + 24), ReadU32(at + 28)};
}

size_t SegmentIndex::LowerBound(RunId id, size_t from) const {
  return Gallop(from, runs(), [&](size_t i) { return run_id(i) < id; });
}

std::optional<RunLocation> SegmentIndex::FindRun(RunId id) const {
  const size_t at = LowerBound(id);
  if (at == runs() || run_id(at) != id) return std::nullopt;
  return run(at);
}

uint64_t SegmentIndex::BugPlacement(size_t i) const { return ReadU64(bugs_.data() + i * kBugBytes); }

size_t SegmentIndex::FirstBug(uint64_t placement, size_t from) const {
  return Gallop(from, bugs_.size() / kBugBytes, [&](size_t i) { return BugPlacement(i) < placement; });
}

bool SegmentIndex::HasBugAmong(std::span<const uint64_t> placements) const {
  const size_t count = bugs_.size() / kBugBytes;
  size_t at = 0;
  for (const uint64_t placement : placements) {
    at = FirstBug(placement, at);
    if (at == count) return false;
    if (BugPlacement(at) == placement) return true;
  }
  return false;
}

std::vector<uint32_t> SegmentIndex::BugRows(uint64_t placement) const {
  const size_t count = bugs_.size() / kBugBytes;
  std::vector<uint32_t> rows;
  for (size_t i = FirstBug(placement, 0); i < count && BugPlacement(i) == placement; ++i) {
    rows.push_back(ReadU32(bugs_.data() + i * kBugBytes + 8));
  }
  return rows;
}

}  // namespace oscope
