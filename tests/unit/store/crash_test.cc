// Power loss at every operation of everything that writes: the old content or the new, and whatever was acknowledged.
#include "index/store/index_file.h"
#include "tests/unit/store/store_changes.h"

namespace oscope {
namespace {

// What a reader may find after the power loss, and that the store works on.
class Aftermath {
 public:
  // `half` may be found too: of a change that makes two commits.
  Aftermath(const StoreContent& before, const StoreContent& half, const StoreContent& after)
      : before_(before), half_(half), after_(after) {}
  Aftermath(const StoreContent& before, const StoreContent& after) : Aftermath(before, before, after) {}

  void ExpectOldOrNew(CrashFileSystem& fs, bool acknowledged) {
    const StoreContent found = ContentOf(fs);
    if (acknowledged || (found != before_ && found != half_)) {
      ASSERT_EQ(Difference(after_, found), "") << "and compared with what was there before:\n"
                                               << Difference(before_, found);
    }
    EXPECT_EQ(TimeDifference(before_, found), "");
    ExpectLifeGoesOn(fs, found);
  }

 private:
  // Collect, check, write, read. Many crashes leave the same behind when the orphans are gone.
  static void ExpectLifeGoesOn(CrashFileSystem& fs, const StoreContent& found) {
    static std::set<std::pair<std::map<std::string, std::string>, std::multiset<std::string>>> known;
    Store store = Must(Store::Open(fs, "s"));
    EXPECT_OK(store.Collect());
    EXPECT_EQ(Difference(found, ContentOf(fs)), "") << "after a collection";
    if (!known.emplace(found.entries, ShapeOf(fs)).second) return;
    ExpectReadAndChecked(fs, found);
    ASSERT_OK(CommitRuns(store, {{999, "", "later"}}));
    StoreContent later = ContentOf(fs);
    EXPECT_EQ(later.entries.erase("s: run 999"), 1u);
    EXPECT_EQ(Difference(found, later), "");
  }

  // Which files there are, but for the ids in their names, and which indexes are whole.
  static std::multiset<std::string> ShapeOf(const CrashFileSystem& fs) {
    std::multiset<std::string> shape;
    for (const auto& [path, bytes] : FilesOf(fs)) {
      if (path.find(".partial-") != std::string::npos) continue;  // of a backup: no store, and beside it
      const std::string name = BaseName(path), id = name.substr(0, name.find('.'));
      std::string kind = DirName(path) + name.substr(id.size());
      if (path.ends_with(".osix")) {
        const auto index = IndexFile::Decode(bytes, id);
        kind += index.ok() && (*index)->CheckAll().ok() ? " whole" : " torn";
      }
      shape.insert(kind);
    }
    return shape;
  }

