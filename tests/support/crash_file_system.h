// A file system in memory, behind the seam of base/file_system.h, that crashes or fails wherever a test asks it to.
//
// Operations that change something are counted from 1: Create, Append, Sync, Close, Rename, Link, Remove,
// MakeDirectory, RemoveDirectory, SyncDirectory, and a Lock that creates its file. They count also when they fail. What
// survives a crash is told in tests/support/disk_image.h. Reads are counted apart, from 1 too, also when they fail:
// Open, ReadAt, List, Exists, and a Lock of a file that is there. A mapped file is read without a call that could fail:
// MapFiles(false) makes every byte come through ReadAt.
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
// Example: every read of a compaction fails, one at a time.
//   for (uint64_t n = 1;; ++n) {
//     const auto fs = prepared.Kill();
//     fs->MapFiles(false);
//     fs->FailReadAt(n, ReadFault::kIoError);
//     const bool compacted = Compact(*fs).ok();
//     if (fs->reads() < n) break;
//     ExpectEverything(*fs->Kill());
//   }
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
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

// How a read fails. Nothing on the disk changes, and the same read works the next time.
enum class ReadFault {
  kIoError,   // EIO: kIo. Exists says no
  kNotFound,  // Open and List: ENOENT, kNotFound; Exists says no; ReadAt and Lock: as kIoError
  // Open gives a file that ends after the first half (rounded down) of its bytes; ReadAt reads half of what was asked
  // for, then meets the end of the file: kIo; List, Exists and Lock: as kIoError
  kShort,
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

  // Read `n` fails; the others work. May be called for several. Reads of a callback are neither counted nor failed.
  void FailReadAt(uint64_t n, ReadFault fault);
  // Read `n` and every one after it fail, until HealReads, which takes every fault of reads away.
  void FailReadsFrom(uint64_t n, ReadFault fault);
  void HealReads();
  // Whether files opened from now on are mapped; they are unless told.
  void MapFiles(bool on);

  uint64_t operations() const;
  uint64_t reads() const;
  bool crashed() const;
  // One line an operation: its number, what it was, and how it failed. Reads are in it only when they fail, as "read
  // <number>".
  std::string log() const;
  // What each read was, the first one first: "open <path>", "read <path>", "list <path>", "look for <path>", "lock
  // <path>".
  std::vector<std::string> read_log() const;
  // Every file in or beneath a directory, by its whole path. Looks at the disk without reading: it neither counts nor
  // fails.
  std::map<std::string, std::string> Files(const std::string& directory) const;

  // The system after a power loss, or after kill -9 (all is there, what was not synced still is not). New counters, no
  // faults, no locks, files are mapped; this one is left as it is, so that one run can be crashed in many ways.
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

 private:
  Result<std::unique_ptr<FileLock>> LockFile(const std::string& path, LockMode mode, int wait_ms,
                                             const CancelToken& cancel) override;
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
  // Counts a read, and says how it must fail. Under the mutex.
  std::optional<ReadFault> CountRead(std::string_view doing, const std::string& path);
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
  std::vector<std::string> reads_;
  std::map<uint64_t, ReadFault> read_faults_;
  std::optional<std::pair<uint64_t, ReadFault>> reads_fail_from_;
  bool map_files_ = true;
  std::multimap<uint64_t, std::function<void()>> callbacks_;
  std::thread::id callback_thread_;  // whose operations are another process's
  std::multimap<InodeId, Holder> holders_;
  std::string log_;
};

}  // namespace oscope
