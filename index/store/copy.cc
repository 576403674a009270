// Backup and merge: a store copied whole, and a store added to another.
//
// A backup copies the files of one pinned version into a directory with a temporary name and renames it at the end, so
// that the target is a whole store or does not exist. Each table is compared with the manifest while it is copied; a
// backup of damaged files is refused, because it might later replace a good one. A process that is killed leaves the
// temporary directory behind. The lock in it tells the next backup whether its maker still lives.
//
// A merge reads the other store as a stream of runs and commits them in batches, like any upload. It is not a copy of
// segments, since the two stores may have different ranges, and a run or bug may be in both. A bug that both stores
// have is combined inside the commit: our value stays where both have one (except that a resolved status wins over one
// that is not), and lists are united.
#include <algorithm>

#include "index/store/batching_sink.h"
#include "index/store/store.h"
#include "index/store/store_state.h"
#include "tracer/model/bug_fields.h"

namespace oscope {

namespace {

constexpr uint64_t kMergeBatchEvents = 8 << 20;
constexpr uint64_t kMergeBatchRuns = 50'000;

struct CopiedFile {
  Status read;  // what was wrong with the source, if anything; the copy then has what could be read
  uint64_t size = 0;
  std::string sha256;
};

// Copies a file and syncs the copy. Fails when the copy cannot be written.
Result<CopiedFile> CopyDurably(FileSystem& fs, const std::string& from, const std::string& to) {
  CopiedFile copied;
  const auto source = fs.Open(from);
  if (!source.ok()) {
    copied.read = source.error();
    return copied;
  }
  OSCOPE_ASSIGN_OR_RETURN(const auto target, fs.Create(to));
  Sha256 sha;
  std::string buffer(1 << 20, '\0');
  for (uint64_t length = 0; copied.size < (*source)->size(); copied.size += length) {
    length = std::min<uint64_t>(buffer.size(), (*source)->size() - copied.size);
    copied.read = (*source)->ReadAt(copied.size, length, buffer.data());
    if (!copied.read.ok()) break;
    sha.Update({buffer.data(), length});
    OSCOPE_RETURN_IF_ERROR(target->Append({buffer.data(), length}));
  }
  copied.sha256 = sha.Finish();
  OSCOPE_RETURN_IF_ERROR(target->Sync());
  OSCOPE_RETURN_IF_ERROR(target->Close());
  return copied;
}

Status CopyTable(const StoreFiles& from, const SegmentEntry& segment, const TableFile& table, const StoreFiles& to) {
  OSCOPE_ASSIGN_OR_RETURN(CopiedFile copied, CopyDurably(to.fs(), from.TablePath(segment.id, table.table),
                                                         to.TablePath(segment.id, table.table)));
  // A quarantined segment may have lost its files; the copy then says the same of it.
  if (!segment.quarantined.empty()) return {};
  const std::string name = from.TableFileName(segment.id, table.table);
  if (!copied.read.ok() && copied.read.error().code == ErrorCode::kNotFound)
    return Corrupt("missing segment {}: {} is not there", segment.id, name);
  if (!copied.read.ok()) return std::move(copied.read).error().Within(name);
  // A copy of what is damaged would one day take the place of one that is not.
  if (copied.size != table.size || copied.sha256 != table.sha256)
    return Corrupt("{}: it is not what the manifest says", name);
  return {};
}

Status CopyIndex(const StoreFiles& from, const SegmentEntry& segment, const StoreFiles& to) {
  OSCOPE_ASSIGN_OR_RETURN(CopiedFile copied,
                          CopyDurably(to.fs(), from.IndexPath(segment.id), to.IndexPath(segment.id)));
  // It is made anew where it is missing.
  const bool may_be_missing =
      !segment.quarantined.empty() || (!copied.read.ok() && copied.read.error().code == ErrorCode::kNotFound);
  return may_be_missing ? Status() : std::move(copied.read);
}

Status CopyVersion(StoreState& store, const Manifest& manifest, const StoreFiles& to) {
  const StoreFiles& from = store.files;
  FileSystem& fs = to.fs();
  for (const char* directory : kStoreDirectories) OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(to.Directory(directory)));
  for (const GroupEntry& group : manifest.groups) {
    OSCOPE_ASSIGN_OR_RETURN(const CopiedFile copied,
                            CopyDurably(fs, from.GroupFile(group.file), to.GroupFile(group.file)));
    OSCOPE_RETURN_IF_ERROR(copied.read);
  }
  for (const SegmentEntry& segment : manifest.segments) {
    for (const TableFile& table : segment.tables) OSCOPE_RETURN_IF_ERROR(CopyTable(from, segment, table, to));
    OSCOPE_RETURN_IF_ERROR(CopyIndex(from, segment, to));
    OSCOPE_RETURN_IF_ERROR(store.Step());
  }
  OSCOPE_ASSIGN_OR_RETURN(const CopiedFile copied,
                          CopyDurably(fs, from.ManifestFile(manifest.version), to.ManifestFile(manifest.version)));
  OSCOPE_RETURN_IF_ERROR(copied.read);
  // The manifest and its groups carry their own digests.
  OSCOPE_RETURN_IF_ERROR(LoadManifest(to, manifest.version));
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

constexpr std::string_view kPartial = ".partial-";
constexpr size_t kPartialDigits = 8;

// A copy that has yet to get its name. Whoever makes it holds the lock of a store's writers in it, which the system
// drops with the process, however that ends.
struct PartialCopy {
  StoreFiles files;
  std::unique_ptr<FileLock> lock;
};

// Another backup to the same target that comes between the making of the lock file and our lock removes it again. Then
// the copy fails, as one of two backups to one target does anyway.
Result<PartialCopy> BeginCopy(FileSystem& fs, const std::string& target) {
  const StoreFiles files(fs, fmt::format("{}{}{}", target, kPartial, NewId().substr(0, kPartialDigits)));
  OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(files.root()));
  if (Status made = fs.MakeDirectory(files.Directory("locks")); !made.ok()) {
    RemoveTree(fs, files.root());
    return std::move(made).error();
  }
  auto lock = fs.Lock(files.WriterLock(), LockMode::kExclusive, 0);
  if (!lock.ok()) {
    RemoveTree(fs, files.root());
    return std::move(lock).error();
  }
  return PartialCopy{files, *std::move(lock)};
}

bool IsPartialOf(std::string_view target, std::string_view name) {
  if (name.size() != target.size() + kPartial.size() + kPartialDigits || !name.starts_with(target)) return false;
  name.remove_prefix(target.size());
  return name.starts_with(kPartial) &&
         name.find_first_not_of("0123456789abcdef", kPartial.size()) == std::string_view::npos;
}

// Removes what killed backups to `target` have left beside it. A copy that has no lock file is let alone: it has only
// just begun, or is not ours.
void RemoveAbandonedCopies(FileSystem& fs, const std::string& target) {
  const std::string parent = DirName(target), base = BaseName(target);
  const auto names = fs.List(parent);
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    if (!IsPartialOf(base, name)) continue;
    const StoreFiles copy(fs, JoinPath(parent, name));
    if (fs.IsLink(copy.root()) || !RefuseLinks(copy).ok() || !fs.Exists(copy.WriterLock())) continue;
    const auto lock = fs.Lock(copy.WriterLock(), LockMode::kExclusive, 0);
    if (lock.ok()) RemoveTree(fs, copy.root());
  }
}