  const StoreContent& before_;
  const StoreContent& half_;
  const StoreContent& after_;
};

std::vector<CrashPolicy> PlainestPolicies() {
  return {{CrashPolicy::Kind::kDropUnsynced}, {CrashPolicy::Kind::kKeepEverything}};
}

// Loses power under each policy. Two policies that leave the same files behind are one.
void LosePower(const CrashFileSystem& fs, const std::vector<CrashPolicy>& policies,
               const std::function<void(CrashFileSystem&)>& expect) {
  std::set<std::map<std::string, std::string>> seen;
  for (const CrashPolicy policy : policies) {
    const auto after = fs.Crash(policy);
    if (!seen.insert(after->Files("/")).second) continue;
    SCOPED_TRACE(fmt::format("operation {}, {}\n{}", fs.operations(), ToString(policy), fs.log()));
    expect(*after);
    if (::testing::Test::HasFailure()) return;
  }
}

// Makes the change, losing power at each operation in turn under each policy.
void LosePowerEverywhere(
    const StoreChange& change, const std::vector<CrashPolicy>& policies,
    const std::function<void(CrashFileSystem&)>& expect_if_acknowledged = [](CrashFileSystem&) {}) {
  const PreparedChange prepared(change);
  Aftermath aftermath(prepared.before(), prepared.half(), prepared.after());
  for (uint64_t n = 1;; ++n) {
    const std::unique_ptr<CrashFileSystem> fs = prepared.Copy();
    bool acknowledged = false;
    {
      Store store = Must(Store::Open(*fs, "s"));
      fs->CrashAt(fs->operations() + n);
      acknowledged = prepared.Apply(*fs, store).ok();
    }
    LosePower(*fs, policies, [&](CrashFileSystem& after) {
      aftermath.ExpectOldOrNew(after, acknowledged);
      if (acknowledged) expect_if_acknowledged(after);
    });
    if (::testing::Test::HasFailure()) return;
    if (!fs->crashed()) {
      EXPECT_TRUE(acknowledged);
      EXPECT_GT(n, 4u) << "the change wrote something";
      return;
    }
  }
}

TEST(Crash, DuringACommit) { LosePowerEverywhere(ACommit(), EveryCrashPolicy(6)); }
TEST(Crash, DuringTheFirstCommitOfAStore) { LosePowerEverywhere(TheFirstCommit(), EveryCrashPolicy(6)); }
TEST(Crash, WhileSomethingIsAttached) { LosePowerEverywhere(AnAttachment(), EveryCrashPolicy(6)); }
TEST(Crash, WhileSomethingIsDetached) { LosePowerEverywhere(ADetachment(), EveryCrashPolicy(3)); }
TEST(Crash, WhileSegmentsMoveIntoAGroup) { LosePowerEverywhere(ACommitThatMakesAGroup(), PlainestPolicies()); }
TEST(Crash, WhileARunSpills) { LosePowerEverywhere(ACommitOfALargeRun(), EveryCrashPolicy(6)); }
TEST(Crash, DuringCompaction) { LosePowerEverywhere(ACompaction(), EveryCrashPolicy(3)); }
TEST(Crash, DuringAnUpgrade) { LosePowerEverywhere(AnUpgrade(), EveryCrashPolicy(0)); }
TEST(Crash, DuringASplitOfRanges) { LosePowerEverywhere(ASplitOfRanges(), EveryCrashPolicy(0)); }
TEST(Crash, DuringAPurge) { LosePowerEverywhere(APurgeOfABug(), EveryCrashPolicy(3)); }
TEST(Crash, DuringAPurgeInTwoSteps) { LosePowerEverywhere(APurgeInTwoSteps(), EveryCrashPolicy(3)); }
TEST(Crash, DuringALink) { LosePowerEverywhere(ALink(), EveryCrashPolicy(3)); }
TEST(Crash, DuringAnEdit) { LosePowerEverywhere(AnEdit(), EveryCrashPolicy(6)); }
TEST(Crash, DuringAQuarantine) { LosePowerEverywhere(AQuarantine(), EveryCrashPolicy(6)); }
TEST(Crash, DuringAChangeOfSettings) { LosePowerEverywhere(NewSettings(), EveryCrashPolicy(6)); }
TEST(Crash, DuringCollection) { LosePowerEverywhere(ACollection(), EveryCrashPolicy(3)); }
TEST(Crash, DuringReindexing) { LosePowerEverywhere(AReindexing(), EveryCrashPolicy(3)); }
TEST(Crash, DuringAMerge) { LosePowerEverywhere(AMerge(), EveryCrashPolicy(3)); }

// A backup is whole, with its indexes, or not there.
void ExpectWholeCopy(CrashFileSystem& fs) {
  Store copy = Must(Store::Open(fs, "copy"));
  const CheckResult check = Must(copy.Check());
  EXPECT_TRUE(check.healthy());
  for (const CheckProblem& problem : check.problems)
    EXPECT_NE(problem.what.find("quarantined"), std::string::npos) << problem.what;
  EXPECT_EQ(Must(ReadWholeFile(fs, "copy/.gitignore", 100)), "*\n");
}
TEST(Crash, DuringABackup) { LosePowerEverywhere(ABackup(), EveryCrashPolicy(6), ExpectWholeCopy); }
TEST(Crash, DuringABackupWithAQuarantinedSegment) {
  LosePowerEverywhere(ABackupWithAQuarantinedSegment(), EveryCrashPolicy(3), ExpectWholeCopy);
}

TEST(Crash, OfOneWriterWhileAnotherCommits) {
  // The second writer's whole commit falls before each operation of the first, which then loses power at each later
  // one.
  const StoreChange change = ACommit();
  const PreparedChange prepared(change);
  const auto commit_other = [](CrashFileSystem& fs) {
    Store other = Must(Store::Open(fs, "s"));
    Must(CommitRuns(other, {{10, "7", "other"}}));
  };
  Aftermath alone(prepared.before(), prepared.after());
  for (uint64_t meet = 1; meet < 40; meet += 5) {
    for (uint64_t n = meet; n < 60; n += 2) {
      const auto fs = prepared.Copy();
      bool acknowledged = false;
      StoreContent met_before;
      {
        Store store = Must(Store::Open(*fs, "s"));
        fs->BeforeOperation(fs->operations() + meet, [&] {
          commit_other(*fs);
          met_before = ContentOf(*fs);
        });
        fs->CrashAt(fs->operations() + n);
        acknowledged = prepared.Apply(*fs, store).ok();
      }
      StoreContent met_after = met_before;
      met_after.entries.insert(prepared.after().entries.begin(), prepared.after().entries.end());
      Aftermath both(met_before, met_after);
      SCOPED_TRACE(fmt::format("meet {}", meet));
      LosePower(*fs, EveryCrashPolicy(1), [&](CrashFileSystem& after) {
        (met_before.entries.empty() ? alone : both).ExpectOldOrNew(after, acknowledged);
      });
      if (HasFailure()) return;
      if (!fs->crashed()) {
        EXPECT_TRUE(acknowledged);
        break;
      }
    }
  }
}

TEST(Crash, DuringInit) {
  for (uint64_t n = 1;; ++n) {
    CrashFileSystem fs;
    fs.CrashAt(n);
    const bool acknowledged = Store::Create(fs, "s").ok();
    LosePower(fs, EveryCrashPolicy(6), [&](CrashFileSystem& after) {
      if (acknowledged) {
        ASSERT_OK(Store::Open(after, "s"));
        EXPECT_EQ(Must(ReadWholeFile(after, "s/.gitignore", 100)), "*\n");
      }
      // Whatever is there, a second init or the store itself can be used.
      auto again = Store::Create(after, "s");
      if (!again.ok()) {
        ASSERT_EQ(again.error().code, ErrorCode::kConflict) << again.error().message;
        again = Store::Open(after, "s");
      }
      ASSERT_TRUE(again.ok()) << again.error().message;
      ASSERT_OK(CommitRuns(*again, {{1, "", "abc"}}));
      EXPECT_EQ(RunsIn(*again), std::set<uint64_t>{1});
    });
    if (HasFailure() || !fs.crashed()) break;
  }
}

}  // namespace
}  // namespace oscope
