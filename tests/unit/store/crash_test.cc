// Power loss at every operation of everything that writes: the old version or the new one, and every acknowledged run.
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

// Prepares a store, then does one thing to it, losing power at each operation in turn under each policy.
struct CrashScenario {
  std::function<void(Store&)> prepare;
  std::function<Status(Store&)> change;
  std::set<uint64_t> before, after;  // the runs that a reader may find
  int random_seeds = 6;  // negative: only the two plainest policies, where reading the store back is slow
};

std::vector<CrashPolicy> PoliciesOf(const CrashScenario& scenario) {
  if (scenario.random_seeds >= 0) return EveryCrashPolicy(scenario.random_seeds);
  return {{CrashPolicy::Kind::kDropUnsynced, 0}, {CrashPolicy::Kind::kKeepEverything, 0}};
}

void ExpectOldOrNew(CrashFileSystem& fs, const CrashScenario& scenario, bool acknowledged) {
  auto store = Store::Open(fs, "s");
  ASSERT_TRUE(store.ok()) << store.error().message;
  const std::set<uint64_t> found = RunsIn(*store);
  if (acknowledged) {
    EXPECT_EQ(found, scenario.after);
  } else {
    EXPECT_TRUE(found == scenario.before || found == scenario.after) << found.size() << " runs";
  }
  // Life goes on: collect, write, read.
  EXPECT_OK(store->Collect());
  const CheckResult check = Must(store->Check());
  EXPECT_TRUE(check.healthy()) << check.problems[0].what;
  ASSERT_OK(CommitRuns(*store, {{999, "", "later"}}));
  std::set<uint64_t> more = found;
  more.insert(999);
  EXPECT_EQ(RunsIn(*store), more);
}

void LosePowerEverywhere(const CrashScenario& scenario) {
  int points = 0;
  CrashFileSystem prepared;
  {
    Store store = Must(Store::Create(prepared, "s"));
    scenario.prepare(store);
  }
  for (uint64_t n = 1;; ++n) {
    const std::unique_ptr<CrashFileSystem> copy = prepared.Kill();
    CrashFileSystem& fs = *copy;
    bool acknowledged = false;
    {
      Store store = Must(Store::Open(fs, "s"));
      fs.CrashAt(fs.operations() + n);
      acknowledged = scenario.change(store).ok();
    }
    for (const CrashPolicy policy : PoliciesOf(scenario)) {
      SCOPED_TRACE(fmt::format("operation {}, {}\n{}", n, ToString(policy), fs.log()));
      const auto after = fs.Crash(policy);
      ExpectOldOrNew(*after, scenario, acknowledged);
      if (::testing::Test::HasFailure()) return;
    }
    if (!fs.crashed()) {
      EXPECT_TRUE(acknowledged);
      break;
    }
    ++points;
  }
  EXPECT_GT(points, 5) << "the change wrote something";
}

template <typename T>
Status Only(Result<T> result) {
  if (!result.ok()) return std::move(result).error();
  return {};
}

const auto kTwoRuns = [](Store& store) { Must(CommitRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}})); };

TEST(Crash, DuringACommit) {
  LosePowerEverywhere({kTwoRuns, [](Store& store) { return Only(CommitRuns(store, {{3, "7", "abe"}, {4, "", "x"}})); }, {1, 2}, {1, 2, 3, 4}, 6});
}

TEST(Crash, DuringTheFirstCommitOfAStore) {
  LosePowerEverywhere({[](Store&) {}, [](Store& store) { return Only(CommitRuns(store, {{1, "7", "abc"}})); }, {}, {1}, 6});
}

TEST(Crash, WhileSegmentsMoveIntoAGroup) {
  std::set<uint64_t> before;
  for (uint64_t i = 1; i <= 64; ++i) before.insert(i);
  std::set<uint64_t> after = before;
  after.insert(65);
  LosePowerEverywhere({[](Store& store) {
                         for (uint64_t i = 1; i <= 64; ++i) Must(CommitRuns(store, {{i, "", "w"}}));
                       },
                       [](Store& store) { return Only(CommitRuns(store, {{65, "", "w"}})); }, before, after, -1});
}

TEST(Crash, WhileARunSpills) {
  LosePowerEverywhere({kTwoRuns,
                       [](Store& store) -> Status {
                         OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({.spill_events = 2}));
                         OSCOPE_RETURN_IF_ERROR(AddRuns(*ingest, {{3, "7", "abcdefgh"}}));
                         return Only(ingest->Commit());
                       },
                       {1, 2},
                       {1, 2, 3},
                       6});
}

