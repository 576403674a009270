// A store: a directory of immutable Parquet segments, and a manifest that lists those that count. A change is
// acknowledged only after the manifest that contains it is durable on disk.
//
// Layout (docs/formats/store.md):
//   .gitignore  manifests/<version>.json  groups/<id>.json  segments/<id>.<table>.parquet  index/<id>.osix  tmp/
//   locks/  pins/
// Writers:   any number of processes may write at once. Each commit makes one new version, whole or not at all; a
//            writer that finds its version number taken decides anew on top of the newer version and tries again.
// Readers:   are never blocked by writers; see Snapshot.
// Threads:   all functions may be called from any thread, also at the same time. OnProgress must be called before.
// Errors:    every function that writes fails with kIo when the store is open for reading only, when the disk is full
//            or refuses, with kBusy when other writers were faster many times in a row, and with kLimit when the
//            store's quota would be exceeded. Whatever reads may fail with kCorrupt, which names the damaged file.
//            After an error the store is as it was, unless the function says otherwise.
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
  // Snapshots leave out segments that fail their checks instead of failing (see Snapshot::SkipDamaged).
  bool skip_damaged = false;
  // Is called once for each segment that a read leaves out: quarantined ones, and with skip_damaged those that fail
  // their checks. It may be called from any thread that reads.
  std::function<void(const std::string& damage)> on_damaged = [](const std::string&) {};
  // The wish to stop of whoever opens it, see Store::cancel.
  CancelToken cancel = {};
};

struct IngestOptions {
  // Runs that fit in memory are written together at Commit; a run with more events than this gets a segment of its own
  // while it arrives.
  uint64_t spill_events = 4 << 20;
  // Returns what to store when a given report differs from the newest stored revision. Without it the given report is
  // stored. An error that it returns fails the commit. It is called again when another writer was faster.
  std::function<Result<Bug>(const Bug& stored, const Bug& given)> combine = {};
  // Decides inside the commit which bug a run belongs to. Without it a run belongs to the bug that it names.
  BugRule rule = {};
  // The author and the reason that the commit's revisions of bugs get. The reason is for reports that were given and
  // for bugs that a run names; a revision that the rule makes has the rule's reason.
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

// Takes runs, bugs and attachments for one commit. Nothing of them is visible before Commit returns; if the ingest is
// destroyed without a commit, or if Commit fails, nothing of them is left.
//
// A run whose id is stored already is skipped when its content is the same. Otherwise Commit fails with kConflict.
// An attachment's owner must be in the store or have been added before Commit. Otherwise Commit fails with kNotFound.
// A run that names a bug without a report makes the report: open, with the failure's message as its title. The bug, its
// number and its first run become visible together.
// Threads: one at a time. Different ingests of one store may be filled at the same time.
class Ingest : public RunSink {
 public:
  // Makes what was added durable and visible, and returns what that was. The ingest is empty afterwards and may be
  // filled again. After an error it still holds what was added, and Commit may be called again.
  virtual Result<IngestResult> Commit() = 0;
  virtual uint64_t pending_runs() const = 0;
  virtual uint64_t pending_events() const = 0;
  virtual uint64_t pending_attachment_bytes() const = 0;
};

// Selects runs and reports to delete. Each member that is set narrows the selection; all of them must hold.
//
//                  selects the run            selects the report
//   runs           that it lists              that has runs, all of them listed
//   bugs           of a bug that it lists     that it lists
//   project        of this project            of this project
//   older_than_ns  that started, else was     whose creation, last edit and runs are all before this time; a report
//                  stored, before this time   that was imported counts as edited then
//   keep_last      that is not among the      that has runs, and only if N is 0: otherwise its newest run stays, and so
//                  newest N of its bug, or    does the report
//                  of its test if it has none
//   failing        that failed, or passed     that has runs, all of which failed, or passed
//   bugs_too       any                        any
//
// A report is deleted only if it is listed in `bugs` or `bugs_too` is set, and never while one of its runs is kept.
// `bugs_too` alone is not a filter. Attachments are deleted together with their run or bug. A combination that can
// select nothing, such as a run and a bug to which it does not belong, is allowed.
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
  uint64_t attachments = 0;         // of these runs and bugs
  uint64_t segments_dropped = 0;    // all of their content was deleted, so that nothing had to be written
  uint64_t segments_rewritten = 0;  // of which a part stayed, or which had to go in the same commit as one of those
  uint64_t bytes_freed = 0;         // 0 after a dry run, which cannot know it
  uint64_t files_pinned = 0;        // still held by a reader; the first collection after it ends removes them
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
  uint64_t segments = 0;                       // that had an older format (with dry_run: that have one)
  uint64_t bytes_before = 0, bytes_after = 0;  // of those segments; bytes_after is 0 with dry_run
  uint64_t quarantined = 0;                    // segments that stay as they are, since they cannot be read
  uint64_t batches = 0;
};

