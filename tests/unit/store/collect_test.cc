// Orphans, backups, merges, and stores that cannot be written.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

TEST(Collect, TakesOrphansAndLeavesWritersAlone) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "", "abc"}}));
  Must(WriteDurably(fs, "s/segments/00000000000000000000000000000000.traces.parquet", "junk"));
  Must(WriteDurably(fs, "s/tmp/half", "junk"));
  EXPECT_FALSE(Must(store.Check()).problems.empty());
  {
    const auto writer = Must(fs.Lock("s/locks/writers", LockMode::kShared, 0));
    const CollectResult busy = Must(store.Collect());
    EXPECT_TRUE(busy.writers_active);
    EXPECT_EQ(busy.files_removed, 0u);
  }
  const CollectResult result = Must(store.Collect());
  EXPECT_EQ(result.files_removed, 2u);
  EXPECT_EQ(result.bytes_freed, 8u);
  EXPECT_TRUE(Must(store.Check()).problems.empty());
  EXPECT_EQ(RunsIn(store), std::set<uint64_t>{1});
}

// Once, a collection between the arrival of a large run and its commit took the run's segment for an orphan; the commit
// then acknowledged a version that names missing files.
TEST(Collect, LeavesTheSegmentOfALargeRunThatIsArriving) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Store collector = Must(Store::Open(fs, "s"));
  const auto ingest = Must(store.BeginIngest({.spill_events = 2}));
  Must(AddRuns(*ingest, {{1, "", "abcdefgh"}}));
  EXPECT_TRUE(Must(collector.Collect()).writers_active);
  ASSERT_OK(ingest->Commit());
  EXPECT_FALSE(Must(collector.Collect()).writers_active) << "an empty ingest holds nobody up";
  EXPECT_EQ(RunsIn(store), std::set<uint64_t>{1});
  EXPECT_TRUE(Must(store.Check()).problems.empty());
}

TEST(Collect, OldVersionsAreFew) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  for (uint64_t i = 1; i <= 60; ++i) Must(CommitRuns(store, {{i, "", "abc"}}));
  EXPECT_LE(Must(fs.List("s/manifests")).size(), 18u);
}

TEST(Snapshot, StaysAsItWas) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "", "abc"}}));
  const Snapshot before = Must(store.Read());
  for (uint64_t i = 2; i <= 40; ++i) Must(CommitRuns(store, {{i, "", "abc"}}));
  Must(store.Compact());
  Must(store.Collect());
  EXPECT_EQ(RunsIn(before), std::set<uint64_t>{1});
  EXPECT_EQ(RunsIn(store).size(), 40u);
}

class AbandonedBackup : public testing::Test {
 protected:
  AbandonedBackup() { Must(CommitRuns(store_, {{1, "7", "abc"}})); }

  // What a backup that was killed has left: all but its manifest, say.
  std::string LeaveRemains(const std::string& name) {
    std::string path = directory_.path(name);
    Must(store_.Backup(path + ".whole"));
    std::filesystem::rename(path + ".whole", path);
    std::filesystem::remove_all(path + "/manifests");
    return path;
  }
  bool IsThere(const std::string& path) const { return std::filesystem::exists(std::filesystem::symlink_status(path)); }

  TemporaryDirectory directory_;
  FileSystem& fs_ = PosixFileSystem();
  Store store_ = Must(Store::Create(fs_, directory_.path("s")));
};

TEST_F(AbandonedBackup, TheNextOneToTheSamePlaceRemovesIt) {
  const std::string remains = LeaveRemains("copy.partial-0123abcd"), other = LeaveRemains("other.partial-0123abcd");
  Must(store_.Backup(directory_.path("copy")));
  EXPECT_FALSE(IsThere(remains));
  EXPECT_TRUE(IsThere(other));
  EXPECT_EQ(RunsIn(Must(Store::Open(fs_, directory_.path("copy")))).size(), 1u);
}

