// How a version is published and pinned, without a server and without a lock that keeps other writers out.
//
// Publishing: a writer reads the newest version N, writes its segments under names nobody else uses, writes the new
// manifest to a temporary file, syncs everything, and link(2)s it to the name of version N + 1. link(2) fails when the
// name is taken, so exactly one writer makes each version. The loser starts again on top of the winner, with `make`
// deciding anew, since the new version may have changed what the edit means. An exclusive lock during the whole change
// would be simpler, but every writer would then wait while another one compresses for minutes.
//
// Pinning: a reader takes a shared lock on the pin file of its version. A collection that can lock the file
// exclusively knows that nobody reads the version. A process that dies drops its locks, so no reader that was killed
// keeps files alive. The pin is taken before the manifest is known to be the newest, so PinNewest looks again
// afterwards: a version that ceased to be the newest in between may be collected already.
//
// The hard part is the name of a removed manifest. A writer that builds on version N - 1 expects link(2) to fail if
// version N exists. If version N were published, superseded and then removed while that writer works, its link would
// succeed, and it would publish a second version N that nobody reads. So PruneManifests removes the manifest of N only
// if it can also lock the pin of N - 1: then no writer builds on N - 1.
//
// Every failure before the link leaves the store as it was; after the link the version may be durable even if the sync
// of the directory failed, so its files are kept and `visible` is called.
//
// What is kept in memory (indexes, searches, failures) is keyed by segment. Segments never change, so it needs no
// updating and is only forgotten, when no current version names the segment or its index file is written anew.
#include "index/store/store_state.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "index/store/placement.h"
#include "index/store/segment_reader.h"

namespace oscope {

namespace {
constexpr size_t kRootSegments = 64;     // more than this in the root, and they move to a group
constexpr uint64_t kKeptManifests = 16;  // older versions are kept this long for a salvage
constexpr int kMaxAttempts = 1000;
}  // namespace

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

struct KeptSegments {
  // One segment's, so that two threads that ask at once do not both rebuild it.
  struct SearchSlot {
    std::mutex mutex;
    std::shared_ptr<const SegmentSearch> search;
  };

