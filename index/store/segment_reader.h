// Reads a segment as what it was made from: runs with their traces, bug revisions and attachments.
//
// Every call opens the files that it needs, so a reader holds no file between calls and costs nothing to make. `files`
// and `entry` are borrowed and must outlive it.
// Errors:  kCorrupt when the bytes fail their checks, kIo when the system cannot read them; both name the segment. An
//          error of a callback or a sink ends the reading and is returned with the segment's name in front.
// Threads: any, also at the same time. Callbacks run on the calling thread.
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

  // Sends the runs that `keep` accepts, in the order of the table, with their traces. `keep` may change the header, for
  // example to give the run another bug. The files are compared with the manifest as a whole first.
  Status SendRuns(const std::function<bool(StoredRun&)>& keep, RunSink& sink) const;
  // Calls `run` for each run, in the order of the table, until it returns false.
  Status ForEachRun(bool with_inputs, const std::function<bool(const StoredRun&)>& run) const;
  // Returns all revisions of all bugs, in the order of the table.
  Result<std::vector<BugRevision>> Bugs() const;
  // Adds the projects of the segment's runs to `projects`. Only that column is read.
  Status AddProjectsOfRuns(std::set<std::string>& projects) const;
  // Returns the revisions of one bug; none when the segment has none of it.
  Result<std::vector<BugRevision>> Bugs(const BugKey& key, const SegmentIndex& index) const;
  // Returns the given rows (ascending) of the bugs table.
  Result<std::vector<BugRevision>> BugsAt(std::span<const uint32_t> rows) const;

  // Returns the segment's attachments without their bytes, in the order of the table.
  Result<std::vector<StoredAttachment>> Attachments() const;
  // Calls `take` with the bytes of every attachment that `keep` accepts (attachment_table.h). The file is compared with
  // the manifest as a whole first.
  Status ReadAttachments(const std::function<bool(const StoredAttachment&)>& keep,
                         const std::function<Status(const StoredAttachment&, const std::string& bytes)>& take) const;

  // Returns the run in a row of the runs table; kCorrupt when the table has no such row.
  Result<StoredRun> RunAt(uint32_t run_row) const;
  Result<std::vector<TraceHeader>> TraceHeaders(RunId run, uint32_t trace_row) const;
  Result<Trace> ReadTrace(const TraceId& id, uint32_t trace_row, SymbolTable& symbols, uint64_t first,
                          uint64_t count) const;

  Status Scan(const ScanColumns& columns, bool check_whole,
              const std::function<Status(const TraceBatch&)>& batch) const;

  // Does what Snapshot::ReadRows says; `tails` are the segment's.
  Status ReadRows(const TailTable& tails, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                  const std::function<Status(const TraceEvents&)>& events) const;

 private:
  Result<std::unique_ptr<TableReader>> Open(Table table, bool whole) const;  // null: the segment has no such rows
  Error Named(Error error) const;

  const StoreFiles& files_;
  const SegmentEntry& entry_;
};

}  // namespace oscope