TEST_F(AbandonedBackup, OneThatIsUnderWayStays) {
  const std::string running = LeaveRemains("copy.partial-0123abcd"), begun = directory_.path("copy.partial-00000000");
  const auto lock = Must(fs_.Lock(running + "/locks/writers", LockMode::kExclusive, 0));
  std::filesystem::create_directories(begun + "/locks");  // it has yet to take its lock
  Must(store_.Backup(directory_.path("copy")));
  EXPECT_TRUE(IsThere(running + "/segments"));
  EXPECT_TRUE(IsThere(begun + "/locks"));
}

TEST_F(AbandonedBackup, WhatOnlyLooksLikeOneStays) {
  std::vector<std::string> others;
  for (const char* name : {"copy.partial-0123abc", "copy.partial-0123abcde", "copy.partial-0123ABCD",
                           "acopy.partial-0123abcd", "copy.partial+0123abcd"})
    others.push_back(LeaveRemains(name));
  const std::string elsewhere = LeaveRemains("elsewhere");
  std::filesystem::create_directory_symlink(elsewhere, directory_.path("copy.partial-11111111"));
  const std::string linked = LeaveRemains("copy.partial-22222222");
  std::filesystem::remove_all(linked + "/segments");
  std::filesystem::create_directory_symlink(elsewhere + "/segments", linked + "/segments");
  Must(store_.Backup(directory_.path("copy")));
  for (const std::string& path : others) EXPECT_TRUE(IsThere(path + "/segments")) << path;
  EXPECT_FALSE(std::filesystem::is_empty(elsewhere + "/segments"));
  EXPECT_TRUE(IsThere(linked));
}

TEST_F(AbandonedBackup, ABackupHoldsItsLockUntilItIsDone) {
  int asked = 0;
  store_.OnProgress([&](uint64_t) {
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path(""))) {
      if (entry.path().filename().string().find(".partial-") == std::string::npos) continue;
      ++asked;
      const auto lock = fs_.Lock(entry.path().string() + "/locks/writers", LockMode::kExclusive, 0);
      EXPECT_TRUE(!lock.ok() && lock.error().code == ErrorCode::kBusy);
    }
  });
  Must(store_.Backup(directory_.path("copy")));
  EXPECT_GT(asked, 0);
}

TEST(LinkedDirectory, IsRefusedAndTheWholeStoreMayBeALink) {
  TemporaryDirectory directory;
  FileSystem& fs = PosixFileSystem();
  const std::string path = directory.path("s");
  {
    Store store = Must(Store::Create(fs, path));
    Must(CommitRuns(store, {{1, "7", "abc"}}));
  }
  std::filesystem::create_directory_symlink(path, directory.path("link"));
  EXPECT_EQ(RunsIn(Must(Store::Open(fs, directory.path("link")))).size(), 1u);
  for (const char* name : {"manifests", "groups", "segments", "index", "tmp", "locks", "pins"}) {
    const std::string inside = path + "/" + name, outside = directory.path(std::string("outside-") + name);
    std::filesystem::rename(inside, outside);
    std::filesystem::create_directory_symlink(outside, inside);
    for (const auto& refused : {Store::Open(fs, path), Store::Create(fs, path)}) {
      ASSERT_FALSE(refused.ok()) << name;
      EXPECT_EQ(refused.error().code, ErrorCode::kIo);
      EXPECT_EQ(refused.error().message.find(fmt::format("store {}: {} is a link", path, name)), 0u)
          << refused.error().message;
    }
    std::filesystem::remove(inside);
    std::filesystem::rename(outside, inside);
  }
  EXPECT_EQ(RunsIn(Must(Store::Open(fs, path))).size(), 1u);
}

