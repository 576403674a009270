// Whole files written and read through the seam of the file system, which fails at every step and loses what was not
// synced.
#include <gtest/gtest.h>

#include "index/store/index_file.h"
#include "tests/support/crash_file_system.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

TEST(DurableFile, AnErrorOfAnyStepComesBack) {
  uint64_t failed = 0;
  for (uint64_t n = 1;; ++n) {
    CrashFileSystem fs;
    fs.FailAt(n, Fault::kIoError);
    const Status written = WriteDurably(fs, "a", "hello");
    if (fs.operations() < n) {
      EXPECT_OK(written);
      break;
    }
    ++failed;
    ASSERT_FALSE(written.ok()) << fs.log();
    EXPECT_EQ(written.error().code, ErrorCode::kIo);
  }
  EXPECT_EQ(failed, 4u) << "create, append, sync, close";
}

// The name is the caller's affair; the bytes must be on the disk.
TEST(DurableFile, ItsBytesSurviveWhateverHappensToTheNamesOfFiles) {
  CrashFileSystem fs;
  ASSERT_OK(WriteDurably(fs, "a", "hello"));
  for (const CrashPolicy policy : EveryCrashPolicy(10)) {
    const auto after = fs.Crash(policy);
    if (!after->Exists("a")) continue;
    EXPECT_EQ(Must(ReadWholeFile(*after, "a", 10)), "hello") << ToString(policy);
  }
  ASSERT_OK(fs.SyncDirectory("."));
  for (const CrashPolicy policy : EveryCrashPolicy(10))
    EXPECT_EQ(Must(ReadWholeFile(*fs.Crash(policy), "a", 10)), "hello") << ToString(policy);
}

TEST(DurableFile, AReadThatFailsIsAnError) {
  CrashFileSystem fs;
  ASSERT_OK(WriteDurably(fs, "a", "hello"));
  for (const ReadFault fault : {ReadFault::kIoError, ReadFault::kShort}) {
    for (uint64_t n = 1;; ++n) {
      const auto again = fs.Kill();
      again->FailReadAt(n, fault);
      const auto bytes = ReadWholeFile(*again, "a", 10);
      if (again->reads() < n) {
        EXPECT_EQ(Must(bytes), "hello");
        EXPECT_EQ(n, 3u) << "the file is opened and read";
        break;
      }
      // A file that is found shorter is as long as it is: whoever wrote it knows better.
      if (n == 1 && fault == ReadFault::kShort) {
        EXPECT_EQ(Must(bytes), "he");
      } else {
        EXPECT_EQ(bytes.error().code, ErrorCode::kIo);
      }
    }
  }
}

// --- the index file of a segment ---

std::vector<IndexSection> Sections() {
  // One so large that the file is written in several pieces.
  return {{1, 1, std::string(100, 'a')}, {2, 1, std::string(3 << 20, 'b')}, {3, 1, "c"}, {4, 1, ""}};
}

TEST(IndexFileWriting, AnErrorOfAnyStepComesBackAndLeavesNothing) {
  const std::string segment(32, '7');
  uint64_t failed = 0;
  for (uint64_t n = 1;; ++n) {
    CrashFileSystem fs;
    Must(Store::Create(fs, "s"));
    const StoreFiles files(fs, "s");
    const auto before = fs.Files("s");
    const uint64_t first = fs.operations();
    fs.FailAt(first + n, Fault::kShortWrite);
    const Status written = IndexFile::Write(files, segment, Sections());
    if (fs.operations() < first + n) {
      ASSERT_OK(written);
      EXPECT_EQ(Must(ReadWholeFile(fs, files.IndexPath(segment), 8 << 20)), IndexFile::Encode(segment, Sections()));
      EXPECT_EQ(fs.Files("s").size(), before.size() + 1);
      break;
    }
    ++failed;
    ASSERT_FALSE(written.ok()) << fs.log();
    EXPECT_EQ(written.error().code, ErrorCode::kIo);
    EXPECT_EQ(fs.Files("s"), before) << fs.log();
  }
  EXPECT_GE(failed, 6u) << "create, three pieces, close, rename";
}

TEST(IndexFileWriting, AReadThatFailsOrIsShortIsAnError) {
  const std::string segment(32, '7');
  CrashFileSystem written;
  Must(Store::Create(written, "s"));
  ASSERT_OK(IndexFile::Write(StoreFiles(written, "s"), segment, Sections()));
  for (const ReadFault fault : {ReadFault::kIoError, ReadFault::kShort, ReadFault::kNotFound}) {
    for (uint64_t n = 1;; ++n) {
      const auto fs = written.Kill();
      fs->MapFiles(false);
      fs->FailReadAt(n, fault);
      const auto index = IndexFile::Load(StoreFiles(*fs, "s"), segment);
      if (fs->reads() < n) {
        ASSERT_OK(index);
        EXPECT_EQ((*index)->bytes(), IndexFile::Encode(segment, Sections()));
        EXPECT_EQ(n, 3u);
        break;
      }
      ASSERT_FALSE(index.ok()) << n;
      const bool missing = fault == ReadFault::kNotFound && n == 1, cut = fault == ReadFault::kShort && n == 1;
      EXPECT_EQ(index.error().code, missing ? ErrorCode::kNotFound
                                    : cut   ? ErrorCode::kCorrupt
                                            : ErrorCode::kIo)
          << index.error().message;
    }
  }
}

}  // namespace
}  // namespace oscope
