// What can be done to a store, each with the stores it begins from: crash_test.cc loses power in the middle of each,
// fault_test.cc makes each operation of each fail, and read_fault_test.cc each read.
#pragma once

#include <functional>
#include <set>

#include "tests/unit/store/store_content.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {

struct StoreChange {
  std::function<void(CrashFileSystem&)> prepare;         // makes the store "s", and whatever else is needed
  std::function<Status(FileSystem&, Store&)> apply;      // to the store "s", open
  std::set<uint64_t> runs_before = {}, runs_after = {};  // of "s"
  // Whether the change works on at several places one after another, so that one that failed may have done some of it.
  bool in_steps = false;
  // What an interruption may leave of a change that makes two commits: the first alone, made in another way.
  std::function<Status(Store&)> apply_half = {};
};

StoreChange ACommit();
StoreChange AnAttachment();  // to a bug and to a run that are there
StoreChange ADetachment();
StoreChange TheFirstCommit();
StoreChange ACommitThatMakesAGroup();
StoreChange ACommitOfALargeRun();  // which is spilled
StoreChange ACompaction();
StoreChange AnUpgrade();  // of three segments, a version each
StoreChange ASplitOfRanges();
StoreChange APurgeOfABug();
StoreChange APurgeByEverything();  // by bug, age and number at once
StoreChange APurgeInTwoSteps();    // some segments are dropped, then others are rewritten
StoreChange ALink();
StoreChange AnEdit();
StoreChange AQuarantine();
StoreChange NewSettings();
StoreChange ACollection();
StoreChange ABackup();  // into "copy"
StoreChange ABackupWithAQuarantinedSegment();
StoreChange AMerge();  // of "other"
StoreChange AReindexing();

// A file system with the prepared stores, the content before and after the change, and copies of the former.
class PreparedChange {
 public:
  explicit PreparedChange(StoreChange change);

  // A copy to change.
  std::unique_ptr<CrashFileSystem> Copy() const { return prepared_.Kill(); }
  Status Apply(FileSystem& fs, Store& store) const { return change_.apply(fs, store); }

  const StoreChange& change() const { return change_; }
  const StoreContent& before() const { return before_; }
  // After the first of two commits; the same as before() when there is one only.
  const StoreContent& half() const { return half_; }
  const StoreContent& after() const { return after_; }
  const std::map<std::string, std::string>& files_before() const { return files_before_; }

 private:
  const StoreChange change_;
  CrashFileSystem prepared_;
  StoreContent before_, half_, after_;
  std::map<std::string, std::string> files_before_;
};

template <typename T>
Status Only(Result<T> result) {
  if (!result.ok()) return std::move(result).error();
  return {};
}

}  // namespace oscope