TEST(Backup, IsAStoreOfItsOwn) {
  TemporaryDirectory directory;
  Store store = Must(Store::Create(PosixFileSystem(), directory.path("s")));
  for (uint64_t i = 1; i <= 70; ++i) Must(CommitRuns(store, {{i, "7", fmt::format("w{}", i)}}));
  ASSERT_OK(store.Backup(directory.path("copy")));
  EXPECT_EQ(store.Backup(directory.path("copy")).error().code, ErrorCode::kConflict);
  Must(CommitRuns(store, {{100, "", "later"}}));
  Store copy = Must(Store::Open(PosixFileSystem(), directory.path("copy")));
  EXPECT_EQ(RunsIn(copy).size(), 70u);
  EXPECT_TRUE(Must(copy.Check()).problems.empty());
  ASSERT_OK(CommitRuns(copy, {{101, "", "own"}}));
  struct stat info{};
  ASSERT_EQ(stat(directory.path("s").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_EQ(Must(ReadWholeFile(PosixFileSystem(), directory.path("s/.gitignore"), 100)), "*\n");
}

TEST(Merge, AddsWhatTheOtherHas) {
  CrashFileSystem fs;
  Store ours = Must(Store::Create(fs, "a"));
  Store theirs = Must(Store::Create(fs, "b"));
  Must(CommitRuns(ours, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(CommitRuns(theirs, {{2, "8", "abd"}, {3, "9", "abe"}}));
  Must(theirs.EditBug({"demo", "8"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "their title";
    next.severity = "major";
    next.comments.push_back({"ada", 1, "seen"});
    return next;
  }));
  const std::string our_title = Must(Must(ours.Read()).FindBug({"demo", "8"}))->title;
  const MergeResult result = Must(ours.Merge(theirs));
  EXPECT_EQ(result.added.runs_added, 1u);
  EXPECT_EQ(result.added.runs_known, 1u);
  EXPECT_EQ(result.bugs_combined, 1u);
  const Snapshot snapshot = Must(ours.Read());
  EXPECT_EQ(RunsIn(snapshot), (std::set<uint64_t>{1, 2, 3}));
  const Bug bug = *Must(snapshot.FindBug({"demo", "8"}));
  EXPECT_EQ(bug.title, our_title);
  EXPECT_EQ(bug.severity, "major");
  EXPECT_EQ(bug.comments.size(), 1u);
  const MergeResult again = Must(ours.Merge(theirs));
  EXPECT_EQ(again.added.runs_added, 0u);
  EXPECT_EQ(again.added.bugs_changed, 0u) << "a second merge changes nothing";
}

TEST(Open, TellsWhatIsWrong) {
  CrashFileSystem fs;
  EXPECT_EQ(Store::Open(fs, "nowhere").error().code, ErrorCode::kNotFound);
  Store store = Must(Store::Create(fs, "s"));
  EXPECT_EQ(Store::Create(fs, "s").error().code, ErrorCode::kConflict);
  Store reader = Must(Store::Open(fs, "s", {.read_only = true}));
  EXPECT_FALSE(reader.BeginIngest({}).ok());
  EXPECT_FALSE(reader.Collect().ok());
}

TEST(Open, AReadOnlyStoreCanBeRead) {
  TemporaryDirectory directory;
  {
    Store store = Must(Store::Create(PosixFileSystem(), directory.path("s")));
    Must(CommitRuns(store, {{1, "7", "abc"}}));
    Must(store.Collect());  // leaves no pin of an older version behind
  }
  // As another user who may read everything and write nothing.
  std::filesystem::permissions(directory.path(""), std::filesystem::perms::owner_all |
                                                       std::filesystem::perms::others_exec |
                                                       std::filesystem::perms::others_read);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory.path("s"))) {
    std::filesystem::permissions(entry, std::filesystem::perms::others_read | std::filesystem::perms::others_exec,
                                 std::filesystem::perm_options::add);
  }
  std::filesystem::permissions(directory.path("s"),
                               std::filesystem::perms::others_read | std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(9);
    const auto store = Store::Open(PosixFileSystem(), directory.path("s"));
    if (!store.ok()) _exit(1);
    const auto snapshot = store->Read();
    if (!snapshot.ok()) _exit(2);
    if (WordOf(*snapshot, 1) != "abc") _exit(3);
    Store writer = Must(Store::Open(PosixFileSystem(), directory.path("s")));
    const auto refused = CommitRuns(writer, {{2, "7", "abd"}});
    _exit(refused.ok() ? 4 : refused.error().code == ErrorCode::kIo ? 0 : 5);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace oscope
