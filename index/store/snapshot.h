// A snapshot: one version of a store. It stays readable until it is destroyed, whatever writers do meanwhile.
//
// It pins its version with a shared lock, so that no collection removes its files. Every read checks what it reads: a
// file's size and footer digest when the file is opened, checksums of pages, and the SHA-256 of the whole file before a
// scan.
// Errors:  kCorrupt, with the segment's name, when stored bytes fail their checks; kIo when the system cannot read
//          them. After SkipDamaged(true) reads go on without damaged segments and list them in `damaged()`.
// Threads: const functions may be called from any thread, also at the same time. Callbacks run on the calling thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "index/store/manifest.h"
#include "tracer/model/attachment.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"
#include "tracer/model/run_sink.h"

namespace oscope {

class BugColumn;       // bug_column.h
class BugNameTable;    // bug_name_table.h
class SegmentSearch;   // segment_search.h
struct SnapshotState;  // store_state.h

struct BugRevision {
  uint64_t revision = 0;  // 1 is the first; order of commit, never of clocks
  int64_t edited_ns = 0;  // the writer's clock, for people
  Bug bug;
  std::string by{};  // who made the revision, and why, in their own words; empty: not known
  std::string why{};
};

// What the store knows of a run beside its header.
struct StoredRun {
  RunHeader header;
  int64_t stored_ns = 0;
  Hash128 content_hash;
  uint32_t trace_count = 0;
  uint64_t event_count = 0;
};

// What the store knows of an attachment beside its header.
struct StoredAttachment {
  AttachmentHeader header;
  int64_t stored_ns = 0;
};

struct RunFilter {
  std::string project;             // empty: any
  std::optional<std::string> bug;  // an id; "" asks for runs without a bug
  std::string test;
  std::optional<bool> failing;
  bool Matches(const RunHeader& run) const;
};

// Where a run's traces are.
struct RunPlace {
  const SegmentEntry* segment = nullptr;
  std::optional<uint32_t> trace_row;  // its first row in the segment's traces table; nothing when it has no trace
};

// Rows of the traces table, column by column: what a query scans. One batch is one row group; a row is a chunk of a
// trace.
struct TraceBatch {
  const SegmentEntry* segment = nullptr;
  size_t rows = 0;
  std::vector<RunId> run_ids;
  std::vector<uint32_t> process, thread, chunk;
  std::vector<TraceKind> kind;
  std::vector<Outcome> outcome;
  std::vector<uint64_t> first_event, event_count;
  std::vector<std::optional<uint64_t>> mark;
  // Row r's events are codes[offsets[r] .. offsets[r + 1]); a code indexes `names`. Codes mean nothing outside the
  // batch.
  std::vector<uint64_t> offsets;
  std::vector<int32_t> codes;
  std::vector<std::string> names;
  // Row r's project, bug and test.
  std::vector<std::string> project, bug, test;
};

struct ScanColumns {
  bool header = true;  // process, thread, chunk, kind, outcome, counts, mark
  bool names = true;   // project, bug, test
  bool run_ids = true;
};

// A stretch of one trace's events, as ReadRows reads them.
struct TraceEvents {
  uint32_t row = 0;                // of the segment's TailTable
  uint64_t first_event = 0;        // the stretch's place in the trace
  std::span<const int32_t> codes;  // into names; they mean nothing outside the call
  std::span<const std::string> names;
  bool last = true;  // nothing more of this row follows
};

struct StoreStats {
  uint64_t version = 0;
  uint64_t segments = 0, quarantined = 0, ranges = 0;
  uint64_t runs = 0, traces = 0, events = 0, bug_revisions = 0, bytes = 0;
  struct PerTable {
    uint64_t files = 0, rows = 0, bytes = 0;
  } tables[kTables];
};

class Snapshot {
 public:
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  uint64_t version() const;
  const Manifest& manifest() const;
  StoreStats Stats() const;
  const CancelToken& cancel() const;  // that of the Store that it was read through

  // Whether reads leave out segments that fail their checks, and list them in damaged(), instead of failing.
  void SkipDamaged(bool skip);
  std::vector<std::string> damaged() const;  // "segment <id>: reason"; quarantined ones are always among them

  // --- bugs ---
  // Returns the newest revision of the report; nullopt when there is none.
  Result<std::optional<Bug>> FindBug(const BugKey& key) const;
  // Returns all revisions, the oldest first; none when there is no report.
  Result<std::vector<BugRevision>> History(const BugKey& key) const;
  // Returns the newest revision of every report, sorted by key; with `project` only of that project. `ask` is called
  // before every segment. When it returns an error, reading ends and the error is returned unchanged.
  Result<std::vector<Bug>> Bugs(
      std::string_view project = {}, const std::function<Status()>& ask = [] { return Status(); }) const;
  // Returns the bug that `text` names: "Beanutils-342", or "342" when only one project has that id or `default_project`
  // has it. Fails with kNotFound, and with `suggest` names similar ids (which takes a look at all of them), or with
  // kConflict and the candidates when several bugs fit. This and the next three functions read no reports.
  Result<BugKey> ResolveBug(std::string_view text, std::string_view default_project = {}, bool suggest = true) const;
  Result<bool> HasBug(const BugKey& key) const;
  Result<std::vector<BugKey>> BugKeys() const;        // of all bugs, sorted
  Result<std::vector<std::string>> Projects() const;  // of bugs and runs, sorted