// How a field of a bug that two stores have is combined: theirs where ours says nothing, the items of both lists.
template <typename Value>
void CombineValue(Value& ours, const Value& theirs) {
  if (HoldsDefault(ours)) ours = theirs;
}
void CombineValue(BugStatus& ours, BugStatus theirs) {
  if (!IsResolved(ours) && IsResolved(theirs)) ours = theirs;
}
template <typename Item>
void CombineValue(std::vector<Item>& ours, const std::vector<Item>& theirs) {
  for (const Item& item : theirs) {
    if (std::find(ours.begin(), ours.end(), item) == ours.end()) ours.push_back(item);
  }
}
void CombineValue(std::map<std::string, std::string>& ours, const std::map<std::string, std::string>& theirs) {
  ours.insert(theirs.begin(), theirs.end());
}

Bug Combine(const Bug& ours, const Bug& theirs) {
  Bug bug = ours;
  for (const BugField& field : kBugFields) {
    // The fields of a fix stay together.
    if (field.group == std::string_view("fix")) continue;
    std::visit([&](const auto& member) { CombineValue(member.change(bug), member.read(theirs)); }, field.member);
  }
  if (bug.fix.empty()) bug.fix = theirs.fix;
  return bug;
}

}  // namespace

Result<uint64_t> Store::Backup(const std::string& target) const {
  FileSystem& fs = state_->files.fs();
  if (fs.Exists(target)) return Conflict("{} exists already: a backup needs a new directory", target);
  OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
  // There may be files of it that this release does not know.
  if (newest->manifest.format > kStoreFormat) {
    return Unsupported("store {}: its format {} is newer than this release, which cannot copy it whole", path(),
                       newest->manifest.format);
  }
  RemoveAbandonedCopies(fs, target);
  OSCOPE_ASSIGN_OR_RETURN(const PartialCopy begun, BeginCopy(fs, target));
  const StoreFiles& partial = begun.files;
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
  // A bug that both have is combined when it is committed, with what ours is by then.
  OSCOPE_ASSIGN_OR_RETURN(const auto batches,
                          BatchingSink::Open(*this, kMergeBatchRuns, kMergeBatchEvents,
                                             {.combine = Combine, .why = "merged from another store"}));
  OSCOPE_RETURN_IF_ERROR(theirs.Send([](const StoredRun&) { return true; }, *batches));
  MergeResult result;
  OSCOPE_ASSIGN_OR_RETURN(result.added, batches->Finish());
  result.combined = result.added.bugs_combined;
  result.bugs_combined = result.combined.size();
  return result;
}

}  // namespace oscope
