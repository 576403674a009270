// Names of files, and reading manifests with their groups. Every digest is checked here, so that a Manifest in memory
// is always whole. Versions are written with twenty digits, so that a listing in byte order is in order of versions.
#include "index/store/store_files.h"

#include <algorithm>
#include <charconv>

namespace oscope {

namespace {
constexpr uint64_t kMaxManifestBytes = 256 << 20;
constexpr std::string_view kManifestSuffix = ".json";
constexpr size_t kVersionDigits = 20;
}  // namespace

std::string StoreFiles::ManifestFile(uint64_t version) const {
  return fmt::format("{}/manifests/{:020}{}", root_, version, kManifestSuffix);
}
std::string StoreFiles::GroupFile(const std::string& id) const { return fmt::format("{}/groups/{}.json", root_, id); }
std::string StoreFiles::TableFileName(const std::string& segment, Table table) const {
  return fmt::format("segments/{}.{}.parquet", segment, TableName(table));
}
std::string StoreFiles::TablePath(const std::string& segment, Table table) const {
  return JoinPath(root_, TableFileName(segment, table));
}
std::string StoreFiles::IndexPath(const std::string& segment) const {
  return fmt::format("{}/index/{}.osix", root_, segment);
}
std::string StoreFiles::PinFile(uint64_t version) const { return fmt::format("{}/pins/{:020}", root_, version); }
std::string StoreFiles::TemporaryPath() const { return fmt::format("{}/tmp/{}", root_, NewId()); }

Result<std::unique_ptr<FileLock>> StoreFiles::LockAsWriter() const {
  auto lock = fs_->Lock(WriterLock(), LockMode::kShared, kLockWaitMs, cancel_);
  if (!lock.ok()) return std::move(lock).error().Within("waiting for the store's writers' lock");
  return lock;
}

Status RefuseLinks(const StoreFiles& files) {
  for (const char* directory : kStoreDirectories) {
    if (!files.fs().IsLink(files.Directory(directory))) continue;
    return Error{ErrorCode::kIo,
                 fmt::format("store {}: {} is a link, and nothing outside of a store is opened; put the "
                             "directory itself there, or link the whole store",
                             files.root(), directory)};
  }
  return {};
}

std::string NewId() { return ToHex(RandomHash128()); }

std::optional<uint64_t> ParseManifestName(std::string_view name) {
  if (name.size() != kVersionDigits + kManifestSuffix.size() || !name.ends_with(kManifestSuffix)) return std::nullopt;
  uint64_t version = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + kVersionDigits, version);
  if (error != std::errc() || end != name.data() + kVersionDigits) return std::nullopt;
  return version;
}

Result<std::vector<uint64_t>> ListManifests(const StoreFiles& files) {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.fs().List(files.Directory("manifests")));
  std::vector<uint64_t> versions;
  for (const std::string& name : names) {
    if (const auto version = ParseManifestName(name)) versions.push_back(*version);
  }
  std::sort(versions.begin(), versions.end());
  return versions;
}

namespace {
Status LoadGroups(const StoreFiles& files, Manifest& manifest) {
  std::vector<SegmentEntry> newest = std::move(manifest.segments);
  manifest.segments.clear();
  for (const GroupEntry& group : manifest.groups) {
    const std::string name = fmt::format("groups/{}.json", group.file);
    auto text = ReadWholeFile(files.fs(), files.GroupFile(group.file), kMaxManifestBytes);
    if (!text.ok() && text.error().code == ErrorCode::kNotFound) return Corrupt("missing file {}", name);
    if (!text.ok()) return std::move(text).error().Within(name);
    if (text->size() != group.size || Sha256Of(*text) != group.sha256)
      return Corrupt("{}: its digest does not match", name);
    auto segments = DecodeGroup(*text);
    if (!segments.ok()) return std::move(segments).error().Within(name);
    manifest.group_sizes.push_back(static_cast<uint32_t>(segments->size()));
    std::move(segments->begin(), segments->end(), std::back_inserter(manifest.segments));
  }
  std::move(newest.begin(), newest.end(), std::back_inserter(manifest.segments));
  return {};
}
}  // namespace

Result<Manifest> LoadManifest(const StoreFiles& files, uint64_t version) {
  const std::string what = fmt::format("manifest {} of store {}", version, files.root());
  auto text = ReadWholeFile(files.fs(), files.ManifestFile(version), kMaxManifestBytes);
  if (!text.ok()) return std::move(text).error().Within(what);
  auto manifest = DecodeManifestRoot(*text);
  if (!manifest.ok()) return std::move(manifest).error().Within(what);
  if (manifest->version != version) return Corrupt("{}: it says it is version {}", what, manifest->version);
  if (Status groups = LoadGroups(files, *manifest); !groups.ok()) return std::move(groups).error().Within(what);
  return std::move(manifest).value();
}

}  // namespace oscope
