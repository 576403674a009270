// Making and opening a store. A directory is a store as soon as it has a manifest, so everything else is created and
// synced first and the first manifest is published by link(2): of two processes that create the same store, one
// succeeds and the other gets an error.
//
// Opening reads the newest manifest. With `salvage` a damaged one is passed over for the newest version that can be
// read; the store is then read-only, since a commit on top of it would silently drop what the damaged version had.
#include "index/store/store.h"

#include <algorithm>

#include "base/log.h"
#include "index/store/ingest.h"
#include "index/store/store_state.h"

namespace oscope {

Store::Store(std::shared_ptr<StoreState> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Store Store::Share() const { return Store(state_); }
Store Store::Share(CancelToken cancel) const { return Store(std::make_shared<StoreState>(*state_, std::move(cancel))); }
const CancelToken& Store::cancel() const { return state_->files.cancel(); }

const std::string& Store::path() const { return state_->files.root(); }
const std::vector<std::string>& Store::warnings() const { return state_->warnings; }

bool Store::IsStore(FileSystem& fs, const std::string& path) { return fs.Exists(JoinPath(path, "manifests")); }

Result<Store> Store::Create(FileSystem& fs, const std::string& path, const CancelToken& cancel) {
  auto state = std::make_shared<StoreState>(fs, path, cancel);
  const StoreFiles& files = state->files;
  OSCOPE_RETURN_IF_ERROR(RefuseLinks(files));
  auto versions = ListManifests(files);
  if (versions.ok() && !versions->empty()) return Conflict("{} is a store already", path);
  // What cannot be listed may be a store, of which an empty first version must not become a part.
  if (!versions.ok() && versions.error().code != ErrorCode::kNotFound)
    return std::move(versions).error().Within(fmt::format("store {}", path));
  OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(path));
  for (const char* directory : kStoreDirectories) OSCOPE_RETURN_IF_ERROR(fs.MakeDirectory(files.Directory(directory)));
  if (Status ignored = WriteDurably(fs, files.Directory(".gitignore"), "*\n");
      !ignored.ok() && ignored.error().code != ErrorCode::kConflict) {
    return std::move(ignored).error();
  }
  // A store is what has a manifest, so everything else must be there first.
  OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(path));
  OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(DirName(path)));
  Manifest first;
  first.version = 1;
  first.store_id = NewId();
  first.ranges = {HashRange()};
  const std::string temporary = files.TemporaryPath();
  OSCOPE_RETURN_IF_ERROR(WriteDurably(fs, temporary, EncodeManifestRoot(first)));
  // If two processes create the same store at once, one succeeds and the other gets an error.
  Status linked = fs.Link(temporary, files.ManifestFile(1));
  (void)fs.Remove(temporary);
  if (!linked.ok() && linked.error().code == ErrorCode::kConflict) return Conflict("{} is a store already", path);
  OSCOPE_RETURN_IF_ERROR(std::move(linked));
  OSCOPE_RETURN_IF_ERROR(fs.SyncDirectory(files.Directory("manifests")));
  return Store(std::move(state));
}

namespace {

// The newest version below `damaged` whose manifest can be read.
Result<uint64_t> NewestValid(const StoreFiles& files, const std::vector<uint64_t>& versions) {
  for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
    if (LoadManifest(files, *version).ok()) return *version;
  }
  return Corrupt("store {}: no manifest can be read; restore a backup", files.root());
}

}  // namespace

Result<Store> Store::Open(FileSystem& fs, const std::string& path, const OpenOptions& options) {
  auto state = std::make_shared<StoreState>(fs, path, options.cancel);
  state->read_only = options.read_only;
  state->skip_damaged = options.skip_damaged;
  state->on_damaged = options.on_damaged;
  const StoreFiles& files = state->files;
  OSCOPE_RETURN_IF_ERROR(RefuseLinks(files));
  auto versions = ListManifests(files);
  if (!versions.ok()) {
    if (versions.error().code == ErrorCode::kNotFound)
      return NotFound("{} is not a store: 'oscope init' makes one", path);
    return std::move(versions).error().Within(fmt::format("store {}", path));
  }
  if (versions->empty()) return NotFound("{} is not a store: it has no manifest", path);
  auto newest = LoadManifest(files, versions->back());
  const bool vanished =
      !newest.ok() && !fs.Exists(files.ManifestFile(versions->back()));  // a writer moved on meanwhile
  if (!newest.ok() && !vanished) {
    if (newest.error().code == ErrorCode::kUnsupported) return std::move(newest).error();
    if (!options.salvage) {
      const bool damaged = newest.error().code == ErrorCode::kCorrupt;
      return std::move(newest).error().Within(
          fmt::format("the newest version {} ('--salvage' reads the newest that {})",
                      damaged ? "is damaged" : "cannot be read", damaged ? "is not" : "can"));
    }
    OSCOPE_ASSIGN_OR_RETURN(const uint64_t valid, NewestValid(files, *versions));
    state->read_only = true;
    state->fixed_version = valid;
    state->warnings.push_back(
        fmt::format("READ-ONLY: version {} is damaged ({}); this is version {}, and what came after it is missing",
                    versions->back(), newest.error().message, valid));
  }
  if (newest.ok() && newest->format > kStoreFormat) {
    state->read_only = true;
    state->warnings.push_back(
        fmt::format("READ-ONLY: the store has format {}, and this release writes format {}; what newer releases added "
                    "is not shown",
                    newest->format, kStoreFormat));
  }
  if (newest.ok()) {
    LogInfo("store {}: opened{}, version {}, {} segments", path, state->read_only ? " for reading" : "",
            newest->version, newest->segments.size());
  } else {
    LogWarning("store {}: opened for reading at version {}: {}", path, state->fixed_version.value_or(0),
               newest.error().message);
  }
  return Store(std::move(state));
}

void Store::OnProgress(std::function<void(uint64_t segments)> progress) { state_->progress = std::move(progress); }

namespace {

void TellQuarantined(StoreState& state, const Manifest& manifest) {
  for (const SegmentEntry& segment : manifest.segments) {
    if (!segment.quarantined.empty())
      state.TellDamaged(segment.id, fmt::format("segment {}: quarantined: {}", segment.id, segment.quarantined));
  }
}

}  // namespace

Result<Snapshot> Store::Read() const {
  OSCOPE_ASSIGN_OR_RETURN(auto newest, PinNewest(state_));
  newest->skip_damaged = state_->skip_damaged;
  state_->ForgetOthers(newest->manifest);
  TellQuarantined(*state_, newest->manifest);
  return Snapshot(std::move(newest));
}

// Forgets no index: those of the newest version are wanted again after this one.
Result<Snapshot> Store::ReadVersion(uint64_t version) const {
  OSCOPE_ASSIGN_OR_RETURN(auto pinned, PinVersion(state_, version));
  pinned->skip_damaged = state_->skip_damaged;
  TellQuarantined(*state_, pinned->manifest);
  return Snapshot(std::move(pinned));
}

Result<std::unique_ptr<Ingest>> Store::BeginIngest(const IngestOptions& options) {
  if (state_->read_only) return Error{ErrorCode::kIo, fmt::format("store {} is open for reading only", path())};
  OSCOPE_RETURN_IF_ERROR(CheckAuthor(options.by));
  return MakeIngest(state_, options);
}

}  // namespace oscope
