// The names of a store's files, and the files themselves through the file-operation seam; for one asker, whose wish to
// stop is known here.
#pragma once

#include <string>
#include <utility>

#include "base/cancel.h"
#include "base/file_system.h"
#include "index/store/manifest.h"

namespace oscope {

class StoreFiles {
 public:
  StoreFiles(FileSystem& fs, std::string root, CancelToken cancel = {})
      : fs_(&fs), root_(std::move(root)), cancel_(std::move(cancel)) {}

  FileSystem& fs() const { return *fs_; }
  const std::string& root() const { return root_; }
  const CancelToken& cancel() const { return cancel_; }

  std::string Directory(std::string_view name) const { return JoinPath(root_, name); }
  std::string ManifestFile(uint64_t version) const;
  std::string GroupFile(const std::string& id) const;
  std::string TableFileName(const std::string& segment, Table table) const;  // relative to the root: for messages
  std::string TablePath(const std::string& segment, Table table) const;
  std::string IndexPath(const std::string& segment) const;
  std::string PinFile(uint64_t version) const;
  // Writers share this lock while they have files that no manifest names yet; a collection of orphans takes it
  // exclusively.
  Result<std::unique_ptr<FileLock>> LockAsWriter() const;
  std::string WriterLock() const { return JoinPath(root_, "locks/writers"); }
  // A new random name under tmp/.
  std::string TemporaryPath() const;

 private:
  FileSystem* fs_;
  std::string root_;
  CancelToken cancel_;
};

inline constexpr int kLockWaitMs = 30'000;
inline constexpr const char* kStoreDirectories[] = {"manifests", "groups", "segments", "index", "tmp", "locks", "pins"};

// kIo when one of a store's directories is a link. A linked file is refused when it is opened; a linked directory would
// be followed without a word, and what is written or removed there would be somebody else's. The store itself may be
// reached by a link.
Status RefuseLinks(const StoreFiles& files);

// A manifest file's version, or nothing when the name is not one.
std::optional<uint64_t> ParseManifestName(std::string_view name);
// The versions there are, ascending.
Result<std::vector<uint64_t>> ListManifests(const StoreFiles& files);
// One version, whole: the root and its groups, every digest checked. The message names the file.
Result<Manifest> LoadManifest(const StoreFiles& files, uint64_t version);

std::string NewId();  // 32 hexadecimal digits

}  // namespace oscope
