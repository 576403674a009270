#include "tests/support/crash_file_system.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

namespace oscope {
namespace {

using Kind = CrashPolicy::Kind;

std::string Read(FileSystem& fs, const std::string& path) {
  auto bytes = ReadWholeFile(fs, path, 1 << 20);
  return bytes.ok() ? *bytes : "<" + std::string(ErrorCodeName(bytes.error().code)) + ">";
}

std::unique_ptr<WritableFile> CreateWith(FileSystem& fs, const std::string& path, std::string_view bytes) {
  auto file = std::move(fs.Create(path)).value();
  EXPECT_TRUE(file->Append(bytes).ok());
  return file;
}

// Old or new content of "target" must be there, whatever happens: the way every store replaces a file.
Status Replace(FileSystem& fs, std::string_view bytes) {
  OSCOPE_RETURN_IF_ERROR(WriteDurably(fs, "d/temporary", bytes));
  OSCOPE_RETURN_IF_ERROR(fs.Rename("d/temporary", "d/target"));
  return fs.SyncDirectory("d");
}

void Prepare(FileSystem& fs) {
  ASSERT_TRUE(fs.MakeDirectory("d").ok());
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  ASSERT_TRUE(Replace(fs, "old").ok());
}

TEST(CrashFileSystem, UnsyncedDataIsLostButTheSyncedPrefixStays) {
  CrashFileSystem fs;
  auto file = CreateWith(fs, "a", "synced");
  ASSERT_TRUE(file->Sync().ok());
  ASSERT_TRUE(file->Append("1234").ok());
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  EXPECT_EQ(Read(fs, "a"), "synced1234");
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "a"), "synced");
  EXPECT_EQ(Read(*fs.Crash({Kind::kLoseData}), "a"), "synced");
  EXPECT_EQ(Read(*fs.Crash({Kind::kTearData}), "a"), "synced12");
  EXPECT_EQ(Read(*fs.Crash({Kind::kZeroData}), "a"), std::string("synced\0\0\0\0", 10));
  EXPECT_EQ(Read(*fs.Crash({Kind::kKeepEverything}), "a"), "synced1234");
}

TEST(CrashFileSystem, ANameIsLostWithoutSyncOfItsDirectory) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "x").ok());
  EXPECT_FALSE(fs.Crash({Kind::kDropUnsynced})->Exists("a"));
  EXPECT_EQ(Read(*fs.Crash({Kind::kLoseData}), "a"), "x");
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "a"), "x");
}

TEST(CrashFileSystem, ADirectoryIsLostWithAllInItUntilItsParentIsSynced) {
  CrashFileSystem fs;
  ASSERT_TRUE(fs.MakeDirectory("d").ok());
  ASSERT_TRUE(WriteDurably(fs, "d/a", "x").ok());
  ASSERT_TRUE(fs.SyncDirectory("d").ok());
  EXPECT_FALSE(fs.Crash({Kind::kDropUnsynced})->Exists("d"));
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "d/a"), "x");
}

TEST(CrashFileSystem, AnUnsyncedRemovalMayComeBack) {
  CrashFileSystem fs;
  Prepare(fs);
  ASSERT_TRUE(fs.Remove("d/target").ok());
  EXPECT_EQ(Read(fs, "d/target"), "<not-found>");
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "d/target"), "old");
  ASSERT_TRUE(fs.SyncDirectory("d").ok());
  EXPECT_FALSE(fs.Crash({Kind::kDropUnsynced})->Exists("d/target"));
}

TEST(CrashFileSystem, RenameAcrossDirectoriesIsDurableOnceItsTargetIsSynced) {
  CrashFileSystem fs;
  Prepare(fs);
  ASSERT_TRUE(fs.MakeDirectory("e").ok());
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  ASSERT_TRUE(fs.Rename("d/target", "e/target").ok());
  ASSERT_TRUE(fs.SyncDirectory("d").ok());
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "d/target"), "old");
  ASSERT_TRUE(fs.SyncDirectory("e").ok());
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "e/target"), "old");
  EXPECT_FALSE(fs.Crash({Kind::kDropUnsynced})->Exists("d/target"));
}