  SegmentBugs bugs;  // has a mutex of its own
  std::mutex mutex;  // of all that follows
  std::map<std::string, std::shared_ptr<const SegmentIndex>> indexes;
  std::map<std::string, std::shared_ptr<SearchSlot>> searches;
  std::map<std::string, std::shared_ptr<const FailureIndex>> failures;
  std::set<std::string> verified, told;
};

StoreState::StoreState(FileSystem& fs, std::string root, CancelToken cancel)
    : files(fs, std::move(root), std::move(cancel)), kept_(std::make_shared<KeptSegments>()) {}

StoreState::StoreState(const StoreState& other, CancelToken cancel) : StoreState(other) {
  files = StoreFiles(other.files.fs(), other.files.root(), std::move(cancel));
  progress = [](uint64_t) {};
}

SegmentBugs& StoreState::bugs() { return kept_->bugs; }

void StoreState::TellDamaged(const std::string& segment, const std::string& damage) {
  {
    const std::lock_guard lock(kept_->mutex);
    if (!kept_->told.insert(segment).second) return;
  }
  if (on_damaged) on_damaged(damage);
}

Status StoreState::Step() {
  progress(1);
  return files.cancel().Check();
}

Result<std::shared_ptr<const SegmentIndex>> StoreState::Index(const SegmentEntry& entry) {
  {
    const std::lock_guard lock(kept_->mutex);
    if (auto found = kept_->indexes.find(entry.id); found != kept_->indexes.end()) return found->second;
  }
  auto index = SegmentIndex::Load(files, entry.id);
  if (!index.ok()) index = SegmentIndex::Rebuild(files, entry);
  if (!index.ok()) return std::move(index).error().Within(fmt::format("segment {}", entry.id));
  const std::lock_guard lock(kept_->mutex);
  kept_->indexes.emplace(entry.id, *index);
  return index;
}

Result<std::shared_ptr<const SegmentSearch>> StoreState::Search(const SegmentEntry& entry) {
  std::shared_ptr<KeptSegments::SearchSlot> slot;
  {
    const std::lock_guard lock(kept_->mutex);
    std::shared_ptr<KeptSegments::SearchSlot>& kept = kept_->searches[entry.id];
    if (kept == nullptr) kept = std::make_shared<KeptSegments::SearchSlot>();
    slot = kept;
  }
  const std::lock_guard lock(slot->mutex);
  if (slot->search == nullptr) {
    auto search = LoadSearch(entry);
    if (!search.ok()) {
      LogWarning("store {}: segment {}: its index is made anew from its tables: {}", files.root(), entry.id,
                 search.error().message);
      auto index = RebuildIndex(entry);
      search = index.ok() ? SegmentSearch::Make((*index)->file(), entry.traces)
                          : Result<std::shared_ptr<const SegmentSearch>>(std::move(index).error());
    }
    if (!search.ok()) return std::move(search).error().Within(fmt::format("segment {}", entry.id));
    slot->search = std::move(search).value();
  }
  return slot->search;
}

Result<std::shared_ptr<const SegmentSearch>> StoreState::LoadSearch(const SegmentEntry& entry) {
  OSCOPE_ASSIGN_OR_RETURN(const auto index, Index(entry));
  // A search needs neither names nor failures of bugs. But it is what writes the file of an older release anew.
  OSCOPE_RETURN_IF_ERROR(BugNameTable::Make(index->file(), entry.bug_revisions));
  OSCOPE_RETURN_IF_ERROR(FailureIndex::Make(index->file()));
  return SegmentSearch::Make(index->file(), entry.traces);
}

Result<std::shared_ptr<const SegmentIndex>> StoreState::RebuildIndex(const SegmentEntry& entry) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<IndexSection> sections, RebuildIndexSections(files, entry));
  // The next process should find it. Under the writers' lock, or a collection might take the file for an orphan;
  // an error here only costs time.
  if (!read_only) {
    const auto writer = files.fs().Lock(files.WriterLock(), LockMode::kShared, 0);
    if (writer.ok()) (void)IndexFile::Write(files, entry.id, sections);
  }
  OSCOPE_ASSIGN_OR_RETURN(auto index, SegmentIndex::Decode(IndexFile::Encode(entry.id, sections), entry.id));
  const std::lock_guard lock(kept_->mutex);
  kept_->indexes.insert_or_assign(entry.id, index);
  return index;
}

Result<std::shared_ptr<const FailureIndex>> StoreState::Failures(const SegmentEntry& entry) {
  {
    const std::lock_guard lock(kept_->mutex);
    if (auto found = kept_->failures.find(entry.id); found != kept_->failures.end()) return found->second;
  }
  const auto load = [&]() -> Result<std::shared_ptr<const FailureIndex>> {
    OSCOPE_ASSIGN_OR_RETURN(const auto index, Index(entry));
    return FailureIndex::Make(index->file());
  };
  // Without what only a search needs: a commit must not fail for a damaged trace, nor wait for all of them to be read.
  // The next search writes the file anew.
  const auto rebuild = [&]() -> Result<std::shared_ptr<const FailureIndex>> {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<IndexSection> sections, RebuildFailureSections(files, entry));
    OSCOPE_ASSIGN_OR_RETURN(auto file, IndexFile::Decode(IndexFile::Encode(entry.id, sections), entry.id));
    return FailureIndex::Make(std::move(file));
  };
  auto failures = load();
  if (!failures.ok()) failures = rebuild();
  if (!failures.ok()) return std::move(failures).error().Within(fmt::format("segment {}", entry.id));
  const std::lock_guard lock(kept_->mutex);
  kept_->failures.emplace(entry.id, *failures);
  return failures;
}

void StoreState::ForgetOthers(const Manifest& manifest) {
  std::set<std::string_view> named;
  for (const SegmentEntry& segment : manifest.segments) named.insert(segment.id);
  const auto is_other = [&](const auto& entry) { return !named.contains(entry.first); };
  kept_->bugs.ForgetIf([&](const std::string& segment) { return !named.contains(segment); });
  const std::lock_guard lock(kept_->mutex);
  std::erase_if(kept_->indexes, is_other);
  std::erase_if(kept_->searches, is_other);
  std::erase_if(kept_->failures, is_other);
}

