// What an open store holds in memory, and how a new version of it is published. Internal to index/store.
//
// Threads: all functions of StoreState may be called from any thread; what they load is loaded once and kept. A
// SnapshotState belongs to its Snapshot, whose const functions may run on several threads.
//
// Each asker has a StoreState of its own, with its own cancel token and progress. All askers share what was loaded of the
// segments (KeptSegments), so that nothing is loaded twice. A question that was cancelled leaves nothing there: another
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
  // Makes a handle on the same open store for another asker, with that asker's token and without a progress function.
  StoreState(const StoreState& other, CancelToken cancel);

  StoreFiles files;  // with the asker's wish to stop
  bool read_only = false;
  std::optional<uint64_t> fixed_version;  // salvage: this version and no other
  std::vector<std::string> warnings;
  bool skip_damaged = false;
  std::function<void(const std::string& damage)> on_damaged;
  // Calls on_damaged, once for each segment.
  void TellDamaged(const std::string& segment, const std::string& damage);

  // Is called after every segment that a long operation has finished.
  std::function<void(uint64_t segments)> progress = [](uint64_t) {};
  // Long operations call this between two segments. It reports progress and returns kCancelled when the token says so.
  Status Step();

  // Returns the index of a segment: from its file or, when that is missing or damaged, made anew in memory. It is kept,
  // since segments never change.
  Result<std::shared_ptr<const SegmentIndex>> Index(const SegmentEntry& entry);
  // Returns what a search reads of a segment: from its file, or made anew from the tables and then written, unless the
  // store is read-only. It is kept.
  Result<std::shared_ptr<const SegmentSearch>> Search(const SegmentEntry& entry);
  // Names and fields of the segments' bugs, which are kept too.
  SegmentBugs& bugs();
  // Returns which bugs the failures of a segment belong to: from its index file, or made anew from its runs and reports
  // in memory. It is kept.
  Result<std::shared_ptr<const FailureIndex>> Failures(const SegmentEntry& entry);
  void Forget(const std::vector<SegmentEntry>& segments);
  // Forgets the indexes of segments that `manifest` does not name. Their files may have been removed, and a mapping
  // would keep the disk from freeing their space.
  void ForgetOthers(const Manifest& manifest);
  // Whether this process has compared the segment's table files with their digests as a whole.
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

  // Calls `read` for every segment that is not quarantined. An error ends the walk; with skip_damaged a damaged segment
  // is remembered in `damaged` instead.
  Status ForEachSegment(const std::function<Status(const SegmentEntry&)>& read) const;
  // Calls `visit` with the names of the bugs of every segment that has bugs and is not left out.
  Status ForEachBugNames(const std::function<void(const SegmentEntry&, const BugNameTable&)>& visit) const;
  // Whether reads go on without a segment that failed with this error. If so, the segment is remembered in `damaged`
  // and on_damaged is called.
  bool LeavesOut(const SegmentEntry& segment, const Error& error) const;
  // Returns the revisions of a bug, the oldest first; none when it has no report.
  Result<std::vector<BugRevision>> Revisions(const BugKey& key) const;
};

// Loads and pins the newest version. Fails with kBusy when versions are removed faster than they can be read.
Result<std::unique_ptr<SnapshotState>> PinNewest(const std::shared_ptr<StoreState>& store);
// Loads and pins this version. Fails with kNotFound when it has been removed, or when it is not the newest and a table
// file of it has been removed. Files that the newest version lacks are damage, which is reported when they are read.
Result<std::unique_ptr<SnapshotState>> PinVersion(const std::shared_ptr<StoreState>& store, uint64_t version);

// Publishes a change as a new version and returns its number.
//
// `make` is called with the newest version, pinned; it writes the files that its edit adds. When another writer
// publishes first, it is called again with the version that won, and must then remove what it wrote before. An empty
// edit makes no version. Fails with kBusy when others win again and again, and with what `make` returns.
//
// When it is certain that no version names the new files, `discard` is called. As soon as one may name them, `visible`
// is called and the files must stay, even if an error about the durability of that version follows. The writers' lock
// is held throughout, so that no collection takes the new files for orphans.
Result<uint64_t> PublishChange(
    const std::shared_ptr<StoreState>& store, const std::function<Result<VersionEdit>(const SnapshotState&)>& make,
    const std::function<void()>& discard, const std::function<void()>& visible = [] {});

struct Pruned {
  uint64_t manifests = 0;
  std::vector<Manifest> pinned;  // of versions that a reader has pinned: these and their files stay
  // False when the manifest of a pinned version could not be read. That version may name any file.
  bool complete = true;
  // Manifests that have no reader but stay all the same, so that a slow writer which is about to publish under such a
  // number finds it taken.
  uint64_t names_kept = 0;
};
// Removes the manifests up to and including version `newest - keep`, but never that of `newest`. It leaves those that a
// reader has pinned, and those whose names a slow writer must find taken (Pruned::names_kept).
Pruned PruneManifests(const StoreState& store, uint64_t newest, uint64_t keep);

int64_t NowNs();

}  // namespace oscope
