// A purge on a disk that is full: what needs no space goes, the rest is named, and can be purged later.
#include <cerrno>

#include "tests/support/watched_file_system.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class FullDiskTest : public ::testing::Test {
 protected:
  CrashFileSystem disk_;
  WatchedFileSystem fs_{disk_};
  Store store_ = Must(Store::Create(fs_, "s"));

  void Commit(const std::string& project, const std::vector<WordRun>& words) {
    Must(CommitChanged(store_, words, [&](oscope::Run& run) {
      if (run.header.id.value.low % 2 == 1) run.header.project = project;
    }));
  }
  uint64_t Used() const {
    uint64_t bytes = 0;
    for (const auto& [path, content] : disk_.Files("/")) bytes += content.size();
    return bytes;
  }
  // From now on nothing is written before as much was removed.
  void Fill() {
    fs_.BeforeEach([this, capacity = Used()](const FileOperation& operation) -> Status {
      if (operation.kind != FileOperation::Kind::kAppend || Used() < capacity) return {};
      return IoError(ENOSPC, "write", operation.path);
    });
  }
  // Somebody else takes the space that the first commit frees, and all that there is.
  void FillAfterFirstCommit() {
    fs_.BeforeEach([full = false](const FileOperation& operation) mutable -> Status {
      full = full || operation.kind == FileOperation::Kind::kLink;
      if (!full || operation.kind != FileOperation::Kind::kAppend) return {};
      return IoError(ENOSPC, "write", operation.path);
    });
  }
  void Empty() { fs_.BeforeEach({}); }

  static PurgeFilter Project(const std::string& project) {
    PurgeFilter filter;
    filter.project = project;
    filter.bugs_too = true;
    return filter;
  }
  std::vector<std::string> SegmentsOf(const std::vector<uint64_t>& runs) const {
    const Snapshot snapshot = Must(store_.Read());
    std::vector<std::string> ids;
    for (const uint64_t run : runs) ids.push_back(Must(snapshot.PlaceOf(IdOf(run)))->segment->id);
    return ids;
  }
  void ExpectClean() {
    for (const CheckProblem& problem : Must(store_.Check()).problems) ADD_FAILURE() << problem.what;
  }
};

TEST_F(FullDiskTest, WhatGoesWholeNeedsNoSpace) {
  Commit("old", {{1, "7", "abc"}, {3, "8", "abd"}});
  Commit("old", {{5, "7", "abe"}});
  Commit("demo", {{2, "7", "abf"}});
  Fill();
  EXPECT_EQ(CommitRuns(store_, {{100, "7", "abg"}}).error().code, ErrorCode::kIo) << "not a byte is left";
  const uint64_t before = Used();
  const PurgeResult result = Must(store_.Purge(Project("old")));
  EXPECT_EQ(result.runs, 3u);
  EXPECT_EQ(result.bugs, 2u);
  EXPECT_EQ(result.segments_dropped, 2u);
  EXPECT_EQ(result.segments_rewritten, 0u);
  EXPECT_GT(before, Used() + result.bytes_freed - 1);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  ExpectClean();
  EXPECT_OK(CommitRuns(store_, {{100, "7", "abg"}}));
}

TEST_F(FullDiskTest, WhatMustBeRewrittenIsNamed) {
  Commit("old", {{1, "7", "abc"}, {3, "7", "abd"}});
  Commit("old", {{5, "8", "abe"}, {2, "7", "abf"}});
  Commit("old", {{7, "8", "abg"}, {9, "8", "abh"}, {4, "7", "abi"}});
  const std::vector<std::string> rewritten = SegmentsOf({5, 7});
  FillAfterFirstCommit();
  const auto purged = store_.Purge(Project("old"));
  ASSERT_FALSE(purged.ok());
  const Error& error = purged.error();
  EXPECT_EQ(error.code, ErrorCode::kIo);
  const auto told = [&](const std::string& part) { return error.message.find(part) != std::string::npos; };
  EXPECT_TRUE(told("No space left on device; deleted: 2 runs of project old and 1 report in 1 segment of "))
      << error.message;
  EXPECT_TRUE(told("; left: 3 runs of project old and 1 report in 2 segments of ")) << error.message;
  EXPECT_TRUE(
      told(fmt::format(" that could not be rewritten ({}, {}); purge again for the rest, with more room if the "
                       "disk is full",
                       rewritten[0], rewritten[1])))
      << error.message;
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{2, 4, 5, 7, 9}));
  ExpectClean();
  Empty();
  const PurgeResult rest = Must(store_.Purge(Project("old")));
  EXPECT_EQ(rest.runs, 3u);
  EXPECT_EQ(rest.bugs, 1u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{2, 4}));
  ExpectClean();
}

