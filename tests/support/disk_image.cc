#include "tests/support/disk_image.h"

#include <cerrno>
#include <random>

namespace oscope {
namespace {

constexpr DiskImage::InodeId kRoot{0};

Error ImageError(int error_number, std::string_view doing, std::string_view path) {
  Error error = IoError(error_number, doing, path);
  if (error_number == EEXIST) error.code = ErrorCode::kConflict;
  if (error_number == ENOENT) error.code = ErrorCode::kNotFound;
  return error;
}

std::vector<std::string> Steps(const std::string& path) {
  std::vector<std::string> steps;
  for (size_t start = 0; start < path.size();) {
    const size_t end = std::min(path.find('/', start), path.size());
    std::string step = path.substr(start, end - start);
    if (!step.empty() && step != ".") steps.push_back(std::move(step));
    start = end + 1;
  }
  return steps;
}

using Kind = CrashPolicy::Kind;

std::string SurvivingBytes(const std::string& bytes, size_t durable, Kind fate, std::mt19937_64& random) {
  if (fate == Kind::kRandom) {
    constexpr Kind kFates[] = {Kind::kDropUnsynced, Kind::kKeepEverything, Kind::kTearData, Kind::kZeroData};
    fate = kFates[random() % std::size(kFates)];
    if (fate == Kind::kTearData) return bytes.substr(0, durable + random() % (bytes.size() - durable + 1));
  }
  switch (fate) {
    case Kind::kKeepEverything: return bytes;
    case Kind::kTearData: return bytes.substr(0, durable + (bytes.size() - durable + 1) / 2);
    case Kind::kZeroData: return bytes.substr(0, durable) + std::string(bytes.size() - durable, '\0');
    default: return bytes.substr(0, durable);
  }
}

bool ChangeSurvives(Kind kind, std::mt19937_64& random) {
  if (kind == Kind::kRandom) return random() % 2 == 0;
  return kind != Kind::kDropUnsynced;
}

}  // namespace

std::string ToString(CrashPolicy policy) {
  switch (policy.kind) {
    case Kind::kDropUnsynced: return "drop unsynced";
    case Kind::kKeepEverything: return "keep everything";
    case Kind::kLoseData: return "lose data";
    case Kind::kTearData: return "tear data";
    case Kind::kZeroData: return "zero data";
    case Kind::kRandom: return fmt::format("random {}", policy.seed);
  }
  return "unknown";
}

std::vector<CrashPolicy> EveryCrashPolicy(int random_seeds) {
  std::vector<CrashPolicy> policies = {
      {Kind::kDropUnsynced}, {Kind::kKeepEverything}, {Kind::kLoseData}, {Kind::kTearData}, {Kind::kZeroData}};
  for (int seed = 1; seed <= random_seeds; ++seed) {
    policies.push_back({Kind::kRandom, static_cast<uint64_t>(seed)});
  }
  return policies;
}

DiskImage::DiskImage() { inodes_[kRoot].is_directory = true; }

Result<DiskImage::Place> DiskImage::Resolve(std::string_view doing, const std::string& path) const {
  Place place{kRoot, "", kRoot};
  for (std::string& step : Steps(path)) {
    if (step == "..") return ImageError(EINVAL, doing, path);
    if (!place.inode) return ImageError(ENOENT, doing, path);
    if (!at(*place.inode).is_directory) return ImageError(ENOTDIR, doing, path);
    place.directory = *place.inode;
    const Entries& entries = at(place.directory).entries;
    const auto found = entries.find(step);
    place.inode = found == entries.end() ? std::nullopt : std::optional(found->second);
    place.name = std::move(step);
  }
  return place;
}

Result<DiskImage::Place> DiskImage::ResolvePresent(std::string_view doing, const std::string& path) const {
  OSCOPE_ASSIGN_OR_RETURN(Place place, Resolve(doing, path));
  if (!place.inode) return ImageError(ENOENT, doing, path);
  return place;
}

DiskImage::InodeId DiskImage::AddInode(bool is_directory) {
  const InodeId id{next_inode_++};
  inodes_[id].is_directory = is_directory;
  return id;
}

void DiskImage::Apply(const Edit& edit, Entries& entries) {
  if (edit.begins) {
    entries[edit.name] = edit.inode;
    return;
  }
  const auto found = entries.find(edit.name);
  if (found != entries.end() && found->second == edit.inode) entries.erase(found);
}

void DiskImage::Commit(Change change) {
  for (const Edit& edit : change.edits) Apply(edit, at(edit.directory).entries);
  pending_.push_back(std::move(change));
}

Result<DiskImage::InodeId> DiskImage::CreateFile(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(Place place, Resolve("create", path));
  if (place.inode) return ImageError(EEXIST, "create", path);
  const InodeId file = AddInode(/*is_directory=*/false);
  Commit({place.directory, {{place.directory, place.name, file, true}}});
  return file;
}

Result<DiskImage::InodeId> DiskImage::FindFile(const std::string& path) const {
  OSCOPE_ASSIGN_OR_RETURN(Place place, ResolvePresent("open", path));
  if (at(*place.inode).is_directory) return ImageError(EISDIR, "open", path);
  return *place.inode;
}

void DiskImage::Append(InodeId file, std::string_view bytes) {
  std::string longer = *at(file).bytes;
  longer += bytes;
  at(file).bytes = std::make_shared<const std::string>(std::move(longer));
}

void DiskImage::SyncFile(InodeId file) {
  Inode& inode = at(file);
  if (!inode.sync_failed) inode.durable_bytes = inode.bytes->size();
}

void DiskImage::FailSyncFile(InodeId file) { at(file).sync_failed = true; }

std::shared_ptr<const std::string> DiskImage::bytes(InodeId file) const { return at(file).bytes; }

Status DiskImage::Rename(const std::string& from, const std::string& to) {
  const std::string what = from + " to " + to;
  OSCOPE_ASSIGN_OR_RETURN(Place source, ResolvePresent("rename", from));
  OSCOPE_ASSIGN_OR_RETURN(Place target, Resolve("rename", to));
  const std::vector<std::string> outer = Steps(from);
  const std::vector<std::string> inner = Steps(to);
  if (inner.size() > outer.size() && std::equal(outer.begin(), outer.end(), inner.begin())) {
    return ImageError(EINVAL, "rename", what);
  }
  if (source.inode == target.inode) return {};  // two names of one file: POSIX leaves both
  if (target.inode) {
    const Inode& replaced = at(*target.inode);
    if (replaced.is_directory != at(*source.inode).is_directory) {
      return ImageError(replaced.is_directory ? EISDIR : ENOTDIR, "rename", what);
    }
    if (!replaced.entries.empty()) return ImageError(ENOTEMPTY, "rename", what);
  }
  Commit(
      {target.directory,
       {{source.directory, source.name, *source.inode, false}, {target.directory, target.name, *source.inode, true}}});
  return {};
}

Status DiskImage::Link(const std::string& from, const std::string& to) {
  OSCOPE_ASSIGN_OR_RETURN(Place source, ResolvePresent("link", from));
  if (at(*source.inode).is_directory) return ImageError(EPERM, "link", from + " to " + to);
  OSCOPE_ASSIGN_OR_RETURN(Place target, Resolve("link", to));
  if (target.inode) return ImageError(EEXIST, "link", from + " to " + to);
  Commit({target.directory, {{target.directory, target.name, *source.inode, true}}});
  return {};
}

Status DiskImage::Remove(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(Place place, ResolvePresent("remove", path));
  if (at(*place.inode).is_directory) return ImageError(EISDIR, "remove", path);
  Commit({place.directory, {{place.directory, place.name, *place.inode, false}}});
  return {};
}

Status DiskImage::MakeDirectory(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(Place place, Resolve("make directory", path));
  if (place.inode) {
    if (at(*place.inode).is_directory) return {};
    return ImageError(EEXIST, "make directory", path);
  }
  const InodeId directory = AddInode(/*is_directory=*/true);
  Commit({place.directory, {{place.directory, place.name, directory, true}}});
  return {};
}

Status DiskImage::RemoveDirectory(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(Place place, ResolvePresent("remove directory", path));
  if (!at(*place.inode).is_directory) return ImageError(ENOTDIR, "remove directory", path);
  if (*place.inode == kRoot) return ImageError(EBUSY, "remove directory", path);
  if (!at(*place.inode).entries.empty()) return ImageError(ENOTEMPTY, "remove directory", path);
  Commit({place.directory, {{place.directory, place.name, *place.inode, false}}});
  return {};
}

Status DiskImage::SyncDirectory(const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(Place place, ResolvePresent("sync directory", path));
  if (!at(*place.inode).is_directory) return ImageError(ENOTDIR, "sync directory", path);
  std::vector<Change> still_pending;
  for (Change& change : pending_) {
    if (change.made_durable_by != *place.inode) {
      still_pending.push_back(std::move(change));
      continue;
    }
    for (const Edit& edit : change.edits) Apply(edit, at(edit.directory).durable_entries);
  }
  pending_ = std::move(still_pending);
  return {};
}

Result<std::vector<std::string>> DiskImage::List(const std::string& path) const {
  OSCOPE_ASSIGN_OR_RETURN(Place place, ResolvePresent("list", path));
  if (!at(*place.inode).is_directory) return ImageError(ENOTDIR, "list", path);
  std::vector<std::string> names;
  for (const auto& [name, inode] : at(*place.inode).entries) names.push_back(name);
  return names;
}

bool DiskImage::Exists(const std::string& path) const {
  const auto place = Resolve("look for", path);
  return place.ok() && place->inode.has_value();
}

std::map<std::string, std::shared_ptr<const std::string>> DiskImage::FilesBeneath(const std::string& directory) const {
  std::map<std::string, std::shared_ptr<const std::string>> files;
  const auto place = Resolve("look for", directory);
  if (!place.ok() || !place->inode) return files;
  for (const auto& [name, id] : at(*place->inode).entries) {
    const std::string path = directory == "/" ? name : directory + "/" + name;
    if (at(id).is_directory) {
      files.merge(FilesBeneath(path));
    } else {
      files.emplace(path, at(id).bytes);
    }
  }
  return files;
}

DiskImage DiskImage::AfterPowerLoss(CrashPolicy policy) const {
  std::mt19937_64 random(policy.seed);
  DiskImage after = *this;
  after.pending_.clear();
  for (const Change& change : pending_) {
    if (!ChangeSurvives(policy.kind, random)) continue;
    for (const Edit& edit : change.edits) Apply(edit, after.at(edit.directory).durable_entries);
  }
  for (auto& [id, inode] : after.inodes_) {
    const Kind fate = inode.sync_failed ? Kind::kDropUnsynced : policy.kind;
    if (inode.bytes->size() != inode.durable_bytes) {
      inode.bytes =
          std::make_shared<const std::string>(SurvivingBytes(*inode.bytes, inode.durable_bytes, fate, random));
    }
    inode.durable_bytes = inode.bytes->size();
    inode.sync_failed = false;
    inode.entries = inode.durable_entries;
  }
  return after;
}

}  // namespace oscope