TEST(Crash, DuringCompaction) {
  LosePowerEverywhere({[](Store& store) {
                         for (uint64_t i = 1; i <= 4; ++i) Must(CommitRuns(store, {{i, "7", fmt::format("w{}", i)}}));
                       },
                       [](Store& store) { return Only(store.Compact()); },
                       {1, 2, 3, 4},
                       {1, 2, 3, 4},
                       3});
}

TEST(Crash, DuringASplitOfRanges) {
  CompactOptions options;
  options.split_runs = 3;
  LosePowerEverywhere({[](Store& store) {
                         for (uint64_t i = 1; i <= 6; ++i) Must(CommitRuns(store, {{i, fmt::format("{}", i), fmt::format("w{}", i)}}));
                       },
                       [=](Store& store) { return Only(store.Compact(options)); },
                       {1, 2, 3, 4, 5, 6},
                       {1, 2, 3, 4, 5, 6},
                       0});
}

TEST(Crash, DuringAPurge) {
  LosePowerEverywhere({[](Store& store) {
                         Must(CommitRuns(store, {{1, "7", "abc"}, {2, "7", "abd"}}));
                         Must(CommitRuns(store, {{3, "8", "abe"}}));
                       },
                       [](Store& store) {
                         PurgeFilter filter;
                         filter.bugs = {{"demo", "7"}};
                         return Only(store.Purge(filter));
                       },
                       {1, 2, 3},
                       {3},
                       3});
}

TEST(Crash, DuringALink) {
  LosePowerEverywhere({[](Store& store) { Must(CommitRuns(store, {{1, "7", "abc"}, {2, "", "abd"}})); },
                       [](Store& store) { return Only(store.LinkRuns({RunId{{2 * 0x9e3779b97f4a7c15u, 2}}}, {"demo", "7"})); },
                       {1, 2},
                       {1, 2},
                       3});
}

TEST(Crash, DuringCollection) {
  LosePowerEverywhere({[](Store& store) {
                         Must(CommitRuns(store, {{1, "7", "abc"}}));
                         Must(CommitRuns(store, {{2, "", "abd"}}));
                         Must(store.LinkRuns({RunId{{2 * 0x9e3779b97f4a7c15u, 2}}}, {"demo", "7"}));
                       },
                       [](Store& store) { return Only(store.Collect()); },
                       {1, 2},
                       {1, 2},
                       3});
}

TEST(Crash, OfOneWriterWhileAnotherCommits) {
  // The second writer's whole commit falls before each operation of the first, which then loses power at each later one.
  for (uint64_t meet = 1; meet < 40; meet += 5) {
    for (uint64_t n = meet; n < 60; n += 2) {
      CrashFileSystem fs;
      bool acknowledged = false, met = false;
      {
        Store store = Must(Store::Create(fs, "s"));
        kTwoRuns(store);
        const uint64_t start = fs.operations();
        fs.BeforeOperation(start + meet, [&] {
          Store other = Must(Store::Open(fs, "s"));
          Must(CommitRuns(other, {{10, "7", "other"}}));
          met = true;
        });
        fs.CrashAt(start + n);
        acknowledged = CommitRuns(store, {{3, "7", "abe"}}).ok();
      }
      for (const CrashPolicy policy : EveryCrashPolicy(1)) {
        SCOPED_TRACE(fmt::format("meet {}, operation {}, {}\n{}", meet, n, ToString(policy), fs.log()));
        const auto after = fs.Crash(policy);
        CrashScenario scenario;
        scenario.before = met ? std::set<uint64_t>{1, 2, 10} : std::set<uint64_t>{1, 2};
        scenario.after = scenario.before;
        scenario.after.insert(3);
        ExpectOldOrNew(*after, scenario, acknowledged);
        if (HasFailure()) return;
      }
      if (!fs.crashed()) {
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
    for (const CrashPolicy policy : EveryCrashPolicy(6)) {
      SCOPED_TRACE(fmt::format("operation {}, {}\n{}", n, ToString(policy), fs.log()));
      const auto after = fs.Crash(policy);
      if (acknowledged) ASSERT_OK(Store::Open(*after, "s"));
      // Whatever is there, a second init or the store itself can be used.
      auto again = Store::Create(*after, "s");
      if (!again.ok()) {
        ASSERT_EQ(again.error().code, ErrorCode::kConflict) << again.error().message;
        again = Store::Open(*after, "s");
      }
      ASSERT_TRUE(again.ok()) << again.error().message;
      ASSERT_OK(CommitRuns(*again, {{1, "", "abc"}}));
    }
    if (!fs.crashed()) break;
  }
}

}  // namespace
}  // namespace oscope