TEST(CrashFileSystem, ReplacementIsOldOrNewAtEveryCrashPoint) {
  bool finished = false;
  std::map<std::string, int> seen;
  for (uint64_t n = 1; !finished; ++n) {
    CrashFileSystem fs;
    Prepare(fs);
    fs.CrashAt(fs.operations() + n);
    const bool acknowledged = Replace(fs, "new").ok();
    for (const CrashPolicy policy : EveryCrashPolicy(20)) {
      SCOPED_TRACE(ToString(policy) + "\n" + fs.log());
      const std::string found = Read(*fs.Crash(policy), "d/target");
      EXPECT_TRUE(found == "new" || (found == "old" && !acknowledged)) << found;
      ++seen[found];
    }
    finished = !fs.crashed();
    EXPECT_EQ(finished, acknowledged);
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(CrashFileSystem, ReplacementWithoutSyncIsCaught) {
  CrashFileSystem fs;
  Prepare(fs);
  CreateWith(fs, "d/temporary", "new");
  ASSERT_TRUE(fs.Rename("d/temporary", "d/target").ok());
  ASSERT_TRUE(fs.SyncDirectory("d").ok());
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "d/target"), "");
}

TEST(CrashFileSystem, RandomCrashesRepeatAndDiffer) {
  CrashFileSystem fs;
  for (char name = 'a'; name < 'a' + 8; ++name) CreateWith(fs, std::string(1, name), "0123456789");
  std::set<std::string> outcomes;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto describe = [&] {
      const auto after = fs.Crash({Kind::kRandom, seed});
      std::string text;
      const auto names = std::move(after->List("/")).value();
      for (const std::string& name : names) text += name + "=" + Read(*after, name) + ";";
      return text;
    };
    EXPECT_EQ(describe(), describe());
    outcomes.insert(describe());
  }
  EXPECT_GT(outcomes.size(), 40u);
}

TEST(CrashFileSystem, LinkRefusesANameThatIsTaken) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "first").ok());
  ASSERT_TRUE(WriteDurably(fs, "b", "second").ok());
  ASSERT_TRUE(fs.Link("a", "published").ok());
  EXPECT_EQ(fs.Link("b", "published").error().code, ErrorCode::kConflict);
  EXPECT_EQ(Read(fs, "published"), "first");
  ASSERT_TRUE(fs.Remove("a").ok());
  EXPECT_EQ(Read(fs, "published"), "first");
}

TEST(CrashFileSystem, AfterAFailedSyncNothingMoreBecomesDurable) {
  CrashFileSystem fs;
  auto file = CreateWith(fs, "a", "one");
  ASSERT_TRUE(file->Sync().ok());
  ASSERT_TRUE(file->Append("two").ok());
  fs.FailAt(fs.operations() + 1, Fault::kIoError);
  EXPECT_EQ(file->Sync().error().code, ErrorCode::kIo);
  EXPECT_TRUE(file->Sync().ok());
  ASSERT_TRUE(fs.SyncDirectory("/").ok());
  EXPECT_EQ(Read(fs, "a"), "onetwo");
  EXPECT_EQ(Read(*fs.Crash({Kind::kDropUnsynced}), "a"), "one");
  EXPECT_EQ(Read(*fs.Crash({Kind::kKeepEverything}), "a"), "one");
}

TEST(CrashFileSystem, AShortWriteLeavesAPrefix) {
  CrashFileSystem fs;
  auto file = std::move(fs.Create("a")).value();
  fs.FailAt(2, Fault::kShortWrite);
  EXPECT_NE(file->Append("12345678").error().message.find("No space left"), std::string::npos);
  EXPECT_EQ(Read(fs, "a"), "1234");
  EXPECT_TRUE(file->Append("9").ok());
}

TEST(CrashFileSystem, AFailedOperationChangesNothingAndTheNextOneWorks) {
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError}) {
    CrashFileSystem fs;
    Prepare(fs);
    const uint64_t before = fs.operations();
    fs.FailAt(before + 1, fault);
    fs.FailAt(before + 2, fault);
    fs.FailAt(before + 3, fault);
    EXPECT_FALSE(fs.Rename("d/target", "d/other").ok());
    EXPECT_FALSE(fs.Link("d/target", "d/other").ok());
    EXPECT_FALSE(fs.Create("d/other").ok());
    EXPECT_EQ(*fs.List("d"), std::vector<std::string>{"target"});
    EXPECT_TRUE(fs.Rename("d/target", "d/other").ok());
  }
}

