// The file operations of a durable store, on POSIX. Each function is one system call with its error translated, so that
// the crash tests, which put another file system behind the same interface, exercise everything above it.
//
// Three habits run through the file. Every open refuses a symbolic link at the last step (O_NOFOLLOW), since the names
// inside a store are ours and a link there was planted. Interrupted calls are repeated, except close, after which the
// descriptor is gone in any case and a second close could take another thread's. After a failed sync a file is not
// trusted again: the kernel reports a lost page only once.
//
// Locks are flock, not fcntl: they belong to the open file and not to the process, so that two stores in one process
// exclude each other too, and the system releases them however a process ends. flock cannot wait for a limited time;
// Lock therefore polls. Left out: locking over NFS is whatever the server makes of flock.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/descriptor.h"
#include "base/file_system.h"

namespace oscope {
namespace {

constexpr std::chrono::milliseconds kLockPoll{5};

Error FileError(int error_number, std::string_view doing, std::string_view path) {
  Error error = IoError(error_number, doing, path);
  if (error_number == EEXIST) error.code = ErrorCode::kConflict;
  if (error_number == ENOENT) error.code = ErrorCode::kNotFound;
  return error;
}

template <typename Call>
auto RetryInterrupted(Call call) {
  decltype(call()) answer;
  do {
    answer = call();
  } while (answer == -1 && errno == EINTR);
  return answer;
}

// A link in the last step is refused: the names inside a store are ours, and one that leads elsewhere was planted.
Result<Descriptor> OpenDescriptor(std::string_view doing, const std::string& path, int flags) {
  const int fd =
      RetryInterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0600); });
  if (fd < 0) return FileError(errno, doing, path);
  return Descriptor(fd);
}

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(Descriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Status Append(std::string_view bytes) override {
    OSCOPE_RETURN_IF_ERROR(Usable("write"));
    while (!bytes.empty()) {
      const ssize_t written = RetryInterrupted([&] { return ::write(fd_.get(), bytes.data(), bytes.size()); });
      if (written < 0) return FileError(errno, "write", path_);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
  }

  Status Sync() override {
    OSCOPE_RETURN_IF_ERROR(Usable("sync"));
    // The kernel reports a lost page once and then forgets it, so a later success would prove nothing.
    if (sync_failed_) return FileError(EIO, "sync", path_);
    if (RetryInterrupted([&] { return ::fdatasync(fd_.get()); }) != 0) {
      sync_failed_ = true;
      return FileError(errno, "sync", path_);
    }
    return {};
  }

  Status Close() override {
    OSCOPE_RETURN_IF_ERROR(Usable("close"));
    // On Linux the descriptor is gone even when close is interrupted; a retry could close someone else's.
    if (::close(fd_.Release()) != 0 && errno != EINTR) return FileError(errno, "close", path_);
    return {};
  }

 private:
  Status Usable(std::string_view doing) const {
    if (fd_.get() < 0) return FileError(EBADF, doing, path_);
    return {};
  }

  Descriptor fd_;
  std::string path_;
  bool sync_failed_ = false;
};

class PosixReadableFile final : public ReadableFile {
 public:
  PosixReadableFile(Descriptor fd, std::string path, uint64_t size)
      : fd_(std::move(fd)), path_(std::move(path)), size_(size) {
    if (size_ == 0) return;
    void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd_.get(), 0);
    if (memory != MAP_FAILED) memory_ = static_cast<char*>(memory);
  }
  PosixReadableFile(const PosixReadableFile&) = delete;
  PosixReadableFile& operator=(const PosixReadableFile&) = delete;
  ~PosixReadableFile() override {
    if (memory_ != nullptr) ::munmap(memory_, size_);
  }

  uint64_t size() const override { return size_; }

  std::string_view mapped() const override {
    return memory_ == nullptr ? std::string_view() : std::string_view(memory_, size_);
  }

  // Reads rather than copies from the map: a bad sector is then an error here, not a SIGBUS.
  Status ReadAt(uint64_t offset, uint64_t length, char* out) const override {
    if (offset > size_ || length > size_ - offset) {
      return Error{ErrorCode::kIo,
                   fmt::format("read {}: {} bytes at offset {} wanted, the file has {}", path_, length, offset, size_)};
    }
    while (length != 0) {
      const ssize_t count =
          RetryInterrupted([&] { return ::pread(fd_.get(), out, length, static_cast<off_t>(offset)); });
      if (count < 0) return FileError(errno, "read", path_);
      if (count == 0) {
        return Error{ErrorCode::kIo, fmt::format("read {}: ends at offset {}", path_, offset)};
      }
      out += count;
      offset += static_cast<uint64_t>(count);
      length -= static_cast<uint64_t>(count);
    }
    return {};
  }

 private:
  Descriptor fd_;
  std::string path_;
  uint64_t size_;
  char* memory_ = nullptr;
};

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;
};