void StoreState::Forget(const std::vector<SegmentEntry>& segments) {
  std::set<std::string_view> forgotten;
  for (const SegmentEntry& segment : segments) forgotten.insert(segment.id);
  kept_->bugs.ForgetIf([&](const std::string& segment) { return forgotten.contains(segment); });
  const std::lock_guard lock(kept_->mutex);
  for (const SegmentEntry& segment : segments) {
    kept_->indexes.erase(segment.id);
    kept_->searches.erase(segment.id);
    kept_->failures.erase(segment.id);
    kept_->verified.erase(segment.id);
  }
}

bool StoreState::IsVerified(const std::string& segment) {
  const std::lock_guard lock(kept_->mutex);
  return kept_->verified.contains(segment);
}

void StoreState::SetVerified(const std::string& segment) {
  const std::lock_guard lock(kept_->mutex);
  kept_->verified.insert(segment);
}

Status SnapshotState::ForEachSegment(const std::function<Status(const SegmentEntry&)>& read) const {
  for (const SegmentEntry& segment : manifest.segments) {
    if (!segment.quarantined.empty()) continue;
    Status status = read(segment);
    if (!status.ok() && !LeavesOut(segment, status.error())) return status;
  }
  return {};
}

bool SnapshotState::LeavesOut(const SegmentEntry& segment, const Error& error) const {
  if (!skip_damaged || error.code != ErrorCode::kCorrupt) return false;
  store->TellDamaged(segment.id, error.message);
  const std::lock_guard lock(damaged_mutex);
  damaged.emplace(segment.id, error.message);
  return true;
}

Result<std::vector<BugRevision>> SnapshotState::Revisions(const BugKey& key) const {
  std::vector<BugRevision> revisions;
  const uint64_t placement = PlacementOf(key);
  OSCOPE_RETURN_IF_ERROR(ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (segment.bug_revisions == 0 || !segment.range.Contains(placement)) return {};
    OSCOPE_ASSIGN_OR_RETURN(const auto index, store->Index(segment));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> some, SegmentReader(store->files, segment).Bugs(key, *index));
    std::move(some.begin(), some.end(), std::back_inserter(revisions));
    return {};
  }));
  std::sort(revisions.begin(), revisions.end(),
            [](const BugRevision& a, const BugRevision& b) { return a.revision < b.revision; });
  return revisions;
}

namespace {

// Takes a shared lock on the version's pin file. Returns null when the file cannot be opened or made, as on a store that
// we may not write and whose version nobody has pinned yet. Then nothing keeps a collection by another user away.
Result<std::unique_ptr<FileLock>> Pin(const StoreFiles& files, uint64_t version) {
  auto pin = files.fs().Lock(files.PinFile(version), LockMode::kShared, kLockWaitMs, files.cancel());
  if (!pin.ok() && pin.error().code == ErrorCode::kIo) return std::unique_ptr<FileLock>();
  return pin;
}

}  // namespace

Result<std::unique_ptr<SnapshotState>> PinNewest(const std::shared_ptr<StoreState>& store) {
  const StoreFiles& files = store->files;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    uint64_t version = 0;
    if (store->fixed_version) {
      version = *store->fixed_version;
    } else {
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> versions, ListManifests(files));
      if (versions.empty()) return Corrupt("store {}: no manifest is left", files.root());
      version = versions.back();
    }
    auto state = std::make_unique<SnapshotState>();
    state->store = store;
    OSCOPE_ASSIGN_OR_RETURN(state->pin, Pin(files, version));
    auto manifest = LoadManifest(files, version);
    if (store->fixed_version && !manifest.ok()) return std::move(manifest).error();
    // Only a version that is still the newest under its pin may be built upon: see PruneManifests.
    if (!store->fixed_version) {
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> versions, ListManifests(files));
      if (versions.empty() || versions.back() != version) continue;
    }
    if (!manifest.ok()) return std::move(manifest).error();
    state->manifest = std::move(manifest).value();
    return state;
  }
  return Busy("store {}: other writers replace versions faster than they can be read", files.root());
}

namespace {

bool HasAllTables(const StoreFiles& files, const Manifest& manifest) {
  return std::all_of(manifest.segments.begin(), manifest.segments.end(), [&](const SegmentEntry& segment) {
    return !segment.quarantined.empty() ||
           std::all_of(segment.tables.begin(), segment.tables.end(), [&](const TableFile& file) {
             return files.fs().Exists(files.TablePath(segment.id, file.table));
           });
  });
}

}  // namespace