TEST(CrashFileSystem, ACrashStopsEverything) {
  CrashFileSystem fs;
  auto file = CreateWith(fs, "a", "x");
  const auto opened = std::move(fs.Open("a")).value();
  fs.CrashAt(fs.operations() + 1);
  EXPECT_EQ(file->Append("y").error().message, "crashed");
  EXPECT_EQ(Read(fs, "a"), "<io>");
  char byte = 0;
  EXPECT_FALSE(opened->ReadAt(0, 1, &byte).ok());
  EXPECT_FALSE(fs.List("/").ok());
  EXPECT_FALSE(fs.Lock("l", LockMode::kShared, 0).ok());
  EXPECT_EQ(fs.log(), "1 create a\n2 append a (1 bytes)\n3 append a (1 bytes): crashed\n");
}

TEST(CrashFileSystem, ACallbackRunsAsAnotherProcess) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "mine", "mine").ok());
  const uint64_t link = fs.operations() + 1;
  fs.FailAt(link + 1, Fault::kIoError);
  fs.BeforeOperation(link, [&] {
    ASSERT_TRUE(WriteDurably(fs, "theirs", "theirs").ok());
    ASSERT_TRUE(fs.Link("theirs", "published").ok());
  });
  EXPECT_EQ(fs.Link("mine", "published").error().code, ErrorCode::kConflict);
  EXPECT_EQ(fs.operations(), link);
  EXPECT_EQ(Read(fs, "published"), "theirs");
  EXPECT_FALSE(fs.Remove("mine").ok());
}