class PosixFiles final : public FileSystem {
 public:
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    OSCOPE_ASSIGN_OR_RETURN(Descriptor fd, OpenDescriptor("create", path, O_WRONLY | O_CREAT | O_EXCL));
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(std::move(fd), path));
  }

  Result<std::unique_ptr<ReadableFile>> Open(const std::string& path) override {
    // Without O_NONBLOCK a named pipe put in a file's place would hang us.
    OSCOPE_ASSIGN_OR_RETURN(Descriptor fd, OpenDescriptor("open", path, O_RDONLY | O_NONBLOCK));
    struct stat facts{};
    if (::fstat(fd.get(), &facts) != 0) return FileError(errno, "open", path);
    if (!S_ISREG(facts.st_mode)) {
      return Error{ErrorCode::kIo, fmt::format("open {}: not a regular file", path)};
    }
    return std::unique_ptr<ReadableFile>(
        std::make_unique<PosixReadableFile>(std::move(fd), path, static_cast<uint64_t>(facts.st_size)));
  }

  Status Rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return FileError(errno, "rename", from + " to " + to);
    return {};
  }

  Status Link(const std::string& from, const std::string& to) override {
    if (::link(from.c_str(), to.c_str()) != 0) return FileError(errno, "link", from + " to " + to);
    return {};
  }

  Status Remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return FileError(errno, "remove", path);
    return {};
  }

  Status MakeDirectory(const std::string& path) override {
    if (::mkdir(path.c_str(), 0700) == 0) return {};
    const int reason = errno;
    struct stat facts{};
    if (reason == EEXIST && ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return {};
    return FileError(reason, "make directory", path);
  }

  Status RemoveDirectory(const std::string& path) override {
    if (::rmdir(path.c_str()) != 0) return FileError(errno, "remove directory", path);
    return {};
  }

  Status SyncDirectory(const std::string& path) override {
    const Descriptor fd(RetryInterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (fd.get() < 0) return FileError(errno, "sync directory", path);
    if (RetryInterrupted([&] { return ::fsync(fd.get()); }) != 0) {
      return FileError(errno, "sync directory", path);
    }
    return {};
  }

  Result<std::vector<std::string>> List(const std::string& path) override {
    const auto close = [](DIR* directory) { ::closedir(directory); };
    const std::unique_ptr<DIR, decltype(close)> directory(::opendir(path.c_str()), close);
    if (directory == nullptr) return FileError(errno, "list", path);
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(directory.get());
      if (entry == nullptr) break;
      std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(std::move(name));
    }
    if (errno != 0) return FileError(errno, "list", path);
    std::sort(names.begin(), names.end());
    return names;
  }

  bool Exists(const std::string& path) override {
    struct stat facts{};
    return ::lstat(path.c_str(), &facts) == 0;
  }

  bool IsLink(const std::string& path) override {
    struct stat facts{};
    return ::lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
  }

 private:
  Result<std::unique_ptr<FileLock>> LockFile(const std::string& path, LockMode mode, int wait_ms,
                                             const CancelToken& cancel) override {
    OSCOPE_ASSIGN_OR_RETURN(Descriptor fd, OpenLockFile(path));
    const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
    while (RetryInterrupted([&] { return ::flock(fd.get(), operation); }) != 0) {
      if (errno != EWOULDBLOCK) return FileError(errno, "lock", path);
      if (std::chrono::steady_clock::now() >= deadline) {
        return Busy("lock {}: held by another process (waited {} ms)", path, wait_ms);
      }
      OSCOPE_RETURN_IF_ERROR(cancel.Check());
      std::this_thread::sleep_for(kLockPoll);
    }
    return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(std::move(fd)));
  }

  // A reader of a store it may not write can still lock a file that is there: flock asks for no write access.
  static Result<Descriptor> OpenLockFile(const std::string& path) {
    constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
    const int writable = RetryInterrupted([&] { return ::open(path.c_str(), kFlags | O_RDWR | O_CREAT, 0600); });
    if (writable >= 0) return Descriptor(writable);
    const int reason = errno;
    if (reason == EACCES || reason == EPERM || reason == EROFS) {
      const int readable = RetryInterrupted([&] { return ::open(path.c_str(), kFlags | O_RDONLY); });
      if (readable >= 0) return Descriptor(readable);
    }
    return IoError(reason, "lock", path);
  }
};

}  // namespace

FileSystem& PosixFileSystem() {
  static PosixFiles& files = *new PosixFiles;
  return files;
}

}  // namespace oscope