Result<std::unique_ptr<SnapshotState>> PinVersion(const std::shared_ptr<StoreState>& store, uint64_t version) {
  const StoreFiles& files = store->files;
  const auto gone = [&] {
    return NotFound("store {}: version {} has been removed or never existed: read the newest version", files.root(),
                    version);
  };
  if (store->fixed_version && version != *store->fixed_version) return gone();
  // Before anything is locked, so that asking for a version that never was leaves no pin file behind.
  if (!files.fs().Exists(files.ManifestFile(version))) return gone();
  // A collection that has found the version unread may be about to remove its files, and would not see a pin that
  // comes now: it holds the writers' lock alone, so we wait for its end. A store that we may not write has no lock.
  auto no_collection = files.LockAsWriter();
  if (!no_collection.ok() && no_collection.error().code != ErrorCode::kIo) return std::move(no_collection).error();
  auto state = std::make_unique<SnapshotState>();
  state->store = store;
  OSCOPE_ASSIGN_OR_RETURN(state->pin, Pin(files, version));
  auto manifest = LoadManifest(files, version);
  if (!manifest.ok() && !files.fs().Exists(files.ManifestFile(version))) return gone();
  if (!manifest.ok()) return std::move(manifest).error();
  state->manifest = std::move(manifest).value();
  // An old manifest may outlive its files (Pruned::names_kept). What the newest version lacks is damage, and is told
  // by name when it is read.
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> versions, ListManifests(files));
  const bool newest = versions.empty() || versions.back() == version || store->fixed_version;
  if (!newest && !HasAllTables(files, state->manifest)) return gone();
  return state;
}

namespace {

// Moves the root's segments into a group file when there are many. New group files must be synced before the root names
// them.
Status Regroup(const StoreFiles& files, Manifest& manifest, std::vector<std::string>& written) {
  size_t in_groups = 0;
  for (const uint32_t size : manifest.group_sizes) in_groups += size;
  while (manifest.segments.size() - in_groups > kRootSegments) {
    const auto begin = manifest.segments.begin() + static_cast<ptrdiff_t>(in_groups);
    const std::vector<SegmentEntry> moved(begin, begin + kRootSegments);
    const std::string text = EncodeGroup(moved);
    GroupEntry group{NewId(), text.size(), Sha256Of(text)};
    const std::string path = files.GroupFile(group.file);
    written.push_back(path);
    OSCOPE_RETURN_IF_ERROR(WriteDurably(files.fs(), path, text));
    manifest.groups.push_back(std::move(group));
    manifest.group_sizes.push_back(kRootSegments);
    in_groups += kRootSegments;
  }
  return {};
}

struct Attempt {
  enum { kPublished, kLost, kFailed } outcome = kFailed;
  Status error;
  // The link was made, so the version may be durable: its files must stay whatever the error.
  bool maybe_visible = false;
};

Attempt TryPublish(const StoreFiles& files, Manifest& manifest) {
  Attempt attempt;
  std::vector<std::string> groups;
  const std::string temporary = files.TemporaryPath();
  const auto prepare = [&]() -> Status {
    OSCOPE_RETURN_IF_ERROR(Regroup(files, manifest, groups));
    if (!groups.empty()) OSCOPE_RETURN_IF_ERROR(files.fs().SyncDirectory(files.Directory("groups")));
    OSCOPE_RETURN_IF_ERROR(files.fs().SyncDirectory(files.Directory("segments")));
    return WriteDurably(files.fs(), temporary, EncodeManifestRoot(manifest));
  };
  attempt.error = prepare();
  if (attempt.error.ok()) {
    Status linked = files.fs().Link(temporary, files.ManifestFile(manifest.version));
    attempt.maybe_visible = linked.ok();
    if (linked.ok()) {
      attempt.error = files.fs().SyncDirectory(files.Directory("manifests"));
      if (attempt.error.ok()) attempt.outcome = Attempt::kPublished;
    } else if (linked.error().code == ErrorCode::kConflict) {
      attempt.outcome = Attempt::kLost;
    } else {
      attempt.error = std::move(linked);
    }
  }
  (void)files.fs().Remove(temporary);
  if (!attempt.maybe_visible) {
    for (const std::string& path : groups) (void)files.fs().Remove(path);
  }
  return attempt;
}

}  // namespace

