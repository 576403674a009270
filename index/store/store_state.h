// What an open store holds, and how a new version of it is published. Internal to index/store.
//
// Each asker has a StoreState of its own, with its wish to stop and its progress. What was loaded of the segments they
// share (KeptSegments), so that the second asker finds it. A question that was cancelled leaves nothing there: another
// asker must not get the error.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "index/store/failure_index.h"
#include "index/store/segment_bugs.h"
#include "index/store/segment_index.h"
#include "index/store/segment_search.h"
#include "index/store/store.h"
#include "index/store/store_files.h"
#include "index/store/version_edit.h"

namespace oscope {

struct KeptSegments;  // store_state.cc

struct StoreState {
  StoreState(FileSystem& fs, std::string root, CancelToken cancel);
  // The same open store for another asker, who is told of no progress yet.
  StoreState(const StoreState& other, CancelToken cancel);

  StoreFiles files;  // with the asker's wish to stop
  bool read_only = false;
  std::optional<uint64_t> fixed_version;  // salvage: this version and no other
  std::vector<std::string> warnings;
  bool skip_damaged = false;
  std::function<void(const std::string& damage)> on_damaged;
  // Calls on_damaged, once for each segment.
  void TellDamaged(const std::string& segment, const std::string& damage);

  // Told of every segment that a long operation has dealt with.
  std::function<void(uint64_t segments)> progress = [](uint64_t) {};
  // Between two segments: progress, and kCancelled when the asker wants to stop.
  Status Step();

  // The index of a segment: loaded, else rebuilt in memory. Segments never change, so it is kept.
  Result<std::shared_ptr<const SegmentIndex>> Index(const SegmentEntry& entry);
  // What a search reads of a segment: loaded, else rebuilt from the tables and, where that is allowed, written. Kept
  // too.
  Result<std::shared_ptr<const SegmentSearch>> Search(const SegmentEntry& entry);
  // Names and fields of the segments' bugs. Kept too.
  SegmentBugs& bugs();
  // Whose the failures of a segment are: loaded, else made of its runs and reports, in memory. Kept too.
  Result<std::shared_ptr<const FailureIndex>> Failures(const SegmentEntry& entry);
  void Forget(const std::vector<SegmentEntry>& segments);
  // Forgets the indexes of segments that a version does not name: their files may be gone, and a mapping would hold
  // their space.
  void ForgetOthers(const Manifest& manifest);
  // Whether a table file's whole digest was checked by this process.
  bool IsVerified(const std::string& segment);
  void SetVerified(const std::string& segment);

 private:
  Result<std::shared_ptr<const SegmentSearch>> LoadSearch(const SegmentEntry& entry);
  // The whole index from the tables, in memory and, where that is allowed, in its file.
  Result<std::shared_ptr<const SegmentIndex>> RebuildIndex(const SegmentEntry& entry);

  std::shared_ptr<KeptSegments> kept_;  // shared by all askers of one open store
};

struct SnapshotState {
  std::shared_ptr<StoreState> store;
  Manifest manifest;
  std::unique_ptr<FileLock> pin;
  bool skip_damaged = false;
  mutable std::mutex damaged_mutex;
  mutable std::map<std::string, std::string> damaged;

  // Calls `read` for the segments that are in use. A failure ends the walk, or with skip_damaged is remembered.
  Status ForEachSegment(const std::function<Status(const SegmentEntry&)>& read) const;
  // Calls `visit` with the names of each segment that has bugs and is in use.
  Status ForEachBugNames(const std::function<void(const SegmentEntry&, const BugNameTable&)>& visit) const;
  // Whether reads go on without a segment that failed so; it is then remembered and told of.
  bool LeavesOut(const SegmentEntry& segment, const Error& error) const;
  // The segments of the range in which something is placed, and its index.
  Result<std::vector<BugRevision>> Revisions(const BugKey& key) const;
};

// The newest version, loaded and pinned.
Result<std::unique_ptr<SnapshotState>> PinNewest(const std::shared_ptr<StoreState>& store);
// This version, loaded and pinned, and every file that it names is there. kNotFound when it is gone.
Result<std::unique_ptr<SnapshotState>> PinVersion(const std::shared_ptr<StoreState>& store, uint64_t version);

// Publishes a change, again on top of the version that was faster. `make` is called with a pinned snapshot, writes
// whatever files its edit adds, and must clean up after itself when it is called again. An empty edit makes no version. Returns the version
// that holds the change. When it is clear that no version names the files, `discard` is called; as soon as one may,
// even if its durability is then in doubt, `visible` is, and the files must stay. The writers' lock is held throughout,
// so that no collection takes the new files for orphans.
Result<uint64_t> PublishChange(
    const std::shared_ptr<StoreState>& store, const std::function<Result<VersionEdit>(const SnapshotState&)>& make,
    const std::function<void()>& discard, const std::function<void()>& visible = [] {});

// Removes manifests that nobody reads: those before `newest - keep`.
struct Pruned {
  uint64_t manifests = 0;
  std::vector<Manifest> pinned;  // someone reads these: they and their files stay
  // False: a version that someone may read is not among `pinned`, as it could not be read; it may name anything.
  bool complete = true;
  uint64_t names_kept = 0;  // nobody reads these, but a writer may be about to collide with their name, and must
};
Pruned PruneManifests(const StoreState& store, uint64_t newest, uint64_t keep);

int64_t NowNs();

}  // namespace oscope
