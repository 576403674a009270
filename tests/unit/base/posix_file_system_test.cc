#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/cancel.h"
#include "base/file_system.h"

namespace oscope {
namespace {

class PosixFileSystemTest : public ::testing::Test {
 protected:
  PosixFileSystemTest() {
    std::string pattern = ::testing::TempDir() + "oscope-XXXXXX";
    OSCOPE_CHECK(::mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
  }
  ~PosixFileSystemTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(std::string_view name) const { return JoinPath(directory_, name); }

  FileSystem& fs_ = PosixFileSystem();
  std::string directory_;
};

TEST_F(PosixFileSystemTest, WritesAndReadsBack) {
  ASSERT_TRUE(WriteDurably(fs_, Path("a"), "hello").ok());
  EXPECT_EQ(*ReadWholeFile(fs_, Path("a"), 5), "hello");
  EXPECT_EQ(ReadWholeFile(fs_, Path("a"), 4).error().code, ErrorCode::kLimit);
  struct stat facts{};
  ASSERT_EQ(::stat(Path("a").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);

  const auto file = std::move(fs_.Open(Path("a"))).value();
  EXPECT_EQ(file->mapped(), "hello");
  char out[3] = {};
  ASSERT_TRUE(file->ReadAt(2, 3, out).ok());
  EXPECT_EQ(std::string_view(out, 3), "llo");
  EXPECT_EQ(file->ReadAt(3, 3, out).error().code, ErrorCode::kIo);
  EXPECT_EQ(file->ReadAt(UINT64_MAX, 2, out).error().code, ErrorCode::kIo);
}

TEST_F(PosixFileSystemTest, AFileCutShortWhileOpenIsAnError) {
  ASSERT_TRUE(WriteDurably(fs_, Path("a"), "hello").ok());
  const auto file = std::move(fs_.Open(Path("a"))).value();
  ASSERT_EQ(::truncate(Path("a").c_str(), 2), 0);
  char out[5] = {};
  EXPECT_EQ(file->ReadAt(0, 5, out).error().code, ErrorCode::kIo);
}

TEST_F(PosixFileSystemTest, AnEmptyFileIsReadButNotMapped) {
  ASSERT_TRUE(WriteDurably(fs_, Path("a"), "").ok());
  EXPECT_EQ(*ReadWholeFile(fs_, Path("a"), 0), "");
  EXPECT_TRUE((*fs_.Open(Path("a")))->mapped().empty());
}

TEST_F(PosixFileSystemTest, CreateAndLinkRefuseANameThatIsTaken) {
  ASSERT_TRUE(WriteDurably(fs_, Path("a"), "a").ok());
  ASSERT_TRUE(WriteDurably(fs_, Path("b"), "b").ok());
  EXPECT_EQ(fs_.Create(Path("a")).error().code, ErrorCode::kConflict);
  EXPECT_EQ(fs_.Link(Path("a"), Path("b")).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(fs_.Link(Path("a"), Path("c")).ok());
  ASSERT_TRUE(fs_.Rename(Path("b"), Path("a")).ok());
  EXPECT_EQ(*ReadWholeFile(fs_, Path("a"), 9), "b");
  EXPECT_EQ(*ReadWholeFile(fs_, Path("c"), 9), "a");
}

TEST_F(PosixFileSystemTest, WhatIsMissingIsNotFound) {
  EXPECT_EQ(fs_.Open(Path("a")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs_.Remove(Path("a")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs_.Rename(Path("a"), Path("b")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs_.List(Path("a")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs_.SyncDirectory(Path("a")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(fs_.Open(Path("a")).error().message, "open " + Path("a") + ": No such file or directory");
}

TEST_F(PosixFileSystemTest, LinksAreNotFollowed) {
  ASSERT_TRUE(WriteDurably(fs_, Path("secret"), "x").ok());
  ASSERT_EQ(::symlink(Path("secret").c_str(), Path("planted").c_str()), 0);
  EXPECT_EQ(fs_.Open(Path("planted")).error().code, ErrorCode::kIo);
  EXPECT_EQ(fs_.Create(Path("planted")).error().code, ErrorCode::kConflict);
  EXPECT_EQ(fs_.Lock(Path("planted"), LockMode::kShared, 0).error().code, ErrorCode::kIo);
  EXPECT_TRUE(fs_.Exists(Path("planted")));
}

TEST_F(PosixFileSystemTest, WhatIsNoRegularFileIsNotOpened) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(fs_.Open(Path("pipe")).error().code, ErrorCode::kIo);
  EXPECT_EQ(fs_.Open(directory_).error().code, ErrorCode::kIo);
}

TEST_F(PosixFileSystemTest, Directories) {
  ASSERT_TRUE(fs_.MakeDirectory(Path("d")).ok());
  EXPECT_TRUE(fs_.MakeDirectory(Path("d")).ok());
  ASSERT_TRUE(WriteDurably(fs_, Path("d/b"), "").ok());
  ASSERT_TRUE(WriteDurably(fs_, Path("d/a"), "").ok());
  EXPECT_EQ(fs_.MakeDirectory(Path("d/a")).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(fs_.SyncDirectory(Path("d")).ok());
  EXPECT_EQ(*fs_.List(Path("d")), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fs_.RemoveDirectory(Path("d")).error().code, ErrorCode::kIo);
  ASSERT_TRUE(fs_.Remove(Path("d/a")).ok());
  ASSERT_TRUE(fs_.Remove(Path("d/b")).ok());
  EXPECT_TRUE(fs_.RemoveDirectory(Path("d")).ok());
  EXPECT_FALSE(fs_.Exists(Path("d")));
}

TEST_F(PosixFileSystemTest, AClosedFileTakesNoMore) {
  const auto file = std::move(fs_.Create(Path("a"))).value();
  ASSERT_TRUE(file->Close().ok());
  EXPECT_EQ(file->Append("x").error().code, ErrorCode::kIo);
  EXPECT_FALSE(file->Append("").ok()) << "nothing to write is no excuse";
  EXPECT_EQ(file->Sync().error().code, ErrorCode::kIo);
  EXPECT_EQ(file->Close().error().code, ErrorCode::kIo);
}

TEST_F(PosixFileSystemTest, LocksExclude) {
  auto shared = fs_.Lock(Path("l"), LockMode::kShared, 0);
  ASSERT_TRUE(shared.ok());
  EXPECT_TRUE(fs_.Lock(Path("l"), LockMode::kShared, 0).ok());
  EXPECT_EQ(fs_.Lock(Path("l"), LockMode::kExclusive, 0).error().code, ErrorCode::kBusy);
  bool got = false;
  std::thread waiter([&] { got = fs_.Lock(Path("l"), LockMode::kExclusive, 60'000).ok(); });
  shared.value().reset();
  waiter.join();
  EXPECT_TRUE(got);
  EXPECT_EQ(fs_.Lock(Path("none/l"), LockMode::kShared, 0).error().code, ErrorCode::kIo);
}

// Once, nothing but a second Ctrl-C ended the wait before its time was up.
TEST_F(PosixFileSystemTest, AWaitForALockEndsWhenItIsCancelled) {
  constexpr int kFarTooLongMs = 3'600'000;
  auto held = fs_.Lock(Path("l"), LockMode::kExclusive, 0);
  ASSERT_TRUE(held.ok());
  CancelSource source;
  source.Cancel();
  const auto waited = fs_.Lock(Path("l"), LockMode::kShared, kFarTooLongMs, source.token());
  const auto asked_once = fs_.Lock(Path("l"), LockMode::kShared, 0, source.token());
  const auto was_free = fs_.Lock(Path("other"), LockMode::kShared, kFarTooLongMs, source.token());
  ASSERT_FALSE(waited.ok());
  EXPECT_EQ(waited.error().code, ErrorCode::kCancelled);
  ASSERT_FALSE(asked_once.ok());
  EXPECT_EQ(asked_once.error().code, ErrorCode::kBusy) << "who does not wait is told what it asked";
  EXPECT_TRUE(was_free.ok()) << "what is free is given";
}

TEST_F(PosixFileSystemTest, AReaderLocksAFileItMayNotWrite) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  ASSERT_TRUE(WriteDurably(fs_, Path("l"), "").ok());
  ASSERT_EQ(::chmod(Path("l").c_str(), 0400), 0);
  EXPECT_TRUE(fs_.Lock(Path("l"), LockMode::kShared, 0).ok());
  ASSERT_EQ(::chmod(directory_.c_str(), 0500), 0);
  EXPECT_EQ(fs_.Lock(Path("other"), LockMode::kShared, 0).error().code, ErrorCode::kIo);
  ASSERT_EQ(::chmod(directory_.c_str(), 0700), 0);
}

TEST(Paths, JoinAndSplit) {
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
  EXPECT_EQ(BaseName("a/b"), "b");
  EXPECT_EQ(BaseName("a/b/"), "b");
  EXPECT_EQ(BaseName("b"), "b");
  EXPECT_EQ(BaseName("/"), "/");
  EXPECT_EQ(DirName("a/b"), "a");
  EXPECT_EQ(DirName("a//b/"), "a");
  EXPECT_EQ(DirName("b"), ".");
  EXPECT_EQ(DirName("/b"), "/");
  EXPECT_EQ(DirName("/"), "/");
}

}  // namespace
}  // namespace oscope
