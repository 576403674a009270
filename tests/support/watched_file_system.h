// A file system before another one, which tells of every operation just before it happens, reads included, and
// remembers what came into being through it. The other processes of a test use the file system beneath: of their
// operations nothing is told here.
//
// Operations are counted from 1. A mapped file is read without an operation.
// Threads: as the file system beneath; whoever is told is called from the thread of the operation.
// Lifetime: what is beneath must live longer, and files and locks must go before this.
// Example: another process commits just before the fifth operation of a compaction.
//   WatchedFileSystem fs(beneath);
//   Store store = Must(Store::Open(fs, "s"));
//   fs.BeforeEach([&](const FileOperation& operation) -> Status {
//     if (operation.number == 5) Must(CommitRuns(other, {{1, "", "abc"}}));
//     return {};
//   });
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "base/file_system.h"

namespace oscope {

struct FileOperation {
  enum class Kind {
    kCreate,
    kAppend,
    kSync,
    kClose,
    kOpen,
    kRead,
    kRename,
    kLink,
    kRemove,
    kMakeDirectory,
    kRemoveDirectory,
    kSyncDirectory,
    kList,
    kExists,
    kLock
  };
  Kind kind;
  std::string path;  // of a rename and a link: what is there already
  std::string to;    // of a rename and a link: the new name
  uint64_t number = 0;
};
// "link s/tmp/ab -> s/manifests/02.json"
std::string ToString(const FileOperation& operation);

class WatchedFileSystem : public FileSystem {
 public:
  explicit WatchedFileSystem(FileSystem& beneath) : beneath_(beneath) {}

  // Called just before every operation. When it returns an error, the operation does not happen and fails with it (of
  // Exists: is ignored).
  void BeforeEach(std::function<Status(const FileOperation&)> told) { told_ = std::move(told); }

  uint64_t operations() const;
  std::string log() const;  // one line an operation
  // Files and directories that got their names through this file system and have not lost them through it.
  std::set<std::string> made() const;

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path) override;
  Result<std::unique_ptr<ReadableFile>> Open(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Link(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& path) override;
  Status MakeDirectory(const std::string& path) override;
  Status RemoveDirectory(const std::string& path) override;
  Status SyncDirectory(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  bool Exists(const std::string& path) override;
  bool IsLink(const std::string& path) override;

 private:
  Result<std::unique_ptr<FileLock>> LockFile(const std::string& path, LockMode mode, int wait_ms,
                                             const CancelToken& cancel) override;
  class Writable;
  class Readable;

  Status Tell(FileOperation::Kind kind, const std::string& path, const std::string& to = {});
  void Made(const std::string& path);
  void Gone(const std::string& path);

  FileSystem& beneath_;
  std::function<Status(const FileOperation&)> told_;
  mutable std::mutex mutex_;
  uint64_t operations_ = 0;
  std::string log_;
  std::set<std::string> made_;
};

}  // namespace oscope
