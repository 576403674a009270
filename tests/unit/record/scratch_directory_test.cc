// Where a recording lies until it is read: nothing of it stays, and nothing goes that somebody still needs.
#include "tracer/record/scratch_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tracer/raw/raw_format.h"
#include "tracer/raw/recording_directory.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;

class ScratchDirectoryTest : public testing::Test {
 protected:
  ScratchDirectoryTest() {
    std::string name = testing::TempDir() + "scratch.XXXXXX";
    root_ = ::mkdtemp(name.data());
  }
  ~ScratchDirectoryTest() override { fs::remove_all(root_); }

  // What somebody left who was killed: a directory that nobody has locked.
  std::string Left(const std::string& name) const {
    fs::create_directories(root_ + "/" + name + "/inner");
    std::ofstream(root_ + "/" + name + "/inner/file") << "x";
    return root_ + "/" + name;
  }
  // The same, with a process that records there.
  std::string LeftBy(const std::string& name, pid_t pid) const {
    const std::string path = Left(name);
    OscRawControl control{};
    control.magic = OSC_RAW_CONTROL_MAGIC;
    control.process_limit = 8;
    control.processes = 1;
    control.pids[0] = static_cast<unsigned>(pid);
    std::string bytes(OSC_RAW_CONTROL_BYTES, '\0');
    std::memcpy(bytes.data(), &control, sizeof control);
    std::ofstream(path + "/control", std::ios::binary) << bytes;
    return path;
  }
  size_t Count() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(root_), fs::directory_iterator()));
  }

  std::string root_;
};

TEST_F(ScratchDirectoryTest, LivesAsLongAsItsOwner) {
  {
    Result<ScratchDirectory> one = ScratchDirectory::Make(root_);
    ASSERT_TRUE(one.ok());
    EXPECT_TRUE(one->path().starts_with(root_ + "/oscope-recording."));
    EXPECT_EQ(fs::status(one->path()).permissions(), fs::perms::owner_all);
    std::ofstream(one->path() + "/file") << "x";
    ScratchDirectory other = *std::move(one);
    EXPECT_TRUE(fs::exists(other.path() + "/file"));
    Result<ScratchDirectory> third = ScratchDirectory::Make(root_);
    EXPECT_EQ(Count(), 2u);
    other = *std::move(third);
    EXPECT_TRUE(fs::is_directory(other.path()));
  }
  EXPECT_EQ(Count(), 0u);
}

TEST_F(ScratchDirectoryTest, IsMadeInTheTemporaryDirectoryOfTheEnvironment) {
  const char* before = ::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", root_.c_str(), 1);
  EXPECT_EQ(fs::path(ScratchDirectory::Make("")->path()).parent_path(), root_);
  ::setenv("TMPDIR", "", 1);
  EXPECT_EQ(fs::path(ScratchDirectory::Make("")->path()).parent_path(), "/tmp");
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST_F(ScratchDirectoryTest, HasAnAbsolutePath) {
  const fs::path here = fs::current_path();
  fs::current_path(root_);
  const std::string path = ScratchDirectory::Make(".")->path();
  fs::current_path(here);
  EXPECT_TRUE(fs::path(path).is_absolute()) << path;
}

TEST_F(ScratchDirectoryTest, SaysWhereItCannotBeMade) {
  const Result<ScratchDirectory> made = ScratchDirectory::Make(root_ + "/none");
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find(root_ + "/none"), std::string::npos) << made.error().message;
}

TEST_F(ScratchDirectoryTest, WhatNobodyOwnsIsRemoved) {
  const std::string left = Left("oscope-recording.abcdef");
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_FALSE(fs::exists(left));
  ScratchDirectory::RemoveAbandoned(root_ + "/none");  // there is nothing to remove
}

TEST_F(ScratchDirectoryTest, WhatIsNoneOfOursStays) {
  fs::create_directory_symlink("/", root_ + "/oscope-recording.linked");
  std::ofstream(root_ + "/oscope-recording.a_file") << "x";
  for (const char* name :
       {"oscope-recording.abcde", "oscope-recording.abcdefg", "another-recording.abcdef", "oscope-recording."})
    Left(name);
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_EQ(Count(), 6u);
}

TEST_F(ScratchDirectoryTest, WhatAnotherOwnsStays) {
  const Result<ScratchDirectory> owned = ScratchDirectory::Make(root_);
  const std::string locked = Left("oscope-recording.locked");
  const int lock = ::open(locked.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_EQ(Count(), 2u);
  ::close(lock);
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_EQ(Count(), 1u);
  EXPECT_TRUE(fs::exists(owned->path()));
}

TEST_F(ScratchDirectoryTest, WhatAProcessStillWritesToStays) {
  const std::string running = LeftBy("oscope-recording.living", ::getpid());
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  siginfo_t facts;
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(ended), &facts, WEXITED | WNOWAIT),
            0);  // it has ended, and nobody has asked how
  const std::string zombie = LeftBy("oscope-recording.zombie", ended);
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_TRUE(fs::exists(running));
  EXPECT_FALSE(fs::exists(zombie)) << "a process that has ended writes no more";
  ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
  // An owner leaves it as well.
  std::string owned;
  {
    const Result<ScratchDirectory> one = ScratchDirectory::Make(root_);
    ASSERT_TRUE(one.ok());
    owned = one->path();
    fs::copy(running, owned, fs::copy_options::recursive);
  }
  EXPECT_TRUE(fs::exists(owned));
}

TEST_F(ScratchDirectoryTest, WhatAnotherUserOwnsStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a directory to another user";
  const std::string others = Left("oscope-recording.others");
  ASSERT_EQ(::chown(others.c_str(), 65534, 65534), 0);
  ScratchDirectory::RemoveAbandoned(root_);
  EXPECT_TRUE(fs::exists(others));
}

}  // namespace
}  // namespace oscope
