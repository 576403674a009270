// A disk in memory that knows, of every byte and every name, whether a power loss would spare it.
//
// Data:    files only grow; a file has a durable prefix, which SyncFile moves to its end. Copies of a disk share the
//          bytes.
// Names:   every change of a directory is pending until SyncDirectory of that directory. A rename is one change, made
//          durable by syncing the directory it leads to; syncing the one it came from is not enough.
// Failed:  what was not durable when a SyncFile failed never will be, whatever a later SyncFile says: the kernel
//          reports a lost page once and then calls it clean. The names of a failed SyncDirectory stay pending.
// Stricter than most systems: syncing a file does not save its name.
//
// Paths: "/" and "." are the root, "a" and "/a" are the same; ".." is refused.
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

// What a power loss does to that which was not synced.
struct CrashPolicy {
  enum class Kind {
    kDropUnsynced,    // unsynced names and data are gone
    kKeepEverything,  // all of it had reached the disk after all
    kLoseData,        // names are kept, unsynced data is gone: a new file is empty
    kTearData,        // names are kept, of unsynced data the first half (rounded up)
    kZeroData,        // names and sizes are kept, unsynced data reads as zeros
    kRandom,          // each pending name change is kept or not, each unsynced tail meets one of the fates above
  };
  Kind kind = Kind::kDropUnsynced;
  uint64_t seed = 0;  // of kRandom
};

std::string ToString(CrashPolicy policy);

// Each kind once, kRandom with the seeds 1 to `random_seeds`.
std::vector<CrashPolicy> EveryCrashPolicy(int random_seeds);

class DiskImage {
 public:
  enum class InodeId : uint64_t {};

  DiskImage();

  Result<InodeId> CreateFile(const std::string& path);
  Result<InodeId> FindFile(const std::string& path) const;
  void Append(InodeId file, std::string_view bytes);
  void SyncFile(InodeId file);
  void FailSyncFile(InodeId file);
  std::shared_ptr<const std::string> bytes(InodeId file) const;  // as they are now; a later Append leaves them alone

  Status Rename(const std::string& from, const std::string& to);
  Status Link(const std::string& from, const std::string& to);
  Status Remove(const std::string& path);
  Status MakeDirectory(const std::string& path);
  Status RemoveDirectory(const std::string& path);
  Status SyncDirectory(const std::string& path);
  Result<std::vector<std::string>> List(const std::string& path) const;
  bool Exists(const std::string& path) const;
  // Every file in or beneath a directory, by its whole path; empty when there is no such directory.
  std::map<std::string, std::shared_ptr<const std::string>> FilesBeneath(const std::string& directory) const;

  // What is found when the power is back; all of it durable.
  DiskImage AfterPowerLoss(CrashPolicy policy) const;

 private:
  using Entries = std::map<std::string, InodeId>;

  struct Inode {
    bool is_directory = false;
    std::shared_ptr<const std::string> bytes = std::make_shared<const std::string>();
    size_t durable_bytes = 0;
    bool sync_failed = false;
    Entries entries;
    Entries durable_entries;
  };

  // One name that begins or ceases to mean `inode`. Ceasing spares a name that has come to mean another one.
  struct Edit {
    InodeId directory;
    std::string name;
    InodeId inode;
    bool begins;
  };

  struct Change {
    InodeId made_durable_by;
    std::vector<Edit> edits;
  };

  struct Place {
    InodeId directory;
    std::string name;              // empty for the root
    std::optional<InodeId> inode;  // what is there now
  };

  Result<Place> Resolve(std::string_view doing, const std::string& path) const;
  Result<Place> ResolvePresent(std::string_view doing, const std::string& path) const;
  InodeId AddInode(bool is_directory);
  void Commit(Change change);
  static void Apply(const Edit& edit, Entries& entries);
  Inode& at(InodeId id) { return inodes_.at(id); }
  const Inode& at(InodeId id) const { return inodes_.at(id); }

  std::map<InodeId, Inode> inodes_;
  std::vector<Change> pending_;
  uint64_t next_inode_ = 1;
};

}  // namespace oscope
