#include "tests/support/crash_file_system.h"

#include <cerrno>
#include <chrono>
#include <cstring>

namespace oscope {
namespace {

std::string_view FaultName(Fault fault) {
  switch (fault) {
    case Fault::kNoSpace: return "no space";
    case Fault::kIoError: return "I/O error";
    case Fault::kShortWrite: return "short write";
  }
  return "unknown";
}

int ErrorNumber(Fault fault) { return fault == Fault::kIoError ? EIO : ENOSPC; }

std::string_view FaultName(ReadFault fault) {
  switch (fault) {
    case ReadFault::kIoError: return "I/O error";
    case ReadFault::kNotFound: return "not found";
    case ReadFault::kShort: return "short";
  }
  return "unknown";
}

// Of an operation on a name.
Error ReadError(ReadFault fault, std::string_view doing, const std::string& path) {
  if (fault != ReadFault::kNotFound) return IoError(EIO, doing, path);
  Error error = IoError(ENOENT, doing, path);
  error.code = ErrorCode::kNotFound;
  return error;
}

}  // namespace

class CrashFileSystem::Writable final : public WritableFile {
 public:
  Writable(CrashFileSystem& fs, InodeId inode, std::string path) : fs_(fs), inode_(inode), path_(std::move(path)) {}

  Status Append(std::string_view bytes) override {
    return fs_.Mutate(
        fmt::format("append {} ({} bytes)", path_, bytes.size()),
        [&]() -> Status {
          OSCOPE_RETURN_IF_ERROR(Usable("append"));
          fs_.image_.Append(inode_, bytes);
          return {};
        },
        [&](Fault fault) {
          if (fault == Fault::kShortWrite) fs_.image_.Append(inode_, bytes.substr(0, bytes.size() / 2));
        });
  }

  Status Sync() override {
    return fs_.Mutate(
        "sync " + path_,
        [&]() -> Status {
          OSCOPE_RETURN_IF_ERROR(Usable("sync"));
          fs_.image_.SyncFile(inode_);
          return {};
        },
        [&](Fault) { fs_.image_.FailSyncFile(inode_); });
  }

  Status Close() override {
    return fs_.Mutate(
        "close " + path_,
        [&]() -> Status {
          OSCOPE_RETURN_IF_ERROR(Usable("close"));
          closed_ = true;
          return {};
        },
        [&](Fault) { closed_ = true; });
  }

 private:
  Status Usable(std::string_view doing) const {
    if (closed_) return IoError(EBADF, doing, path_);
    return {};
  }

  CrashFileSystem& fs_;
  InodeId inode_;
  std::string path_;
  bool closed_ = false;
};

class CrashFileSystem::Readable final : public ReadableFile {
 public:
  Readable(CrashFileSystem& fs, std::shared_ptr<const std::string> bytes, std::string path, bool mapped)
      : fs_(fs), bytes_(std::move(bytes)), path_(std::move(path)), mapped_(mapped) {}

  uint64_t size() const override { return bytes_->size(); }
  std::string_view mapped() const override { return mapped_ ? std::string_view(*bytes_) : std::string_view(); }

  Status ReadAt(uint64_t offset, uint64_t length, char* out) const override {
    std::optional<ReadFault> fault;
    {
      const std::lock_guard lock(fs_.mutex_);
      OSCOPE_RETURN_IF_ERROR(fs_.Alive());
      fault = fs_.CountRead("read", path_);
    }
    if (offset > bytes_->size() || length > bytes_->size() - offset) {
      return Error{ErrorCode::kIo, fmt::format("read {}: {} bytes at offset {} wanted, the file has {}", path_, length,
                                               offset, bytes_->size())};
    }
    if (fault == ReadFault::kShort) {
      bytes_->copy(out, length / 2, offset);
      return Error{ErrorCode::kIo, fmt::format("read {}: ends at offset {}", path_, offset + length / 2)};
    }
    if (fault) return ReadError(ReadFault::kIoError, "read", path_);
    bytes_->copy(out, length, offset);
    return {};
  }

 private:
  CrashFileSystem& fs_;
  const std::shared_ptr<const std::string> bytes_;
  const std::string path_;
  const bool mapped_;
};

class CrashFileSystem::HeldLock final : public FileLock {
 public:
  HeldLock(CrashFileSystem& fs, std::multimap<InodeId, Holder>::iterator holder) : fs_(fs), holder_(holder) {}
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  ~HeldLock() override {
    const std::lock_guard lock(fs_.mutex_);
    fs_.holders_.erase(holder_);
    fs_.lock_released_.notify_all();
  }