  // Returns the names of a segment's bugs and the rows of their revisions. Returns null when the segment has no bugs or
  // is left out of answers: it is quarantined, or under SkipDamaged some of its reports cannot be read. In the second
  // case it is then listed in `damaged()`.
  Result<std::shared_ptr<const BugNameTable>> NamesOfBugs(const SegmentEntry& segment) const;
  // Returns one field of all bugs of a segment, by row. The segment must have bugs. Only the column of that field is
  // read (bug_column.h lists the fields), once for all snapshots of the store.
  Result<std::shared_ptr<const BugColumn>> FieldOfBugs(const SegmentEntry& segment, std::string_view field) const;

  // --- runs ---
  // Returns the run's header and what the store knows beside it; nullopt when the store does not have the run.
  Result<std::optional<StoredRun>> FindRun(RunId id) const;
  // Returns where the run is stored, from the indexes alone; nullopt when the store does not have the run.
  Result<std::optional<RunPlace>> PlaceOf(RunId id) const;
  // Returns the run that `text` names: an id, or 4 or more of its first digits. Fails with kInvalid when `text` is
  // neither, with kNotFound when no run fits, and with kConflict when several do.
  Result<RunId> ResolveRun(std::string_view text) const;
  // Calls `run` for every run that fits the filter, segment by segment, until it returns false. The bytes of inputs are
  // read only if `with_inputs` is set.
  Status ForEachRun(const RunFilter& filter, bool with_inputs, const std::function<bool(const StoredRun&)>& run) const;

  // --- traces ---
  // Returns the headers of a run's traces. Fails with kNotFound when the store does not have the run.
  Result<std::vector<TraceHeader>> Traces(RunId run) const;
  // Returns `count` events from number `first` on, or fewer when the trace ends. Their names are added to `symbols`,
  // with the attributes that the store has. Fails with kNotFound when the store does not have the trace.
  Result<Trace> ReadTrace(const TraceId& id, SymbolTable& symbols, uint64_t first = 0,
                          uint64_t count = UINT64_MAX) const;

  // --- attachments ---

  // Returns the attachments of a run or a bug without their bytes, sorted by kind, name and digest. Returns none when
  // there is no such run or bug.
  Result<std::vector<StoredAttachment>> Attachments(const AttachmentOwner& owner) const;
  // Returns the bytes of one attachment, checked against its digest. Fails with kNotFound when the store does not have
  // it.
  Result<std::string> ReadAttachment(const AttachmentHeader& attachment) const;

  // --- all of it ---

  // Sends the content of the store to `sink`, for exports and merges: every bug (its newest revision, sorted by key),
  // then every run that `keep` accepts with its traces, segment by segment, and then those attachments of these bugs
  // and runs that `keep_attachment` accepts. The bytes of other attachments are not read. Two stores with the same
  // content may send their runs in different orders. An error of the sink ends the sending and is returned unchanged.
  Status Send(const std::function<bool(const StoredRun&)>& keep, RunSink& sink,
              const std::function<bool(const AttachmentHeader&)>& keep_attachment = KeepAll) const;
  static bool KeepAll(const AttachmentHeader&) { return true; }
  static bool KeepNone(const AttachmentHeader&) { return false; }

  // --- scans ---

  // Calls `batch` for every row group of every segment, segments in the order of the manifest. The batch is valid only
  // during the call. An error of the callback ends the scan and is returned unchanged.
  Status ScanTraces(const ScanColumns& columns, const std::function<Status(const TraceBatch&)>& batch) const;
  // Does the same for one segment. Several threads may scan different segments at the same time.
  Status ScanSegment(const SegmentEntry& segment, const ScanColumns& columns,
                     const std::function<Status(const TraceBatch&)>& batch) const;

  // --- search ---

  // Returns what a search reads of a segment of this version. The store keeps it for later snapshots. Returns null when
  // the segment is left out of answers: it is quarantined, or damaged under SkipDamaged, and then listed in
  // `damaged()`. A missing, old or damaged index file is made anew from the tables first, which takes as long as a
  // scan.
  Result<std::shared_ptr<const SegmentSearch>> Search(const SegmentEntry& segment) const;
  // Calls `events` with the events of the given rows (ascending) of the segment's TailTable: with `suffix` the last
  // that many events of each trace up to its failure, without it the whole trace and what follows the failure. A long
  // trace comes in several stretches; a trace without events comes as one empty stretch. Only row groups that contain
  // one of the rows are read.
  Status ReadRows(const SegmentEntry& segment, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                  const std::function<Status(const TraceEvents&)>& events) const;

 private:
  friend class Store;
  friend class KnownBugs;
  explicit Snapshot(std::unique_ptr<SnapshotState> state);
  std::unique_ptr<SnapshotState> state_;
};

}  // namespace oscope
