// Reads a segment as what it was made from: runs with their traces, and bug revisions.
//
// Every error names the segment. Threads: const; each call opens the files anew, so any thread may call.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "index/store/parquet_file.h"
#include "index/store/segment_index.h"
#include "index/store/snapshot.h"
#include "index/tails/tail_table.h"
#include "tracer/model/run_sink.h"

namespace oscope {

class SegmentReader {
 public:
  SegmentReader(const StoreFiles& files, const SegmentEntry& entry) : files_(files), entry_(entry) {}

  // Sends the runs that `keep` accepts, in order of the table. `keep` may change the header (a new bug).
  // Whole files are checked against the manifest first.
  Status SendRuns(const std::function<bool(StoredRun&)>& keep, RunSink& sink) const;
  Status ForEachRun(bool with_inputs,
                    const std::function<bool(const StoredRun&)>& run) const;  // until it returns false
  Result<std::vector<BugRevision>> Bugs() const;
  // The projects of the segment's runs; nothing else of them is read.
  Status AddProjectsOfRuns(std::set<std::string>& projects) const;
  // The revisions of one key.
  Result<std::vector<BugRevision>> Bugs(const BugKey& key, const SegmentIndex& index) const;
  // Some rows of the bugs table, ascending.
  Result<std::vector<BugRevision>> BugsAt(std::span<const uint32_t> rows) const;

  // The segment's attachments, in order of the table; none where it has no such table.
  Result<std::vector<StoredAttachment>> Attachments() const;
  // See attachment_table.h. The whole file is checked against the manifest first.
  Status ReadAttachments(const std::function<bool(const StoredAttachment&)>& keep,
                         const std::function<Status(const StoredAttachment&, const std::string& bytes)>& take) const;

  Result<StoredRun> RunAt(uint32_t run_row) const;
  Result<std::vector<TraceHeader>> TraceHeaders(RunId run, uint32_t trace_row) const;
  Result<Trace> ReadTrace(const TraceId& id, uint32_t trace_row, SymbolTable& symbols, uint64_t first,
                          uint64_t count) const;

  Status Scan(const ScanColumns& columns, bool check_whole,
              const std::function<Status(const TraceBatch&)>& batch) const;

  // See Snapshot::ReadRows; `tails` are the segment's.
  Status ReadRows(const TailTable& tails, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                  const std::function<Status(const TraceEvents&)>& events) const;

 private:
  Result<std::unique_ptr<TableReader>> Open(Table table, bool whole) const;  // null: the segment has no such rows
  Error Named(Error error) const;

  const StoreFiles& files_;
  const SegmentEntry& entry_;
};

}  // namespace oscope
