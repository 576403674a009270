// The Nth operation fails, for every N and every kind of failure: no acknowledgement, a clean error, and a store that goes on.
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

template <typename T>
Status Only(Result<T> result) {
  if (!result.ok()) return std::move(result).error();
  return {};
}

void FailEverywhere(const std::function<void(Store&)>& prepare, const std::function<Status(Store&)>& change, const std::set<uint64_t>& before,
                    const std::set<uint64_t>& after) {
  for (const Fault fault : {Fault::kNoSpace, Fault::kIoError, Fault::kShortWrite}) {
    int failures = 0;
    for (uint64_t n = 1;; ++n) {
      CrashFileSystem fs;
      Store store = Must(Store::Create(fs, "s"));
      prepare(store);
      const uint64_t start = fs.operations();
      fs.FailAt(start + n, fault);
      const Status status = change(store);
      if (fs.operations() < start + n) break;
      SCOPED_TRACE(fmt::format("operation {} of {}\n{}", n, fs.operations() - start, fs.log()));
      if (!status.ok()) {
        ++failures;
        EXPECT_EQ(status.error().code, ErrorCode::kIo) << status.error().message;
        EXPECT_FALSE(status.error().message.empty());
      }
      // The process lives, and so does the store: after the loss of power, too.
      for (const bool crash : {false, true}) {
        std::unique_ptr<CrashFileSystem> lost = crash ? fs.Crash({CrashPolicy::Kind::kDropUnsynced, 0}) : nullptr;
        CrashFileSystem& now = crash ? *lost : fs;
        auto reopened = Store::Open(now, "s");
        ASSERT_TRUE(reopened.ok()) << reopened.error().message;
        const std::set<uint64_t> found = RunsIn(*reopened);
        if (status.ok()) {
          EXPECT_EQ(found, after);
        } else {
          EXPECT_TRUE(found == before || found == after) << found.size() << " runs";
        }
        EXPECT_TRUE(Must(reopened->Check()).healthy());
        if (crash) continue;
        EXPECT_LE(Must(fs.List("s/tmp")).size(), 1u) << "temporary files are gone, but for one whose removal failed";
      }
      // The same change again works, if it had not happened.
      if (!status.ok()) EXPECT_OK(change(store));
      EXPECT_EQ(RunsIn(store), after);
      EXPECT_OK(store.Collect());
      EXPECT_TRUE(Must(store.Check()).problems.empty()) << "and a collection takes the rest";
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(failures, 3);
  }
}

const auto kTwoRuns = [](Store& store) { Must(CommitRuns(store, {{1, "7", "abc"}, {2, "8", "abd"}})); };

TEST(Fault, DuringACommit) {
  FailEverywhere(kTwoRuns, [](Store& store) { return Only(CommitRuns(store, {{3, "7", "abe"}})); }, {1, 2}, {1, 2, 3});
}

TEST(Fault, WhileARunSpills) {
  FailEverywhere(
      kTwoRuns,
      [](Store& store) -> Status {
        OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({.spill_events = 2}));
        OSCOPE_RETURN_IF_ERROR(AddRuns(*ingest, {{3, "7", "abcdefgh"}}));
        return Only(ingest->Commit());
      },
      {1, 2}, {1, 2, 3});
}

TEST(Fault, DuringCompaction) {
  FailEverywhere([](Store& store) {
    for (uint64_t i = 1; i <= 4; ++i) Must(CommitRuns(store, {{i, "7", "w"}}));
  }, [](Store& store) { return Only(store.Compact()); }, {1, 2, 3, 4}, {1, 2, 3, 4});
}

TEST(Fault, DuringAPurge) {
  FailEverywhere(kTwoRuns,
                 [](Store& store) {
                   PurgeFilter filter;
                   filter.bugs = {{"demo", "7"}};
                   return Only(store.Purge(filter));
                 },
                 {1, 2}, {2});
}

TEST(Fault, DuringAnEdit) {
  FailEverywhere(kTwoRuns,
                 [](Store& store) {
                   return Only(store.EditBug({"demo", "7"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
                     Bug next = *bug;
                     next.title = "new";
                     return next;
                   }));
                 },
                 {1, 2}, {1, 2});
}

}  // namespace
}  // namespace oscope
