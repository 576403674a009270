// Collection: old manifests that nobody reads are removed, and then the files that no manifest names.
//
// The danger is a file that is in use: to a reader of an older version, or to a writer that has not
// published yet. Readers hold a shared lock on the pin file of their version, so PruneManifests reports which versions
// are pinned and their files are kept. Writers hold a shared lock on the store, so files are only removed while this
// process has that lock alone; if it cannot get the lock at once, it prunes manifests and leaves the files for another
// time. If a pinned manifest cannot be read, no file is removed: that version may need any of them.
#include <set>

#include "index/store/store.h"
#include "index/store/store_state.h"

namespace oscope {

namespace {

// Paths, relative to the root, that a version needs.
void AddNeeded(const StoreFiles& files, const Manifest& manifest, std::set<std::string>& needed) {
  for (const GroupEntry& group : manifest.groups) needed.insert(fmt::format("groups/{}.json", group.file));
  for (const SegmentEntry& segment : manifest.segments) {
    for (const TableFile& table : segment.tables) needed.insert(files.TableFileName(segment.id, table.table));
    needed.insert(fmt::format("index/{}.osix", segment.id));
  }
}

uint64_t SizeOf(FileSystem& fs, const std::string& path) {
  const auto file = fs.Open(path);
  return file.ok() ? (*file)->size() : 0;
}

}  // namespace

Result<CollectResult> Store::Collect() {
  StoreState& store = *state_;
  const StoreFiles& files = store.files;
  if (store.read_only) return Error{ErrorCode::kIo, fmt::format("store {} is open for reading only", files.root())};
  CollectResult result;
  auto alone = files.fs().Lock(files.WriterLock(), LockMode::kExclusive, 0);
  if (!alone.ok() && alone.error().code != ErrorCode::kBusy) return std::move(alone).error();
  result.writers_active = !alone.ok();

  OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> versions, ListManifests(files));
  if (versions.empty()) return Corrupt("store {}: no manifest is left", files.root());
  // Without the newest version it is not known which files are orphans.
  OSCOPE_ASSIGN_OR_RETURN(const Manifest newest, LoadManifest(files, versions.back()));
  const Pruned pruned = PruneManifests(store, newest.version, 0);
  result.manifests_removed = pruned.manifests;
  if (result.writers_active) return result;

  std::set<std::string> needed, needed_by_readers;
  AddNeeded(files, newest, needed);
  for (const Manifest& manifest : pruned.pinned) AddNeeded(files, manifest, needed_by_readers);
  // A pinned version whose manifest cannot be read might name anything.
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> left, ListManifests(files));
  if (left.size() > pruned.pinned.size() + pruned.names_kept + 1) return result;

  for (const char* directory : {"segments", "index", "groups", "tmp"}) {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.fs().List(files.Directory(directory)));
    for (const std::string& name : names) {
      const std::string relative = JoinPath(directory, name);
      if (needed.contains(relative)) continue;
      if (needed_by_readers.contains(relative)) {
        ++result.files_pinned;
        continue;
      }
      const std::string path = files.Directory(relative);
      const uint64_t size = SizeOf(files.fs(), path);
      // Another process may collect at the same time and have been faster.
      const Status removed = files.fs().Remove(path);
      if (!removed.ok() && removed.error().code == ErrorCode::kNotFound) continue;
      OSCOPE_RETURN_IF_ERROR(removed);
      ++result.files_removed;
      result.bytes_freed += size;
    }
  }
  return result;
}

}  // namespace oscope
