// Backup and merge: a store copied whole, and a store added to another.
#include <algorithm>

#include "index/store/batching_sink.h"
#include "index/store/store.h"
#include "index/store/store_state.h"
#include "tracer/model/forwarding_sink.h"

namespace oscope {

namespace {

constexpr uint64_t kMergeBatchEvents = 8 << 20;
constexpr uint64_t kMergeBatchRuns = 50'000;

Status CopyDurably(FileSystem& fs, const std::string& from, const std::string& to) {
  OSCOPE_ASSIGN_OR_RETURN(const auto source, fs.Open(from));
  OSCOPE_ASSIGN_OR_RETURN(const auto target, fs.Create(to));
  std::string buffer(1 << 20, '\0');
  for (uint64_t at = 0; at < source->size(); at += buffer.size()) {
    const uint64_t length = std::min<uint64_t>(buffer.size(), source->size() - at);
    OSCOPE_RETURN_IF_ERROR(source->ReadAt(at, length, buffer.data()));
    OSCOPE_RETURN_IF_ERROR(target->Append({buffer.data(), length}));
  }
  OSCOPE_RETURN_IF_ERROR(target->Sync());
  return target->Close();
}

Status CopyVersion(StoreState& store, const Manifest& manifest, const StoreFiles& to) {
  const StoreFiles& from = store.files;
  FileSystem& fs = to.fs();
  for (const char* directory : kStoreDirectories) OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(to.Directory(directory)));
  for (const GroupEntry& group : manifest.groups) {
    OSCOPE_RETURN_IF_ERROR(CopyDurably(fs, from.GroupFile(group.file), to.GroupFile(group.file)));
  }
  for (const SegmentEntry& segment : manifest.segments) {
    for (const TableFile& table : segment.tables) {
      Status copied = CopyDurably(fs, from.TablePath(segment.id, table.table), to.TablePath(segment.id, table.table));
      // A quarantined segment may have lost its files; the copy then says the same of it.
      if (!copied.ok() && segment.quarantined.empty()) return copied;
    }
    if (fs.Exists(from.IndexPath(segment.id))) {
      OSCOPE_RETURN_IF_ERROR(CopyDurably(fs, from.IndexPath(segment.id), to.IndexPath(segment.id)));
    }
    OSCOPE_RETURN_IF_ERROR(store.Step());
  }
  OSCOPE_RETURN_IF_ERROR(CopyDurably(fs, from.ManifestFile(manifest.version), to.ManifestFile(manifest.version)));
  OSCOPE_RETURN_IF_ERROR(WriteDurably(fs, to.Directory(".gitignore"), "*\n"));
  for (const char* directory : kStoreDirectories) OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(to.Directory(directory)));
  return fs.SyncDirectory(to.root());
}

void RemoveTree(FileSystem& fs, const std::string& root) {
  for (const char* directory : kStoreDirectories) {
    const std::string path = JoinPath(root, directory);
    if (const auto names = fs.List(path); names.ok()) {
      for (const std::string& name : *names) (void)fs.Remove(JoinPath(path, name));
    }
    (void)fs.RemoveDirectory(path);
  }
  (void)fs.Remove(JoinPath(root, ".gitignore"));
  (void)fs.RemoveDirectory(root);
}

// Theirs where ours says nothing; comments, duplicates and custom fields of both.
Bug Combine(const Bug& ours, const Bug& theirs) {
  Bug bug = ours;
  const auto fill = [](auto& mine, const auto& their) {
    if (mine == std::decay_t<decltype(mine)>()) mine = their;
  };
  fill(bug.title, theirs.title);
  fill(bug.severity, theirs.severity);
  fill(bug.reporter, theirs.reporter);
  fill(bug.created_ns, theirs.created_ns);
  fill(bug.resolved_ns, theirs.resolved_ns);
  fill(bug.url, theirs.url);
  fill(bug.version, theirs.version);
  fill(bug.text, theirs.text);
  if (bug.fix.empty()) bug.fix = theirs.fix;
  if (!IsResolved(bug.status) && IsResolved(theirs.status)) bug.status = theirs.status;
  const auto unite = [](auto& mine, const auto& their) {
    for (const auto& item : their) {
      if (std::find(mine.begin(), mine.end(), item) == mine.end()) mine.push_back(item);
    }
  };
  unite(bug.comments, theirs.comments);
  unite(bug.duplicates, theirs.duplicates);
  bug.custom.insert(theirs.custom.begin(), theirs.custom.end());
  return bug;
}

// The other store's runs; its bugs were combined with ours before.
class RunsOnly : public ForwardingSink {
 public:
  using ForwardingSink::ForwardingSink;
  Status AddBug(const Bug&) override { return {}; }
};

}  // namespace

Result<uint64_t> Store::Backup(const std::string& target) const {
  FileSystem& fs = state_->files.fs();
  if (fs.Exists(target)) return Conflict("{} exists already: a backup needs a new directory", target);
  OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
  const StoreFiles partial(fs, fmt::format("{}.partial-{}", target, NewId().substr(0, 8)));
  OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(partial.root()));
  Status copied = CopyVersion(*state_, newest->manifest, partial);
  if (copied.ok()) copied = fs.Rename(partial.root(), target);
  if (!copied.ok()) {
    RemoveTree(fs, partial.root());
    return std::move(copied).error().Within(fmt::format("backup to {}", target));
  }
  OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(DirName(target)));
  return newest->manifest.version;
}

Result<MergeResult> Store::Merge(const Store& other) {
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot theirs, other.Read());
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot ours, Read());
  MergeResult result;
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> their_bugs, theirs.Bugs());
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> our_bugs, ours.Bugs());
  std::map<BugKey, const Bug*> known;
  for (const Bug& bug : our_bugs) known.emplace(bug.key, &bug);
  OSCOPE_ASSIGN_OR_RETURN(const auto batches, BatchingSink::Open(*this, kMergeBatchRuns, kMergeBatchEvents));
  for (const Bug& bug : their_bugs) {
    const auto found = known.find(bug.key);
    if (found == known.end()) {
      OSCOPE_RETURN_IF_ERROR(batches->AddBug(bug));
    } else if (*found->second != bug) {
      ++result.bugs_combined;
      result.combined.push_back(bug.key);
      OSCOPE_RETURN_IF_ERROR(batches->AddBug(Combine(*found->second, bug)));
    }
  }
  RunsOnly runs(*batches);
  OSCOPE_RETURN_IF_ERROR(theirs.Send([](const StoredRun&) { return true; }, runs));
  OSCOPE_ASSIGN_OR_RETURN(result.added, batches->Finish());
  return result;
}

}  // namespace oscope