// The first commit makes the room that the second needs.
TEST_F(FullDiskTest, WhatIsDroppedMakesRoomForWhatIsRewritten) {
  std::vector<WordRun> many;
  for (uint64_t i = 0; i < 300; ++i)
    many.push_back({1001 + 2 * i, "7", std::string(100, static_cast<char>('a' + i % 26))});
  Commit("old", many);
  Commit("old", {{5, "8", "abe"}, {2, "7", "abf"}});
  Fill();
  const PurgeResult result = Must(store_.Purge(Project("old")));
  EXPECT_EQ(result.segments_dropped, 1u);
  EXPECT_EQ(result.segments_rewritten, 1u);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  ExpectClean();
}

TEST_F(FullDiskTest, NothingIsDeletedWhenAllMustBeRewritten) {
  for (uint64_t i = 0; i < 12; ++i) Commit("old", {{1 + 2 * i, "7", "abc"}, {2 + 2 * i, "7", "abd"}});
  const std::set<uint64_t> all = RunsIn(store_);
  Fill();
  const auto purged = store_.Purge(Project("old"));
  ASSERT_FALSE(purged.ok());
  EXPECT_NE(purged.error().message.find("; deleted: nothing; left: 12 runs of project old and 1 report in 12 segments"),
            std::string::npos)
      << purged.error().message;
  EXPECT_NE(purged.error().message.find(" and 2 more); purge again"), std::string::npos) << purged.error().message;
  EXPECT_EQ(RunsIn(store_), all);
  Empty();
  ExpectClean();
  EXPECT_EQ(Must(store_.Purge(Project("old"))).runs, 12u);
}

TEST_F(FullDiskTest, AFirstCommitThatFailsSaysWhatIsKnown) {
  Commit("old", {{1, "7", "abc"}});
  Commit("demo", {{2, "7", "abd"}});
  const auto fail = [&](FileOperation::Kind kind, const std::string& directory) {
    fs_.BeforeEach([=](const FileOperation& operation) -> Status {
      if (operation.kind != kind || operation.path.find(directory) == std::string::npos) return {};
      return IoError(ENOSPC, "write", operation.path);
    });
    return store_.Purge(Project("old")).error().message;
  };
  const std::string full = fail(FileOperation::Kind::kAppend, "s/tmp");
  EXPECT_NE(full.find("; nothing is deleted; purge again, with a little more room"), std::string::npos) << full;
  Empty();
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2}));
  const std::string unknown = fail(FileOperation::Kind::kSyncDirectory, "s/manifests");
  EXPECT_NE(unknown.find("; perhaps deleted: 1 run of project old and 1 report in 1 segment of "), std::string::npos)
      << unknown;
  Empty();
  Must(store_.Purge(Project("old")));
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
}

// A report that goes for its runs' sake goes with them: after the first commit alone the filter would not find it.
TEST_F(FullDiskTest, TheSamePurgeFinishesWhatWasInterrupted) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(CommitRuns(store_, {{3, "7", "abe"}}));
  Must(CommitRuns(store_, {{4, "9", "abf"}}));
  PurgeFilter filter;
  filter.bugs = {{"demo", "7"}, {"demo", "9"}};
  filter.failing = true;
  FillAfterFirstCommit();
  EXPECT_EQ(store_.Purge(filter).error().code, ErrorCode::kIo);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2, 3})) << "bug 9 has a segment of its own";
  Empty();
  const PurgeResult rest = Must(store_.Purge(filter));
  EXPECT_EQ(rest.runs, 2u);
  EXPECT_EQ(rest.bugs, 1u);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  ExpectClean();
}

// Of two revisions in two segments the newer must not go first: the older would count again.
TEST_F(FullDiskTest, AReportIsNeverWithoutItsNewestRevision) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(store_.EditBug({"demo", "7"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "edited";
    return next;
  }));
  PurgeFilter filter;
  filter.bugs = {{"demo", "7"}};
  EXPECT_EQ(Must(store_.Purge(filter, /*dry_run=*/true)).segments_dropped, 0u);
  EXPECT_EQ(Must(store_.Purge(filter, /*dry_run=*/true)).segments_rewritten, 2u);
  Fill();
  EXPECT_EQ(store_.Purge(filter).error().code, ErrorCode::kIo);
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"demo", "7"}))->title, "edited");
}

}  // namespace
}  // namespace oscope