 private:
  CrashFileSystem& fs_;
  std::multimap<InodeId, Holder>::iterator holder_;
};

void CrashFileSystem::CrashAt(uint64_t n) { crash_at_ = n; }
void CrashFileSystem::FailAt(uint64_t n, Fault fault) { faults_[n] = fault; }
void CrashFileSystem::BeforeOperation(uint64_t n, std::function<void()> callback) {
  callbacks_.emplace(n, std::move(callback));
}

void CrashFileSystem::FailReadAt(uint64_t n, ReadFault fault) { read_faults_[n] = fault; }
void CrashFileSystem::FailReadsFrom(uint64_t n, ReadFault fault) { reads_fail_from_ = {n, fault}; }
void CrashFileSystem::HealReads() {
  read_faults_.clear();
  reads_fail_from_.reset();
}
void CrashFileSystem::MapFiles(bool on) { map_files_ = on; }

uint64_t CrashFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

uint64_t CrashFileSystem::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_.size();
}

std::vector<std::string> CrashFileSystem::read_log() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

std::map<std::string, std::string> CrashFileSystem::Files(const std::string& directory) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, std::string> files;
  for (const auto& [path, bytes] : image_.FilesBeneath(directory)) files.emplace(path, *bytes);
  return files;
}

bool CrashFileSystem::crashed() const {
  const std::lock_guard lock(mutex_);
  return crashed_;
}

std::string CrashFileSystem::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

std::unique_ptr<CrashFileSystem> CrashFileSystem::Crash(CrashPolicy policy) const {
  const std::lock_guard lock(mutex_);
  return std::unique_ptr<CrashFileSystem>(new CrashFileSystem(image_.AfterPowerLoss(policy)));
}

std::unique_ptr<CrashFileSystem> CrashFileSystem::Kill() const {
  const std::lock_guard lock(mutex_);
  return std::unique_ptr<CrashFileSystem>(new CrashFileSystem(image_));
}

Status CrashFileSystem::Alive() const {
  if (crashed_) return Error{ErrorCode::kIo, "crashed"};
  return {};
}

std::optional<ReadFault> CrashFileSystem::CountRead(std::string_view doing, const std::string& path) {
  if (callback_thread_ == std::this_thread::get_id()) return std::nullopt;
  reads_.push_back(fmt::format("{} {}", doing, path));
  const uint64_t number = reads_.size();
  std::optional<ReadFault> fault;
  if (const auto found = read_faults_.find(number); found != read_faults_.end()) fault = found->second;
  if (reads_fail_from_ && number >= reads_fail_from_->first) fault = reads_fail_from_->second;
  if (fault) log_ += fmt::format("read {} {}: {}\n", number, reads_.back(), FaultName(*fault));
  return fault;
}

void CrashFileSystem::RunCallbacks(std::unique_lock<std::mutex>& lock) {
  const auto [begin, end] = callbacks_.equal_range(operations_);
  std::vector<std::function<void()>> due;
  for (auto entry = begin; entry != end; ++entry) due.push_back(std::move(entry->second));
  callbacks_.erase(begin, end);
  for (const auto& callback : due) {
    callback_thread_ = std::this_thread::get_id();
    lock.unlock();
    callback();
    lock.lock();
    callback_thread_ = {};
  }
}

template <typename Effect>
std::invoke_result_t<Effect> CrashFileSystem::Mutate(const std::string& what, Effect effect) {
  return Mutate(what, effect, [](Fault) {});
}

template <typename Effect, typename OnFault>
std::invoke_result_t<Effect> CrashFileSystem::Mutate(const std::string& what, Effect effect, OnFault on_fault) {
  std::unique_lock lock(mutex_);
  OSCOPE_RETURN_IF_ERROR(Alive());
  const bool counted = callback_thread_ != std::this_thread::get_id();
  if (counted) {
    const uint64_t number = ++operations_;
    RunCallbacks(lock);
    log_ += fmt::format("{} {}", number, what);
    if (number == crash_at_) {
      crashed_ = true;
      log_ += ": crashed\n";
      return std::move(Alive()).error();
    }
    if (const auto fault = faults_.find(number); fault != faults_.end()) {
      log_ += fmt::format(": {}\n", FaultName(fault->second));
      on_fault(fault->second);
      return Error{ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(ErrorNumber(fault->second)))};
    }
  } else {
    log_ += fmt::format("  - {}", what);
  }
  auto answer = effect();
  log_ += answer.ok() ? "\n" : fmt::format(": {}\n", answer.error().message);
  return answer;
}

