// A file system in memory, behind the seam of base/file_system.h, that crashes or fails wherever a test asks it to.
//
// Operations that change something are counted from 1: Create, Append, Sync, Close, Rename, Link, Remove, MakeDirectory,
// RemoveDirectory, SyncDirectory, and a Lock that creates its file. They count also when they fail. Reads do not count.
// What survives a crash is told in tests/support/disk_image.h.
//
// Threads: as a FileSystem. Crash(), Kill() and the settings are for one thread, with no operation under way.
// Lifetime: files and locks must go before the file system.
// Example: every crash point of a commit under every policy.
//   for (int n = 1;; ++n) {
//     CrashFileSystem fs;
//     Prepare(fs);
//     fs.CrashAt(fs.operations() + n);
//     const bool acknowledged = Commit(fs).ok();
//     for (const CrashPolicy policy : EveryCrashPolicy(20)) {
//       SCOPED_TRACE(ToString(policy) + "\n" + fs.log());
//       const auto after = fs.Crash(policy);
//       ExpectOldOrNew(*after, acknowledged);
//     }
//     if (!fs.crashed()) break;
//   }
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "base/file_system.h"
#include "tests/support/disk_image.h"

namespace oscope {

// How an operation fails. It then changes nothing, except that a Close closes, a short write writes, and that after a
// failed Sync, of whichever kind, what was not durable in the file never will be.
enum class Fault {
  kNoSpace,     // ENOSPC
  kIoError,     // EIO
  kShortWrite,  // an Append leaves half of its bytes behind, then ENOSPC; other operations: as kNoSpace
};

class CrashFileSystem final : public FileSystem {
 public:
  CrashFileSystem() = default;

  // Operation `n` does not happen, and from then on everything fails with kIo "crashed": the process is dead.
  void CrashAt(uint64_t n);
  // Operation `n` fails; the others work. May be called for several.
  void FailAt(uint64_t n, Fault fault);
  // Runs `callback` just before operation `n`. What it does here is another process's work: it is neither counted nor
  // failed. A lock that it cannot get while its caller holds it is kBusy at once, as waiting would be in vain.
  void BeforeOperation(uint64_t n, std::function<void()> callback);

  uint64_t operations() const;
  bool crashed() const;
  // One line an operation: its number, what it was, and how it failed.
  std::string log() const;

  // The system after a power loss, or after kill -9 (all is there, what was not synced still is not). New counters, no
  // faults, no locks; this one is left as it is, so that one run can be crashed in many ways.
  std::unique_ptr<CrashFileSystem> Crash(CrashPolicy policy) const;
  std::unique_ptr<CrashFileSystem> Kill() const;

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
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path, LockMode mode, int wait_ms) override;

 private:
  using InodeId = DiskImage::InodeId;
  class Writable;
  class Readable;
  class HeldLock;

  struct Holder {
    LockMode mode;
    std::thread::id thread;
  };
  enum class Obstacle { kNone, kThisThread, kOtherThread };

  explicit CrashFileSystem(DiskImage image) : image_(std::move(image)) {}

  template <typename Effect>
  std::invoke_result_t<Effect> Mutate(const std::string& what, Effect effect);
  template <typename Effect, typename OnFault>
  std::invoke_result_t<Effect> Mutate(const std::string& what, Effect effect, OnFault on_fault);
  void RunCallbacks(std::unique_lock<std::mutex>& lock);
  Status Alive() const;
  Obstacle ObstacleToLock(InodeId file, LockMode mode) const;

  mutable std::mutex mutex_;
  std::condition_variable lock_released_;
  DiskImage image_;
  uint64_t operations_ = 0;
  uint64_t crash_at_ = 0;  // 0: never
  bool crashed_ = false;
  std::map<uint64_t, Fault> faults_;
  std::multimap<uint64_t, std::function<void()>> callbacks_;
  std::thread::id callback_thread_;  // whose operations are another process's
  std::multimap<InodeId, Holder> holders_;
  std::string log_;
};

}  // namespace oscope
