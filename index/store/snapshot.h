// A snapshot: one version of a store, readable until it is dropped whatever writers do meanwhile.
//
// It pins its version (a shared lock), so that no collection removes the files it names. Every read checks what it
// reads: a file's size and footer digest when it is opened, page checksums, and the whole file's SHA-256 before a scan.
// A segment that fails is named in the error; `SkipDamaged` reads on without it and lists it in `damaged()`, never
// silently.
// Threads: all const functions may be called from any thread.
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
  std::string by{};  // who made it, and why, in their own words; empty: nobody said
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

  // Reads on past segments that fail their checks, and lists them.
  void SkipDamaged(bool skip);
  std::vector<std::string> damaged() const;  // "segment <id>: reason"; quarantined ones are always among them

  // --- bugs ---
  Result<std::optional<Bug>> FindBug(const BugKey& key) const;
  Result<std::vector<BugRevision>> History(const BugKey& key) const;  // oldest first
  // Newest revision of each, by key. `ask` is called before every segment; its error ends the reading and comes back as
  // it is.
  Result<std::vector<Bug>> Bugs(
      std::string_view project = {}, const std::function<Status()>& ask = [] { return Status(); }) const;
  // "Beanutils-342", or "342" where one project has it (or `default_project` does). kNotFound offers the nearest (with
  // `suggest`: that takes a look at all), kConflict the candidates. No report is read; nor by the three that follow.
  Result<BugKey> ResolveBug(std::string_view text, std::string_view default_project = {}, bool suggest = true) const;
  Result<bool> HasBug(const BugKey& key) const;
  Result<std::vector<BugKey>> BugKeys() const;        // of all bugs, sorted
  Result<std::vector<std::string>> Projects() const;  // of bugs and runs, sorted

  // The names of a segment's bugs and where their revisions are. Null when it has none or is left out of answers:
  // quarantined, or under SkipDamaged one whose reports cannot all be read; it is then among `damaged()`.
  Result<std::shared_ptr<const BugNameTable>> NamesOfBugs(const SegmentEntry& segment) const;
  // A field of the bugs of a segment that has some, by their row. Reads the column of that field alone (bug_column.h has
  // which there are), once for all snapshots of the store.
  Result<std::shared_ptr<const BugColumn>> FieldOfBugs(const SegmentEntry& segment, std::string_view field) const;

  // --- runs ---
  Result<std::optional<StoredRun>> FindRun(RunId id) const;
  Result<std::optional<RunPlace>> PlaceOf(RunId id) const;  // from the indexes alone
  // An id or an unambiguous prefix of one (4 digits or more).
  Result<RunId> ResolveRun(std::string_view text) const;
  // In order of segments; the callback returns false to stop. Inputs are read only when asked for.
  Status ForEachRun(const RunFilter& filter, bool with_inputs, const std::function<bool(const StoredRun&)>& run) const;

  // --- traces ---
  Result<std::vector<TraceHeader>> Traces(RunId run) const;
  // `count` events from `first`; names go into `symbols`, with the attributes that the store has.
  Result<Trace> ReadTrace(const TraceId& id, SymbolTable& symbols, uint64_t first = 0,
                          uint64_t count = UINT64_MAX) const;

  // --- attachments ---

  // Those of a run or a bug, by kind, name and digest; without their bytes. None where there is no such run or bug.
  Result<std::vector<StoredAttachment>> Attachments(const AttachmentOwner& owner) const;
  // The bytes of one, checked against its digest. kNotFound when the store does not have it.
  Result<std::string> ReadAttachment(const AttachmentHeader& attachment) const;

  // --- all of it ---

  // Every bug (newest revision, by key), then every run that `keep` accepts, with traces and attributes, segment by
  // segment, and then the attachments of these bugs and runs that `keep_attachment` accepts: export, merge. The bytes of
  // others are not read. Two stores with the same content may send their runs in different orders. The sink's own error
  // comes back as it is, and is never taken for damage.
  Status Send(const std::function<bool(const StoredRun&)>& keep, RunSink& sink,
              const std::function<bool(const AttachmentHeader&)>& keep_attachment = KeepAll) const;
  static bool KeepAll(const AttachmentHeader&) { return true; }
  static bool KeepNone(const AttachmentHeader&) { return false; }

  // --- scans ---

  // Every row group of every segment, segments in manifest order. The callback may keep nothing of the batch beyond the
  // call.
  Status ScanTraces(const ScanColumns& columns, const std::function<Status(const TraceBatch&)>& batch) const;
  // The same for one segment, for callers that scan segments in parallel.
  Status ScanSegment(const SegmentEntry& segment, const ScanColumns& columns,
                     const std::function<Status(const TraceBatch&)>& batch) const;

  // --- search ---

  // What a search reads of a segment of this version. Kept by the store for later snapshots; the segment may be asked
  // for from any thread. Null when the segment is left out of answers: quarantined, or damaged under SkipDamaged. It is
  // then among `damaged()`. A missing, old or damaged index file is made anew from the tables first.
  Result<std::shared_ptr<const SegmentSearch>> Search(const SegmentEntry& segment) const;
  // The events of some rows (ascending) of the segment's TailTable: of each the last `suffix` up to the failure, or
  // without `suffix` the whole trace with what follows the failure. A long trace comes in several stretches; a row
  // without events in one that is empty. Only row groups that hold some of them are read.
  Status ReadRows(const SegmentEntry& segment, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                  const std::function<Status(const TraceEvents&)>& events) const;

 private:
  friend class Store;
  friend class KnownBugs;
  explicit Snapshot(std::unique_ptr<SnapshotState> state);
  std::unique_ptr<SnapshotState> state_;
};

}  // namespace oscope
