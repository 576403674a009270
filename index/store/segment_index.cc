#include "index/store/segment_index.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "index/store/bug_table.h"
#include "index/store/placement.h"
#include "index/store/run_table.h"
#include "index/store/trace_table.h"

namespace oscope {

namespace {

constexpr std::string_view kMagic = "OSIX";
constexpr uint16_t kVersion = 1;
constexpr size_t kHeaderBytes = 4 + 2 + 2 + 32;
constexpr size_t kSectionBytes = 32;
constexpr uint32_t kRunsTag = 0x534e5552;  // "RUNS"
constexpr uint32_t kBugsTag = 0x53475542;  // "BUGS"
constexpr uint16_t kMaxSections = 64;

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

// The first of [from, end) that is not below, by growing steps and then bisection: a merge of two sorted lists costs what the shorter is worth.
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

std::string SegmentIndex::Encode(const std::string& segment, std::vector<RunLocation> runs, std::vector<BugLocation> bugs) {
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
  const std::pair<uint32_t, const std::string&> sections[] = {{kRunsTag, run_bytes.bytes()}, {kBugsTag, bug_bytes.bytes()}};
  ByteWriter out;
  out.Bytes(kMagic);
  out.U16(kVersion);
  out.U16(static_cast<uint16_t>(std::size(sections)));
  out.Bytes(segment);
  uint64_t offset = kHeaderBytes + std::size(sections) * kSectionBytes + 8;
  for (const auto& [tag, bytes] : sections) {
    out.U32(tag);
    out.U32(0);
    out.U64(offset);
    out.U64(bytes.size());
    out.U64(Xxh3(bytes));
    offset += bytes.size();
  }
  out.U64(Xxh3(out.bytes()));
  for (const auto& [tag, bytes] : sections) out.Bytes(bytes);
  return out.Take();
}

Status SegmentIndex::Parse(const std::string& segment) {
  ByteReader in(bytes_);
  if (in.Bytes(4) != kMagic) return Corrupt("not an index file");
  const uint16_t version = in.U16();
  if (in.ok() && version != kVersion) return Unsupported("index version {}: this release reads {}", version, kVersion);
  const uint16_t sections = in.U16();
  if (sections > kMaxSections) return Corrupt("{} sections", sections);
  if (in.Bytes(32) != segment) return Corrupt("the index of another segment");
  struct Section {
    uint32_t tag;
    uint64_t offset, length, checksum;
  };
  std::vector<Section> table;
  for (uint16_t i = 0; i < sections; ++i) {
    Section section{};
    section.tag = in.U32();
    in.U32();
    section.offset = in.U64();
    section.length = in.U64();
    section.checksum = in.U64();
    table.push_back(section);
  }
  const std::string_view covered = bytes_.substr(0, in.position());
  const uint64_t checksum = in.U64();
  OSCOPE_RETURN_IF_ERROR(in.status());
  if (checksum != Xxh3(covered)) return Corrupt("the section table's checksum does not match");
  for (const Section& section : table) {
    if (section.offset > bytes_.size() || section.length > bytes_.size() - section.offset) return Corrupt("a section lies outside the file");
    const std::string_view bytes = bytes_.substr(section.offset, section.length);
    if (Xxh3(bytes) != section.checksum) return Corrupt("a section's checksum does not match");
    if (section.tag == kRunsTag) runs_ = bytes;
    if (section.tag == kBugsTag) bugs_ = bytes;
  }
  if (runs_.size() % kRunBytes != 0 || bugs_.size() % kBugBytes != 0) return Corrupt("a section holds a broken entry");
  return {};
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Decode(std::string bytes, const std::string& segment) {
  auto index = std::make_shared<SegmentIndex>();
  index->owned_ = std::move(bytes);
  index->bytes_ = index->owned_;
  OSCOPE_RETURN_IF_ERROR(index->Parse(segment));
  return std::shared_ptr<const SegmentIndex>(std::move(index));
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Load(const StoreFiles& files, const std::string& segment) {
  auto index = std::make_shared<SegmentIndex>();
  OSCOPE_ASSIGN_OR_RETURN(index->file_, files.fs().Open(files.IndexPath(segment)));
  index->bytes_ = index->file_->mapped();
  if (index->bytes_.empty()) {
    index->owned_.resize(index->file_->size());
    OSCOPE_RETURN_IF_ERROR(index->file_->ReadAt(0, index->owned_.size(), index->owned_.data()));
    index->bytes_ = index->owned_;
  }
  OSCOPE_RETURN_IF_ERROR(index->Parse(segment));
  return std::shared_ptr<const SegmentIndex>(std::move(index));
}

Result<std::shared_ptr<const SegmentIndex>> SegmentIndex::Rebuild(const StoreFiles& files, const SegmentEntry& entry) {
  std::vector<RunLocation> runs;
  std::vector<BugLocation> bugs;
  if (const TableFile* table = entry.Find(Table::kRuns)) {
    OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunIdentity> identities, ReadRunIdentities(*reader));
    for (uint32_t row = 0; row < identities.size(); ++row) {
      runs.push_back({identities[row].id, identities[row].content_hash.low, kNoRow, row});
    }
  }
  if (const TableFile* table = entry.Find(Table::kTraces)) {
    OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<RunId> owners, ReadTraceRunIds(*reader));
    // Both tables are in the same order of runs, so one pass finds each run's first row.
    size_t run = 0;
    for (uint32_t row = 0; row < owners.size(); ++row) {
      if (row > 0 && owners[row] == owners[row - 1]) continue;
      while (run < runs.size() && runs[run].id != owners[row]) ++run;
      if (run == runs.size()) return Corrupt("segment {}: trace row {} belongs to no run", entry.id, row);
      runs[run].trace_row = row;
    }
  }
  if (const TableFile* table = entry.Find(Table::kBugs)) {
    OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> revisions, ReadBugs(*reader));
    for (uint32_t row = 0; row < revisions.size(); ++row) bugs.push_back({PlacementOf(revisions[row].bug.key), row});
  }
  return Decode(Encode(entry.id, std::move(runs), std::move(bugs)), entry.id);
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

Status WriteIndexFile(const StoreFiles& files, const std::string& segment, std::string_view bytes) {
  const std::string temporary = files.TemporaryPath();
  OSCOPE_ASSIGN_OR_RETURN(auto file, files.fs().Create(temporary));
  Status status = file->Append(bytes);
  if (status.ok()) status = file->Close();
  if (status.ok()) status = files.fs().Rename(temporary, files.IndexPath(segment));
  if (!status.ok()) (void)files.fs().Remove(temporary);
  return status;
}

}  // namespace oscope
