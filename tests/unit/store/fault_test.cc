// The Nth operation fails, for every N and every kind of failure: no acknowledgement, a clean error, and a store that
// goes on.
#include "tests/unit/store/store_changes.h"

namespace oscope {
namespace {

// What is there after the change failed, or worked in spite of the failure.
void ExpectOldOrNew(CrashFileSystem& fs, const PreparedChange& prepared, bool acknowledged) {
  const StoreContent found = ContentOf(fs);
  if (acknowledged || (found != prepared.before() && found != prepared.half())) {
    EXPECT_EQ(Difference(prepared.after(), found), "") << "and compared with what was there before:\n"
                                                       << Difference(prepared.before(), found);
  }
  EXPECT_EQ(TimeDifference(prepared.before(), found), "");
}

size_t TemporaryFiles(const CrashFileSystem& fs) {
  const auto files = FilesOf(fs);
  return static_cast<size_t>(std::count_if(files.begin(), files.end(), [](const auto& file) {
    return file.first.starts_with("s/tmp/") || file.first.find(".partial-") != std::string::npos;
  }));
}

void FailEverywhere(const StoreChange& change) {
  const PreparedChange prepared(change);
  std::set<std::map<std::string, std::string>> worked_on_from;
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError, Fault::kShortWrite}) {
    int failures = 0;
    for (uint64_t n = 1;; ++n) {
      const std::unique_ptr<CrashFileSystem> fs = prepared.Copy();
      Store store = Must(Store::Open(*fs, "s"));
      const size_t temporary_files = TemporaryFiles(*fs);
      const uint64_t start = fs->operations();
      fs->FailAt(start + n, fault);
      const Status status = prepared.Apply(*fs, store);
      if (fs->operations() < start + n) break;
      SCOPED_TRACE(fmt::format("operation {} of {}\n{}", n, fs->operations() - start, fs->log()));
      if (!status.ok()) {
        ++failures;
        EXPECT_EQ(status.error().code, ErrorCode::kIo) << status.error().message;
        EXPECT_FALSE(status.error().message.empty());
      }
      EXPECT_LE(TemporaryFiles(*fs), temporary_files + 1)
          << "temporary files are gone, but for one whose removal failed";
      // The process lives, and so does the store: after the loss of power, too.
      ExpectOldOrNew(*fs, prepared, status.ok());
      ExpectOldOrNew(*fs->Crash({CrashPolicy::Kind::kDropUnsynced}), prepared, status.ok());
      // The same change again works, if it had not happened. Where the failure left what an earlier one left, that was
      // seen before, but for the memory of the process, which two changes for each kind of failure may be enough for.
      if (!status.ok() && (worked_on_from.insert(FilesOf(*fs)).second || failures <= 2)) {
        const Status again = prepared.Apply(*fs, store);
        // A backup that was named and then could not be made durable is there, and stays.
        if (!again.ok() && again.error().code != ErrorCode::kConflict) EXPECT_OK(again);
      }
      if (const StoreContent now = ContentOf(*fs); !status.ok() && (now == prepared.before() || now == prepared.half()))
        continue;
      EXPECT_EQ(Difference(prepared.after(), ContentOf(*fs)), "");
      EXPECT_OK(store.Collect());
      for (const CheckProblem& problem : Must(store.Check({.deep = false})).problems) {
        EXPECT_NE(problem.what.find("quarantined"), std::string::npos)
            << "and a collection takes the rest: " << problem.what;
      }
      EXPECT_EQ(Difference(prepared.after(), ContentOf(*fs)), "");
      if (::testing::Test::HasFailure()) return;
    }
    if (::testing::Test::HasFailure()) return;
    EXPECT_GT(failures, 3);
  }
}

TEST(Fault, DuringACommit) { FailEverywhere(ACommit()); }
TEST(Fault, DuringTheFirstCommitOfAStore) { FailEverywhere(TheFirstCommit()); }
TEST(Fault, WhileARunSpills) { FailEverywhere(ACommitOfALargeRun()); }
TEST(Fault, DuringCompaction) { FailEverywhere(ACompaction()); }
TEST(Fault, DuringAnUpgrade) { FailEverywhere(AnUpgrade()); }
TEST(Fault, DuringASplitOfRanges) { FailEverywhere(ASplitOfRanges()); }
TEST(Fault, DuringAPurge) { FailEverywhere(APurgeOfABug()); }
TEST(Fault, DuringAPurgeInTwoSteps) { FailEverywhere(APurgeInTwoSteps()); }
TEST(Fault, DuringALink) { FailEverywhere(ALink()); }
TEST(Fault, DuringAnEdit) { FailEverywhere(AnEdit()); }
TEST(Fault, DuringAQuarantine) { FailEverywhere(AQuarantine()); }
TEST(Fault, DuringAChangeOfSettings) { FailEverywhere(NewSettings()); }
TEST(Fault, DuringCollection) { FailEverywhere(ACollection()); }
TEST(Fault, DuringABackup) { FailEverywhere(ABackup()); }
TEST(Fault, DuringABackupWithAQuarantinedSegment) { FailEverywhere(ABackupWithAQuarantinedSegment()); }
TEST(Fault, DuringAMerge) { FailEverywhere(AMerge()); }
TEST(Fault, DuringReindexing) { FailEverywhere(AReindexing()); }

// The one commit in 64 that writes a list of segments fails at what the others do not have.
TEST(Fault, WhileSegmentsMoveIntoAGroup) {
  const PreparedChange prepared(ACommitThatMakesAGroup());
  int failures = 0;
  for (uint64_t n = 1;; ++n) {
    const std::unique_ptr<CrashFileSystem> fs = prepared.Copy();
    Store store = Must(Store::Open(*fs, "s"));
    const uint64_t start = fs->operations();
    fs->FailAt(start + n, Fault::kIoError);
    const Status status = prepared.Apply(*fs, store);
    if (fs->operations() < start + n) break;
    SCOPED_TRACE(fs->log());
    if (!status.ok()) ++failures;
    ExpectOldOrNew(*fs, prepared, status.ok());
    const bool is_new = ContentOf(*fs) == prepared.after();
    EXPECT_EQ(Must(fs->List("s/groups")).size(), is_new ? 1u : 0u) << "a group that no version names is removed";
    EXPECT_OK(CommitRuns(store, {{66, "", "w"}}));
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 5);
}

TEST(Fault, DuringInit) {
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError, Fault::kShortWrite}) {
    int failures = 0;
    for (uint64_t n = 1;; ++n) {
      CrashFileSystem fs;
      fs.FailAt(n, fault);
      const auto created = Store::Create(fs, "s");
      if (fs.operations() < n) break;
      SCOPED_TRACE(fs.log());
      if (!created.ok()) {
        ++failures;
        EXPECT_EQ(created.error().code, ErrorCode::kIo) << created.error().message;
      }
      const auto after = fs.Crash({CrashPolicy::Kind::kDropUnsynced});
      if (created.ok()) EXPECT_OK(Store::Open(*after, "s"));
      for (CrashFileSystem* now : {&fs, after.get()}) {
        // A second init works, or the first one did after all.
        auto again = Store::Create(*now, "s");
        if (!again.ok()) {
          ASSERT_EQ(again.error().code, ErrorCode::kConflict) << again.error().message;
          again = Store::Open(*now, "s");
        }
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_OK(CommitRuns(*again, {{1, "", "abc"}}));
        EXPECT_EQ(RunsIn(*again), std::set<uint64_t>{1});
      }
      if (HasFailure()) return;
    }
    EXPECT_GT(failures, 10);
  }
}

}  // namespace
}  // namespace oscope
