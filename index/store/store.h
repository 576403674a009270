// A store: a directory of immutable Parquet segments named by a manifest. What is acknowledged is in a durable
// manifest.
//
// Layout (docs/formats/store.md):
//   .gitignore  manifests/<version>.json  groups/<id>.json  segments/<id>.<table>.parquet  index/<id>.osix  tmp/
//   locks/  pins/
// Writers:   any number of processes at once; each commit is atomic, and a writer that loses the race for a version
//            tries the next.
// Readers:   see Snapshot.
// Threads:   a Store may be used from any thread.
//
// Example:
//   OSCOPE_ASSIGN_OR_RETURN(Store store, Store::Open(PosixFileSystem(), ".oscope"));
//   OSCOPE_ASSIGN_OR_RETURN(auto ingest, store.BeginIngest({}));
//   OSCOPE_RETURN_IF_ERROR(ReadOsct(source, *ingest, {}));
//   OSCOPE_ASSIGN_OR_RETURN(IngestResult result, ingest->Commit());
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/file_system.h"
#include "index/store/known_bugs.h"
#include "index/store/manifest.h"
#include "index/store/snapshot.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct StoreState;  // store_state.h

struct OpenOptions {
  bool read_only = false;
  // When the newest manifest is damaged: open the newest valid one, read-only, with a warning in `warnings()`.
  bool salvage = false;
  // Snapshots read on past segments that fail their checks (see Snapshot::SkipDamaged).
  bool skip_damaged = false;
  // Told of every segment that a read leaves out, once: the quarantined ones, and with skip_damaged those that fail.
  std::function<void(const std::string& damage)> on_damaged = [](const std::string&) {};
  // The wish to stop of whoever opens it, see Store::cancel.
  CancelToken cancel = {};
};

struct IngestOptions {
  // Runs that fit in memory are written together at Commit; a run with more events than this gets a segment of its own
  // while it arrives.
  uint64_t spill_events = 4 << 20;
  // What is stored for a report that differs from the newest revision; the given report where this is not set. Its
  // error fails the commit. Asked again when another writer was faster.
  std::function<Result<Bug>(const Bug& stored, const Bug& given)> combine = {};
  // Which bug a run belongs to, decided inside the commit; where this is not set, the one that it names.
  BugRule rule = {};
  // Who makes the revisions of bugs that the commit brings, and why those that come as reports or are named by a run.
  std::string by = {}, why = {};
};

// A run whose bug the rule decided.
struct LinkedRun {
  RunId run;
  RunDecision decision;
  bool named = false;  // it named the bug itself
};

struct IngestResult {
  uint64_t version = 0;  // that holds what was added; the current one when nothing was
  uint64_t runs_added = 0;
  uint64_t runs_known = 0;  // the same run was there: nothing to do
  uint64_t traces_added = 0;
  uint64_t events_added = 0;
  uint64_t bugs_added = 0;    // new keys, also those made for runs
  uint64_t bugs_changed = 0;  // a new revision
  uint64_t attachments_added = 0;
  uint64_t attachments_known = 0;          // the same attachment was there
  std::vector<BugKey> bugs_combined = {};  // that IngestOptions::combine was asked about
  // The runs that the rule let join a bug, made a new one for, or reopened one for, in the order in which they came;
  // runs that were too large for memory come last.
  std::vector<LinkedRun> decisions = {};
};

// Takes runs and bugs; nothing is visible before Commit returns, and nothing of it is left if it is dropped or fails.
// A run whose id is stored with the same content is skipped; with other content Commit fails with kConflict.
// An attachment needs its owner, in the store or among what was added before Commit: else Commit fails with kNotFound.
// A run that names a bug nobody reported makes one: open, titled by the failure's message. A bug, its number and its
// first run are one commit.
class Ingest : public RunSink {
 public:
  // Durable when it returns. The ingest is empty afterwards and may be filled again.
  virtual Result<IngestResult> Commit() = 0;
  virtual uint64_t pending_runs() const = 0;
  virtual uint64_t pending_events() const = 0;
  virtual uint64_t pending_attachment_bytes() const = 0;
};