TEST(CrashFileSystem, LocksExcludeAndGoWithTheProcess) {
  CrashFileSystem fs;
  auto shared = fs.Lock("l", LockMode::kShared, 0);
  ASSERT_TRUE(shared.ok());
  EXPECT_TRUE(fs.Lock("l", LockMode::kShared, 0).ok());
  EXPECT_EQ(fs.Lock("l", LockMode::kExclusive, 60'000).error().code, ErrorCode::kBusy);
  EXPECT_TRUE(fs.Kill()->Lock("l", LockMode::kExclusive, 0).ok());
  shared.value().reset();
  EXPECT_TRUE(fs.Lock("l", LockMode::kExclusive, 0).ok());
}

TEST(CrashFileSystem, AThreadWaitsForAnothersLock) {
  CrashFileSystem fs;
  auto held = fs.Lock("l", LockMode::kExclusive, 0);
  ASSERT_TRUE(held.ok());
  bool got = false;
  std::thread waiter([&] { got = fs.Lock("l", LockMode::kExclusive, 60'000).ok(); });
  held.value().reset();
  waiter.join();
  EXPECT_TRUE(got);
}

TEST(CrashFileSystem, KillKeepsWhatIsNotYetSynced) {
  CrashFileSystem fs;
  CreateWith(fs, "a", "x");
  const auto killed = fs.Kill();
  EXPECT_EQ(Read(*killed, "a"), "x");
  EXPECT_EQ(killed->operations(), 0u);
  EXPECT_FALSE(killed->Crash({Kind::kDropUnsynced})->Exists("a"));
}

TEST(CrashFileSystem, RefusesWhatPosixRefuses) {
  CrashFileSystem fs;
  Prepare(fs);
  EXPECT_EQ(fs.Create("d/target").error().code, ErrorCode::kConflict);
  EXPECT_EQ(fs.Create("none/a").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs.Open("d").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.Open("d/target/a").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.Open("d/../d/target").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.Remove("d").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.RemoveDirectory("d").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.Rename("d", "d/inner").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.MakeDirectory("d/target").error().code, ErrorCode::kConflict);
  EXPECT_TRUE(fs.MakeDirectory("d").ok());
  EXPECT_EQ(Read(fs, "/d//./target"), "old");
}

// Reads that fail.

TEST(ReadFaults, EveryKindOfReadIsCountedAndNothingElseIs) {
  CrashFileSystem fs;
  Prepare(fs);
  EXPECT_EQ(fs.reads(), 0u);
  const auto created = fs.Lock("lock", LockMode::kShared, 0);
  EXPECT_EQ(fs.reads(), 0u) << "a lock that creates its file is a change";
  const uint64_t operations = fs.operations();
  const auto file = std::move(fs.Open("d/target")).value();
  char bytes[3];
  EXPECT_TRUE(file->ReadAt(0, 3, bytes).ok());
  EXPECT_TRUE(fs.List("d").ok());
  EXPECT_TRUE(fs.Exists("d/target"));
  EXPECT_TRUE(fs.Lock("lock", LockMode::kShared, 0).ok());
  EXPECT_FALSE(fs.Open("d/none").ok());
  EXPECT_EQ(fs.read_log(), (std::vector<std::string>{"open d/target", "read d/target", "list d", "look for d/target",
                                                     "lock lock", "open d/none"}));
  EXPECT_EQ(fs.reads(), 6u);
  EXPECT_EQ(fs.operations(), operations);
  EXPECT_EQ(fs.Files("/").at("d/target"), "old");
  EXPECT_EQ(fs.reads(), 6u) << "a look at the disk is no read";
  EXPECT_EQ(fs.Kill()->reads(), 0u);
}

TEST(ReadFaults, AnIoErrorMeetsEachKindOfReadOnceAndChangesNothing) {
  CrashFileSystem fs;
  Prepare(fs);
  ASSERT_TRUE(fs.Lock("lock", LockMode::kShared, 0).ok());
  const auto file = std::move(fs.Open("d/target")).value();
  const std::string log = fs.log();
  for (uint64_t n = 2; n <= 6; ++n) fs.FailReadAt(n, ReadFault::kIoError);
  char bytes[3] = {'x', 'x', 'x'};
  EXPECT_EQ(file->ReadAt(0, 3, bytes).error().code, ErrorCode::kIo);
  EXPECT_EQ(std::string(bytes, 3), "xxx");
  EXPECT_EQ(fs.Open("d/target").error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.List("d").error().code, ErrorCode::kIo);
  EXPECT_FALSE(fs.Exists("d/target"));
  EXPECT_EQ(fs.Lock("lock", LockMode::kShared, 0).error().code, ErrorCode::kIo);
  EXPECT_EQ(fs.log(), log +
                          "read 2 read d/target: I/O error\nread 3 open d/target: I/O error\nread 4 list d: I/O error\n"
                          "read 5 look for d/target: I/O error\nread 6 lock lock: I/O error\n");
  EXPECT_TRUE(file->ReadAt(0, 3, bytes).ok());
  EXPECT_EQ(std::string(bytes, 3), "old");
  EXPECT_EQ(Read(fs, "d/target"), "old");
  EXPECT_TRUE(fs.List("d").ok());
  EXPECT_TRUE(fs.Exists("d/target"));
  EXPECT_TRUE(fs.Lock("lock", LockMode::kExclusive, 0).ok()) << "the lock that failed is not held";
}

TEST(ReadFaults, AFileThatIsThereIsNotFound) {
  CrashFileSystem fs;
  Prepare(fs);
  ASSERT_TRUE(fs.Lock("lock", LockMode::kShared, 0).ok());
  const auto file = std::move(fs.Open("d/target")).value();
  for (uint64_t n = 2; n <= 6; ++n) fs.FailReadAt(n, ReadFault::kNotFound);
  char byte = 0;
  EXPECT_EQ(file->ReadAt(0, 1, &byte).error().code, ErrorCode::kIo) << "an open file is there";
  EXPECT_EQ(fs.Open("d/target").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs.List("d").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs.Exists("d/target"));
  EXPECT_EQ(fs.Lock("lock", LockMode::kShared, 0).error().code, ErrorCode::kIo);
  EXPECT_EQ(Read(fs, "d/target"), "old");
}

TEST(ReadFaults, AShortReadEndsInTheMiddle) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "0123456").ok());
  ASSERT_TRUE(fs.Lock("lock", LockMode::kShared, 0).ok());
  fs.FailReadAt(1, ReadFault::kShort);
  const auto half = std::move(fs.Open("a")).value();
  EXPECT_EQ(half->size(), 3u);
  EXPECT_EQ(half->mapped(), "012");
  char bytes[4] = {'x', 'x', 'x', 'x'};
  EXPECT_EQ(half->ReadAt(0, 4, bytes).error().code, ErrorCode::kIo) << "what is missing cannot be read";
  EXPECT_TRUE(half->ReadAt(0, 3, bytes).ok());
  EXPECT_EQ(std::string(bytes, 4), "012x");

  const auto whole = std::move(fs.Open("a")).value();
  fs.FailReadAt(fs.reads() + 1, ReadFault::kShort);
  EXPECT_EQ(whole->ReadAt(3, 4, bytes).error().code, ErrorCode::kIo);
  EXPECT_EQ(std::string(bytes, 4), "342x") << "half of it came";
  EXPECT_TRUE(whole->ReadAt(3, 4, bytes).ok());
  EXPECT_EQ(std::string(bytes, 4), "3456");

  const uint64_t done = fs.reads();
  for (uint64_t n = 1; n <= 3; ++n) fs.FailReadAt(done + n, ReadFault::kShort);
  EXPECT_EQ(fs.List("/").error().code, ErrorCode::kIo);
  EXPECT_FALSE(fs.Exists("a"));
  EXPECT_EQ(fs.Lock("lock", LockMode::kShared, 0).error().code, ErrorCode::kIo);
}

TEST(ReadFaults, AllReadsFailUntilTheyAreHealed) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "x").ok());
  fs.FailReadsFrom(3, ReadFault::kIoError);
  fs.FailReadAt(20, ReadFault::kIoError);
  EXPECT_EQ(Read(fs, "a"), "x");  // two reads
  EXPECT_EQ(Read(fs, "a"), "<io>");
  EXPECT_EQ(Read(fs, "a"), "<io>");
  EXPECT_FALSE(fs.Exists("a"));
  EXPECT_TRUE(WriteDurably(fs, "b", "y").ok()) << "changes go on";
  EXPECT_EQ(Read(*fs.Kill(), "a"), "x") << "and another system reads";
  fs.HealReads();
  while (fs.reads() < 30) EXPECT_EQ(Read(fs, "a"), "x");
}