Result<std::unique_ptr<WritableFile>> CrashFileSystem::Create(const std::string& path) {
  return Mutate("create " + path, [&]() -> Result<std::unique_ptr<WritableFile>> {
    OSCOPE_ASSIGN_OR_RETURN(const InodeId inode, image_.CreateFile(path));
    return std::unique_ptr<WritableFile>(std::make_unique<Writable>(*this, inode, path));
  });
}

Result<std::unique_ptr<ReadableFile>> CrashFileSystem::Open(const std::string& path) {
  const std::lock_guard lock(mutex_);
  OSCOPE_RETURN_IF_ERROR(Alive());
  const std::optional<ReadFault> fault = CountRead("open", path);
  if (fault && fault != ReadFault::kShort) return ReadError(*fault, "open", path);
  OSCOPE_ASSIGN_OR_RETURN(const InodeId inode, image_.FindFile(path));
  std::shared_ptr<const std::string> bytes = image_.bytes(inode);
  if (fault) bytes = std::make_shared<const std::string>(bytes->substr(0, bytes->size() / 2));
  return std::unique_ptr<ReadableFile>(std::make_unique<Readable>(*this, std::move(bytes), path, map_files_));
}

Status CrashFileSystem::Rename(const std::string& from, const std::string& to) {
  return Mutate(fmt::format("rename {} to {}", from, to), [&] { return image_.Rename(from, to); });
}

Status CrashFileSystem::Link(const std::string& from, const std::string& to) {
  return Mutate(fmt::format("link {} to {}", from, to), [&] { return image_.Link(from, to); });
}

Status CrashFileSystem::Remove(const std::string& path) {
  return Mutate("remove " + path, [&] { return image_.Remove(path); });
}

Status CrashFileSystem::MakeDirectory(const std::string& path) {
  return Mutate("make directory " + path, [&] { return image_.MakeDirectory(path); });
}

Status CrashFileSystem::RemoveDirectory(const std::string& path) {
  return Mutate("remove directory " + path, [&] { return image_.RemoveDirectory(path); });
}

Status CrashFileSystem::SyncDirectory(const std::string& path) {
  return Mutate("sync directory " + path, [&] { return image_.SyncDirectory(path); });
}

Result<std::vector<std::string>> CrashFileSystem::List(const std::string& path) {
  const std::lock_guard lock(mutex_);
  OSCOPE_RETURN_IF_ERROR(Alive());
  if (const auto fault = CountRead("list", path)) return ReadError(*fault, "list", path);
  return image_.List(path);
}

bool CrashFileSystem::Exists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (crashed_ || CountRead("look for", path)) return false;
  return image_.Exists(path);
}

CrashFileSystem::Obstacle CrashFileSystem::ObstacleToLock(InodeId file, LockMode mode) const {
  Obstacle obstacle = Obstacle::kNone;
  const auto [begin, end] = holders_.equal_range(file);
  for (auto entry = begin; entry != end; ++entry) {
    const Holder& holder = entry->second;
    if (mode == LockMode::kShared && holder.mode == LockMode::kShared) continue;
    if (holder.thread == std::this_thread::get_id()) return Obstacle::kThisThread;
    obstacle = Obstacle::kOtherThread;
  }
  return obstacle;
}

Result<std::unique_ptr<FileLock>> CrashFileSystem::LockFile(const std::string& path, LockMode mode, int wait_ms,
                                                            const CancelToken&) {
  std::unique_lock lock(mutex_);
  OSCOPE_RETURN_IF_ERROR(Alive());
  if (image_.Exists(path)) {
    if (CountRead("lock", path)) return ReadError(ReadFault::kIoError, "lock", path);
  } else {
    lock.unlock();
    const Status created = Mutate("create lock " + path, [&]() -> Status {
      OSCOPE_RETURN_IF_ERROR(image_.CreateFile(path));
      return {};
    });
    if (!created.ok() && created.error().code != ErrorCode::kConflict) {
      return Error{ErrorCode::kIo, created.error().message};
    }
    lock.lock();
    OSCOPE_RETURN_IF_ERROR(Alive());
  }
  OSCOPE_ASSIGN_OR_RETURN(const InodeId inode, image_.FindFile(path));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  for (bool in_time = true;;) {
    const Obstacle obstacle = ObstacleToLock(inode, mode);
    if (obstacle == Obstacle::kNone) break;
    if (obstacle == Obstacle::kThisThread || !in_time) return Busy("lock {}: held", path);
    in_time = lock_released_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    OSCOPE_RETURN_IF_ERROR(Alive());
  }
  const auto holder = holders_.emplace(inode, Holder{mode, std::this_thread::get_id()});
  return std::unique_ptr<FileLock>(std::make_unique<HeldLock>(*this, holder));
}

}  // namespace oscope