struct CollectResult {
  uint64_t files_removed = 0, bytes_freed = 0;
  uint64_t manifests_removed = 0;
  uint64_t files_pinned = 0;    // held by readers of older versions
  bool writers_active = false;  // files that no manifest names were kept, because they may belong to a writer
};

struct CheckOptions {
  bool deep = true;  // digests of whole files, and every page decoded
};
struct CheckProblem {
  std::string segment;  // empty: the store itself
  std::string what;     // "segments/ab….traces.parquet: sha256 differs"
  std::string advice;   // what to do
  bool fatal = true;    // false: an orphan, a missing index
  // The operating system could not read the file now. That says nothing about damage, so it is no reason to quarantine
  // a segment.
  bool unreadable = false;
};
struct CheckResult {
  uint64_t version = 0;
  uint64_t files_checked = 0, bytes_checked = 0;
  std::vector<CheckProblem> problems;
  bool healthy() const;
};

struct ReindexOptions {
  bool verify = false;  // only compare, and write nothing
};
struct ReindexResult {
  uint64_t segments = 0;
  // Index files that differ from what the tables say, counted by what is wrong with them. All of them are written anew,
  // except with `verify`.
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
  // Makes an empty store: the directory (mode 0700) and its first manifest. Fails with kConflict when there is a store
  // already. `fs` is borrowed for as long as the store or a snapshot of it exists; the same holds for Open.
  static Result<Store> Create(FileSystem& fs, const std::string& path, const CancelToken& cancel = {});
  // Opens the store and reads its newest manifest, but no segment. Fails with kNotFound when `path` is not a store,
  // with kUnsupported when its format is too new for this release, and with kCorrupt when the newest manifest is
  // damaged (see OpenOptions::salvage).
  static Result<Store> Open(FileSystem& fs, const std::string& path, const OpenOptions& options = {});
  // Whether there is a directory of manifests at `path`. Nothing is read.
  static bool IsStore(FileSystem& fs, const std::string& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Returns a second handle on the same open store. The two share the indexes that either has loaded, and the token.
  Store Share() const;
  // Returns such a handle with another token: to cancel the work of one handle leaves that of the other running.
  Store Share(CancelToken cancel) const;
  // The token that was given to Open, Create or Share. Everything that is done through this handle, its snapshots and
  // its ingests asks it between two segments and while it waits for a lock. When it is cancelled, the work ends with
  // kCancelled and nothing is changed (but see Upgrade and Purge).
  const CancelToken& cancel() const;

  const std::string& path() const;
  // What a person should know about how the store was opened, such as "READ-ONLY: version 7 is damaged (…)".
  const std::vector<std::string>& warnings() const;

  // Sets a function that Check, Compact, Upgrade, Purge, Reindex, Backup and a snapshot's Send call after every
  // segment, on the thread that called them.
  void OnProgress(std::function<void(uint64_t segments)> progress);

  // --- reading ---

  // Returns the newest version, which stays readable for as long as the snapshot exists.
  Result<Snapshot> Read() const;
  // Returns one version, to read what another snapshot saw. Fails with kNotFound when there is no version of this
  // number, or when a collection has removed it or its files.
  Result<Snapshot> ReadVersion(uint64_t version) const;
  // Returns the number of the version that Read would give, without loading it: cheap enough to be asked before every
  // query. For a store that was opened with OpenOptions::salvage this is the version that was salvaged.
  Result<uint64_t> NewestVersion() const;

  // --- adding and editing ---

  // Returns an empty ingest, which keeps the store open. Fails with kLimit when the author's name is too long.
  Result<std::unique_ptr<Ingest>> BeginIngest(const IngestOptions& options);

  // Calls `change` with the bugs of the newest version and commits what it puts (known_bugs.h), all of it at once.
  // `change` is called again when another writer was faster, so it must not remember anything between calls; its error
  // is returned and nothing is committed. Returns the version that has the change. When nothing changes, no version is
  // made.
  Result<uint64_t> ChangeBugs(const std::function<Status(KnownBugs&)>& change, const std::string& by = {});
  // Applies `edit` to the newest revision of one bug (nullopt when there is none) and returns the bug as it is stored.
  // `edit` may be called more than once, as in ChangeBugs.
  Result<Bug> EditBug(const BugKey& key, const std::function<Result<Bug>(const std::optional<Bug>&)>& edit,
                      const std::string& by = {}, const std::string& why = {});

  // Attaches runs to a bug, or to none when its id is empty. The segments that hold the runs are rewritten. Fails with
  // kNotFound, and changes nothing, when a run or the bug does not exist.
  Result<uint64_t> LinkRuns(const std::vector<RunId>& runs, const BugKey& bug);

  // Deletes attachments. Fails with kNotFound, and deletes none, when one of them does not exist. A segment that had
  // nothing else is dropped; the others are rewritten.
  Result<DetachResult> Detach(const std::vector<AttachmentHeader>& attachments);

  // --- maintenance ---

  // Deletes what the filter selects, in at most two commits: first the segments of which nothing stays, which needs no
  // space on the disk, then the rest. If the second fails, its error says what the first has deleted and what is left;
  // the same purge, called again, deletes the rest. A dry run counts what would be deleted and changes nothing. Fails
  // with kInvalid when the filter is empty.
  Result<PurgeResult> Purge(const PurgeFilter& filter, bool dry_run = false);
  // Merges small segments, splits ranges that have grown too large, and removes files that no version needs.
  Result<CompactResult> Compact(const CompactOptions& options = {});
  // Calls Compact if there are many small segments. Cheap enough to be called after every commit.
  Status CompactIfNeeded();
  // Rewrites the segments that an older release wrote, one version for each batch. An upgrade that is stopped between
  // two batches leaves a whole store, in which the next upgrade does the rest.
  Result<UpgradeResult> Upgrade(const UpgradeOptions& options = {});
  // Removes old manifests without a reader, and files that no manifest names.
  Result<CollectResult> Collect();
  // Compares every file with the manifest and returns what is wrong. Damage is a result, not an error.
  Result<CheckResult> Check(const CheckOptions& options = {});
  // Takes damaged segments out of use. The manifest keeps the reason, and every later read says that it is partial.
  // Returns the version that has the change.
  Result<uint64_t> Quarantine(const std::vector<std::string>& segments, const std::string& reason);
  // Makes the index of every segment from its tables, and writes the index files that differ.
  Result<ReindexResult> Reindex(const ReindexOptions& options = {});

  Result<StoreSettings> Settings() const;
  Result<uint64_t> SetSettings(const StoreSettings& settings);
  // Applies `edit` to the newest settings and returns the version that has them. `edit` may be called more than once,
  // as in ChangeBugs. When nothing changes, no version is made.
  Result<uint64_t> EditSettings(const std::function<Status(StoreSettings&)>& edit);

  // Copies the newest version into a directory that must not exist (kConflict), whole or not at all. Returns the number
  // of the version that was copied.
  Result<uint64_t> Backup(const std::string& target) const;
  // Adds the runs, bugs and attachments of another store, in several commits. After an error the commits that were made
  // stay, and the same merge may be called again.
  Result<MergeResult> Merge(const Store& other);

 private:
  explicit Store(std::shared_ptr<StoreState> state);
  std::shared_ptr<StoreState> state_;
};

}  // namespace oscope
