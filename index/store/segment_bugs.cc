// Loads names and field columns of a segment's bugs when they are first asked for. The lock is not held while a file
// is read: two threads may both read the same file, and then either result is right, since segments never change.
#include "index/store/segment_bugs.h"

#include "index/store/parquet_file.h"
#include "index/store/segment_reader.h"

namespace oscope {

namespace {

Result<std::shared_ptr<const BugNameTable>> LoadNames(const StoreFiles& files, const SegmentEntry& entry) {
  OSCOPE_ASSIGN_OR_RETURN(auto file, IndexFile::Load(files, entry.id));
  return BugNameTable::Make(std::move(file), entry.bug_revisions);
}

// An index of an older release lacks them, and a damaged one is not used. The next search writes the file anew.
Result<std::shared_ptr<const BugNameTable>> RebuildNames(const StoreFiles& files, const SegmentEntry& entry) {
  OSCOPE_RETURN_IF_ERROR(files.cancel().Check());
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> rows, SegmentReader(files, entry).Bugs());
  if (rows.size() != entry.bug_revisions)
    return Corrupt("segment {}: its bugs table has {} rows, not {}", entry.id, rows.size(), entry.bug_revisions);
  OSCOPE_ASSIGN_OR_RETURN(auto file,
                          IndexFile::Decode(IndexFile::Encode(entry.id, BugNameTable::MakeSections(rows)), entry.id));
  return BugNameTable::Make(std::move(file), entry.bug_revisions);
}

Result<std::shared_ptr<const BugColumn>> ReadColumn(const StoreFiles& files, const SegmentEntry& entry,
                                                    std::string_view field) {
  const TableFile* table = entry.Find(Table::kBugs);
  if (table == nullptr) return Corrupt("no bugs table");
  OSCOPE_ASSIGN_OR_RETURN(const auto reader, OpenTable(files, entry.id, *table, false));
  OSCOPE_ASSIGN_OR_RETURN(BugColumn column, BugColumn::Read(*reader, field));
  if (column.size() != entry.bug_revisions)
    return Corrupt("its bugs table has {} rows, not {}", column.size(), entry.bug_revisions);
  return std::make_shared<const BugColumn>(std::move(column));
}

}  // namespace

Result<std::shared_ptr<const BugNameTable>> SegmentBugs::Names(const StoreFiles& files, const SegmentEntry& entry) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = kept_.find(entry.id); at != kept_.end() && at->second.names != nullptr) return at->second.names;
  }
  auto names = LoadNames(files, entry);
  if (!names.ok()) names = RebuildNames(files, entry);
  if (!names.ok()) return names;
  const std::lock_guard lock(mutex_);
  kept_[entry.id].names = *names;
  return names;
}

Result<std::shared_ptr<const BugColumn>> SegmentBugs::Column(const StoreFiles& files, const SegmentEntry& entry,
                                                             std::string_view field) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = kept_.find(entry.id); at != kept_.end()) {
      if (const auto column = at->second.columns.find(field); column != at->second.columns.end()) return column->second;
    }
  }
  auto column = ReadColumn(files, entry, field);
  if (!column.ok()) return std::move(column).error().Within(fmt::format("segment {}", entry.id));
  const std::lock_guard lock(mutex_);
  kept_[entry.id].columns.emplace(field, *column);
  return column;
}

Status SegmentBugs::CheckReports(const StoreFiles& files, const SegmentEntry& entry) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = kept_.find(entry.id); at != kept_.end() && at->second.reports) return *at->second.reports;
  }
  const auto reports = SegmentReader(files, entry).Bugs();
  Status status = reports.ok() ? Status() : Status(reports.error());
  const std::lock_guard lock(mutex_);
  kept_[entry.id].reports = status;
  return status;
}

}  // namespace oscope