Result<uint64_t> PublishChange(const std::shared_ptr<StoreState>& store,
                               const std::function<Result<VersionEdit>(const SnapshotState&)>& make,
                               const std::function<void()>& discard, const std::function<void()>& visible) {
  if (store->read_only)
    return Error{ErrorCode::kIo, fmt::format("store {} is open for reading only", store->files.root())};
  const auto start = std::chrono::steady_clock::now();
  OSCOPE_ASSIGN_OR_RETURN(const auto lock, store->files.LockAsWriter());
  for (int i = 0; i < kMaxAttempts; ++i) {
    auto base = PinNewest(store);
    if (!base.ok()) {
      discard();
      return std::move(base).error();
    }
    // While the base is not pinned, a collection may remove the manifest of the version that follows it. This change would
    // then be published under that number, below the newest version.
    if ((*base)->pin == nullptr) {
      discard();
      return Error{ErrorCode::kIo, fmt::format("store {}: version {} cannot be pinned", store->files.root(),
                                               (*base)->manifest.version)};
    }
    if ((*base)->manifest.format > kStoreFormat) {
      discard();
      return Unsupported("store {}: a newer release has changed it to format {}, and this release writes format {}",
                         store->files.root(), (*base)->manifest.format, kStoreFormat);
    }
    const auto edit = make(**base);
    if (!edit.ok()) {
      discard();
      return edit.error();
    }
    if (edit->empty()) {
      discard();
      return (*base)->manifest.version;
    }
    Manifest next = Apply((*base)->manifest, *edit);
    if (Status allowed = CheckQuota((*base)->manifest, *edit, next); !allowed.ok()) {
      discard();
      return std::move(allowed).error();
    }
    Attempt attempt = TryPublish(store->files, next);
    if (attempt.maybe_visible) visible();
    if (attempt.outcome == Attempt::kPublished) {
      const uint64_t version = next.version;
      base->reset();
      LogInfo("store {}: version {} committed, {} segments added and {} removed, {} other writers were faster, {} ms",
              store->files.root(), version, edit->added.size(), edit->removed.size(), i,
              (std::chrono::steady_clock::now() - start) / std::chrono::milliseconds(1));
      if (version > kKeptManifests) PruneManifests(*store, version, kKeptManifests);
      return version;
    }
    if (attempt.outcome == Attempt::kFailed) {
      if (!attempt.maybe_visible) discard();
      return std::move(attempt.error).error();
    }
    LogDebug("store {}: another writer was faster with version {}; attempt {} follows", store->files.root(),
             next.version, i + 2);
  }
  discard();
  return Busy("store {}: other writers were faster {} times", store->files.root(), kMaxAttempts);
}

Pruned PruneManifests(const StoreState& store, uint64_t newest, uint64_t keep) {
  Pruned pruned;
  const StoreFiles& files = store.files;
  const auto versions = ListManifests(files);
  if (!versions.ok()) {
    pruned.complete = false;
    return pruned;
  }
  for (const uint64_t version : *versions) {
    if (version >= newest || version + keep > newest) continue;
    const auto unread = files.fs().Lock(files.PinFile(version), LockMode::kExclusive, 0);
    if (!unread.ok()) {
      auto manifest = LoadManifest(files, version);
      if (manifest.ok()) {
        pruned.pinned.push_back(std::move(manifest).value());
      } else {
        pruned.complete = false;
      }
      continue;
    }
    // A writer that builds on the previous version must still find this name taken. If the name were free, it would
    // publish a second version of this number, below the newest, and its runs would be lost.
    const auto not_built_upon = files.fs().Lock(files.PinFile(version - 1), LockMode::kExclusive, 0);
    if (!not_built_upon.ok()) {
      ++pruned.names_kept;
      continue;
    }
    if (files.fs().Remove(files.ManifestFile(version)).ok()) ++pruned.manifests;
    (void)files.fs().Remove(files.PinFile(version - 1));
    (void)files.fs().Remove(files.PinFile(version));
  }
  return pruned;
}

}  // namespace oscope
