// The interface to the disk: the few file operations that a durable commit needs.
//
// PosixFileSystem() is the real one. Tests use a file system that fails or crashes at any operation and forgets what
// was not synced (tests/support/crash_file_system.h); therefore everything that stores data must use this interface.
//
// Durability: bytes are safe after Sync() of their file, and a name after SyncDirectory() of its directory, as in
// POSIX.
// Errors:     kIo with the system's reason, unless a function says otherwise; the message names the path.
// Paths are absolute or relative to the process; "/" separates.
// Threads: a FileSystem may be used from any thread; a file handle from one at a time, except ReadAt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace oscope {

class WritableFile {
 public:
  virtual ~WritableFile() = default;                  // closes; what was not synced may be lost
  virtual Status Append(std::string_view bytes) = 0;  // all of it, or an error
  virtual Status Sync() = 0;                          // after a failed Sync the file is not to be trusted
  virtual Status Close() = 0;
};

class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual uint64_t size() const = 0;
  // Exactly `length` bytes from `offset` into `out`; kIo when they are not there. May be called from any thread.
  virtual Status ReadAt(uint64_t offset, uint64_t length, char* out) const = 0;
  // The whole file as memory when the system can map it, else empty. Lives as long as this object.
  virtual std::string_view mapped() const { return {}; }
};

enum class LockMode { kShared, kExclusive };

// Held until it is destroyed; the system drops it when the process dies, however it dies.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Creates a file that must not exist yet (kConflict when it does), mode 0600.
  virtual Result<std::unique_ptr<WritableFile>> Create(const std::string& path) = 0;
  virtual Result<std::unique_ptr<ReadableFile>> Open(const std::string& path) = 0;  // kNotFound when it is not there

  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  // A second name for a file; kConflict, and nothing changed, when `to` exists: the step that publishes.
  virtual Status Link(const std::string& from, const std::string& to) = 0;
  virtual Status Remove(const std::string& path) = 0;  // kNotFound when it is not there

  virtual Status MakeDirectory(const std::string& path) = 0;    // one level, mode 0700; fine when it is there already
  virtual Status RemoveDirectory(const std::string& path) = 0;  // must be empty
  virtual Status SyncDirectory(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> List(const std::string& path) = 0;  // names, sorted, without . and ..
  virtual bool Exists(const std::string& path) = 0;
  // Whether the name itself is a symbolic link. A file system that knows none has none.
  virtual bool IsLink(const std::string&) { return false; }

  // An advisory lock on a file that is created when missing. Waits for up to `wait_ms`, then kBusy; a wait ends with
  // kCancelled when `cancel` says so. What is free is given without a question, so that an interrupted recording can
  // still be stored. kIo when the file can be neither opened nor created (a read-only store).
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path, LockMode mode, int wait_ms,
                                         const CancelToken& cancel = {}) {
    return LockFile(path, mode, wait_ms, cancel);
  }

 private:
  virtual Result<std::unique_ptr<FileLock>> LockFile(const std::string& path, LockMode mode, int wait_ms,
                                                     const CancelToken& cancel) = 0;
};

// The process's own file system. Never destroyed.
FileSystem& PosixFileSystem();

// The whole of a small file; kLimit when it is larger than `max_bytes`.
Result<std::string> ReadWholeFile(FileSystem& fs, const std::string& path, uint64_t max_bytes);

// Creates, writes, syncs and closes a file.
Status WriteDurably(FileSystem& fs, const std::string& path, std::string_view bytes);

std::string JoinPath(std::string_view directory, std::string_view name);
std::string BaseName(std::string_view path);
std::string DirName(std::string_view path);

}  // namespace oscope