// What goes: the runs, and the reports, that every member that is set selects.
//
//                  selects the run            selects the report
//   runs           that it lists              that has runs, all of them listed
//   bugs           of a bug that it lists     that it lists
//   project        of this project            of this project
//   older_than_ns  that started, else was     whose creation, last edit and runs are all before this time; a report
//                  stored, before this time   that was imported counts as edited then
//   keep_last      that is not among the      that has runs, none of them spared: with 1 or more there is always one,
//                  newest N of its bug, or    so that no report goes
//                  without one of its test
//   failing        that failed, or passed     that has runs, all of which failed, or passed
//   bugs_too       any                        any
//
// A report goes only when it is listed in `bugs` or `bugs_too` is set, and never while a run of it stays. `bugs_too`
// alone is no filter. The attachments of what goes go with it. A combination that can select nothing, such as a run and a bug it does not belong to, is allowed.
struct PurgeFilter {
  std::vector<RunId> runs;
  std::vector<BugKey> bugs;
  std::string project;
  std::optional<int64_t> older_than_ns;
  std::optional<uint64_t> keep_last;
  std::optional<bool> failing;
  bool bugs_too = false;
};
struct PurgeResult {
  uint64_t version = 0;
  uint64_t runs = 0, bugs = 0;
  uint64_t attachments = 0;         // of these
  uint64_t segments_dropped = 0;    // nothing of them stayed: nothing had to be written
  uint64_t segments_rewritten = 0;  // something of them stayed, or had to go in the same commit as what is in these
  uint64_t bytes_freed = 0;         // 0 after a dry run, which cannot know it
  uint64_t files_pinned = 0;        // still held by a reader: gone with the next collection after it ends
};

struct DetachResult {
  uint64_t version = 0;
  uint64_t files_pinned = 0;  // that readers of older versions hold: a later Collect removes them
};

struct CompactOptions {
  uint64_t small_segment_events = 8 << 20;     // segments below this are merged,
  uint64_t small_attachment_bytes = 64 << 20;  // unless their attachments take more than this
  uint64_t target_events = 32 << 20;           // up to this
  uint64_t split_events = 256 << 20;           // a range with more events is split in two
  uint64_t split_runs = 1'000'000;             // or with more runs
  size_t min_segments = 2;                     // a range with fewer small segments is left alone
};
struct CompactResult {
  uint64_t version = 0;
  uint64_t segments_before = 0, segments_after = 0;
  uint64_t bytes_before = 0, bytes_after = 0;
  uint64_t ranges_split = 0;
  uint64_t files_removed = 0;
};

struct UpgradeOptions {
  bool dry_run = false;
  // Segments are rewritten together up to this many events; each such batch is a version of its own.
  uint64_t batch_events = 32 << 20;
};
struct UpgradeResult {
  uint64_t version = 0;
  uint32_t format_before = 0;
  uint64_t segments = 0;                       // that were of an older format, or with dry_run are
  uint64_t bytes_before = 0, bytes_after = 0;  // of those segments; with dry_run nothing is known of the latter
  uint64_t quarantined = 0;                    // segments that stay as they are, since they are not read
  uint64_t batches = 0;
};

struct CollectResult {
  uint64_t files_removed = 0, bytes_freed = 0;
  uint64_t manifests_removed = 0;
  uint64_t files_pinned = 0;    // held by readers of older versions
  bool writers_active = false;  // then files that nobody names may be theirs, and stay
};

struct CheckOptions {
  bool deep = true;  // digests of whole files, and every page decoded
};
struct CheckProblem {
  std::string segment;  // empty: the store itself
  std::string what;     // "segments/ab….traces.parquet: sha256 differs"
  std::string advice;   // what to do
  bool fatal = true;    // false: an orphan, a missing index
  // The system could not read it, and may another time: nobody knows of any damage, and nothing may be quarantined for
  // it.
  bool unreadable = false;
};
struct CheckResult {
  uint64_t version = 0;
  uint64_t files_checked = 0, bytes_checked = 0;
  std::vector<CheckProblem> problems;
  bool healthy() const;
};

struct ReindexOptions {
  bool verify = false;  // compares only, writes nothing
};
struct ReindexResult {
  uint64_t segments = 0;
  // Index files that were not what the tables say, by what was wrong with them. All are written anew, except with
  // `verify`.
  uint64_t missing = 0;
  uint64_t older = 0;    // of another release: sections are missing or of another version
  uint64_t damaged = 0;  // fail their checks
  uint64_t wrong = 0;    // pass their checks and say something else
  uint64_t written = 0;
  uint64_t changed() const { return missing + older + damaged + wrong; }
};

struct MergeResult {
  IngestResult added;
  // in both with different content: ours stays where both say something, theirs fills the gaps
  uint64_t bugs_combined = 0;
  std::vector<BugKey> combined;
};