TEST(ReadFaults, WithoutMappingEveryByteComesThroughACall) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "xyz").ok());
  EXPECT_EQ(fs.Open("a").value()->mapped(), "xyz");
  fs.MapFiles(false);
  EXPECT_EQ(fs.Open("a").value()->mapped(), "");
  EXPECT_EQ(fs.Open("a").value()->size(), 3u);
  EXPECT_EQ(Read(fs, "a"), "xyz");
  EXPECT_EQ(fs.Kill()->Open("a").value()->mapped(), "xyz");
}

TEST(ReadFaults, AnotherProcessReadsWithoutThem) {
  CrashFileSystem fs;
  ASSERT_TRUE(WriteDurably(fs, "a", "x").ok());
  fs.FailReadAt(1, ReadFault::kIoError);
  fs.BeforeOperation(fs.operations() + 1, [&] { EXPECT_EQ(Read(fs, "a"), "x"); });
  ASSERT_TRUE(fs.MakeDirectory("d").ok());
  EXPECT_EQ(fs.reads(), 0u);
  EXPECT_EQ(Read(fs, "a"), "<io>");
}

TEST(ReadFaults, AnOpenFileStaysAsItWasWhenItGrows) {
  CrashFileSystem fs;
  const auto writing = CreateWith(fs, "a", "one");
  const auto reading = std::move(fs.Open("a")).value();
  const auto copy = fs.Kill();
  ASSERT_TRUE(writing->Append("two").ok());
  EXPECT_EQ(reading->mapped(), "one");
  EXPECT_EQ(Read(fs, "a"), "onetwo");
  EXPECT_EQ(Read(*copy, "a"), "one") << "a copy of the disk goes its own way";
}

}  // namespace
}  // namespace oscope