class Store {
 public:
  // Makes an empty store: the directory (mode 0700) and its first manifest. kConflict when there is one already.
  static Result<Store> Create(FileSystem& fs, const std::string& path, const CancelToken& cancel = {});
  // kNotFound when `path` is no store, kUnsupported when its format is newer.
  static Result<Store> Open(FileSystem& fs, const std::string& path, const OpenOptions& options = {});
  static bool IsStore(FileSystem& fs, const std::string& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // The same open store once more, for the same asker: what either has loaded, the other need not load again.
  Store Share() const;
  // The same for another asker, whose wish to stop is another one: who cancels one of the two leaves the other running.
  Store Share(CancelToken cancel) const;
  // The wish to stop of whoever asks here. Whatever is done through this object, its snapshots and its ingests, asks it
  // between segments and while it waits for a lock, and then ends with kCancelled and nothing changed (but see Upgrade
  // and Purge).
  const CancelToken& cancel() const;

  const std::string& path() const;
  const std::vector<std::string>& warnings() const;

  // Check, Compact, Upgrade, Purge, Reindex, Backup and a snapshot's Send call this after every segment, from their own
  // thread.
  void OnProgress(std::function<void(uint64_t segments)> progress);

  Result<Snapshot> Read() const;  // the newest version, pinned
  // One version, pinned: to read what another read saw. kNotFound when there is none of this number, or when a
  // collection has taken it or its files away.
  Result<Snapshot> ReadVersion(uint64_t version) const;
  // The number of the version that Read gives, alone: cheap to ask before every query. Of a store that was opened with
  // OpenOptions::salvage this is the version that was salvaged.
  Result<uint64_t> NewestVersion() const;
  Result<std::unique_ptr<Ingest>> BeginIngest(const IngestOptions& options);

  // Commits what `change` puts (known_bugs.h), all of it at once; again when another writer was faster. A change that
  // puts nothing new commits nothing. `by` says who made the revisions. Returns the version that holds them.
  Result<uint64_t> ChangeBugs(const std::function<Status(KnownBugs&)>& change, const std::string& by = {});
  // The same for one bug: applies `edit` to the newest revision (nullopt: there is none). Returns the bug as stored.
  Result<Bug> EditBug(const BugKey& key, const std::function<Result<Bug>(const std::optional<Bug>&)>& edit,
                      const std::string& by = {}, const std::string& why = {});

  // Attaches runs to a bug (or, with an empty id, to none). The runs move to the bug's range. Unknown runs are
  // kNotFound.
  Result<uint64_t> LinkRuns(const std::vector<RunId>& runs, const BugKey& bug);

  // Deletes attachments. kNotFound when one of them is not there, and then none goes. A segment that had nothing else is
  // gone, the others are written anew.
  Result<DetachResult> Detach(const std::vector<AttachmentHeader>& attachments);

  // Deletes what the filter selects, in at most two commits: first the segments of which nothing stays, which needs no
  // space, then the rest. An error of the second says what the first has deleted and what is left, and the same purge
  // again does the rest. A dry run counts what would go and changes nothing. kInvalid when the filter is empty.
  Result<PurgeResult> Purge(const PurgeFilter& filter, bool dry_run = false);
  Result<CompactResult> Compact(const CompactOptions& options = {});
  // Merges small segments when there are many: cheap to call after every commit.
  Status CompactIfNeeded();
  // Rewrites the segments that an older release wrote, a batch a version. Every version in between is a whole store: an
  // upgrade that is stopped has done some of them, and the next one does the rest.
  Result<UpgradeResult> Upgrade(const UpgradeOptions& options = {});
  Result<CollectResult> Collect();
  Result<CheckResult> Check(const CheckOptions& options = {});
  // Takes damaged segments out of use: the manifest remembers why, and every read says that it is partial.
  Result<uint64_t> Quarantine(const std::vector<std::string>& segments, const std::string& reason);
  // Makes every segment's index from its tables, and writes those files that differ.
  Result<ReindexResult> Reindex(const ReindexOptions& options = {});

  Result<StoreSettings> Settings() const;
  Result<uint64_t> SetSettings(const StoreSettings& settings);
  // Changes the newest settings, again when another writer was faster. What changes nothing makes no version.
  Result<uint64_t> EditSettings(const std::function<Status(StoreSettings&)>& edit);

  // A copy of the newest version, made whole or not at all, into a directory that must not exist.
  Result<uint64_t> Backup(const std::string& target) const;
  // Adds what another store has.
  Result<MergeResult> Merge(const Store& other);

 private:
  explicit Store(std::shared_ptr<StoreState> state);
  std::shared_ptr<StoreState> state_;
};

}  // namespace oscope
