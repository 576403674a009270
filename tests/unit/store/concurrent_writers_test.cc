// Writers at once, on a real disk: none loses anything.
#include <atomic>
#include <thread>

#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

void WriteAtOnce(int writers, uint64_t commits) {
  TemporaryDirectory directory;
  const std::string path = directory.path("s");
  Must(Store::Create(PosixFileSystem(), path));
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int w = 0; w < writers; ++w) {
    threads.emplace_back([&, w] {
      Store store = Must(Store::Open(PosixFileSystem(), path));
      for (uint64_t i = 0; i < commits; ++i) {
        const uint64_t id = static_cast<uint64_t>(w) * 1000 + i + 1;
        const auto result = CommitRuns(
            store, {{id, fmt::format("{}", id % 3), fmt::format("w{}", id)}, {100'000 + i, "shared", "same"}});
        if (!result.ok()) {
          ++failures;
          ADD_FAILURE() << result.error().message;
        }
      }
    });
  }
  // Meanwhile someone compacts, collects and reads.
  std::atomic<bool> done = false;
  std::thread keeper([&] {
    Store store = Must(Store::Open(PosixFileSystem(), path));
    while (!done) {
      EXPECT_OK(store.Compact());
      EXPECT_OK(store.Collect());
      RunsIn(store);
    }
  });
  for (std::thread& thread : threads) thread.join();
  done = true;
  keeper.join();
  Store store = Must(Store::Open(PosixFileSystem(), path));
  std::set<uint64_t> expected;
  for (uint64_t w = 0; w < static_cast<uint64_t>(writers); ++w) {
    for (uint64_t i = 0; i < commits; ++i) expected.insert(w * 1000 + i + 1);
  }
  for (uint64_t i = 0; i < commits; ++i) expected.insert(100'000 + i);
  EXPECT_EQ(RunsIn(store), expected);
  EXPECT_TRUE(Must(store.Check()).healthy());
  EXPECT_EQ(failures, 0);
}

TEST(ConcurrentWriters, TwoLoseNothing) { WriteAtOnce(2, 30); }
TEST(ConcurrentWriters, EightLoseNothing) { WriteAtOnce(8, 12); }

TEST(ConcurrentWriters, EditsOfOneBugAllCount) {
  TemporaryDirectory directory;
  const std::string path = directory.path("s");
  Must(Store::Create(PosixFileSystem(), path));
  constexpr int kWriters = 4, kEdits = 10;
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&] {
      Store store = Must(Store::Open(PosixFileSystem(), path));
      for (int i = 0; i < kEdits; ++i) {
        EXPECT_OK(store.EditBug({"demo", "1"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
          Bug next = bug.value_or(Bug{});
          next.key = {"demo", "1"};
          next.title += "x";
          return next;
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Store store = Must(Store::Open(PosixFileSystem(), path));
  const auto history = Must(Must(store.Read()).History({"demo", "1"}));
  ASSERT_EQ(history.size(), static_cast<size_t>(kWriters * kEdits));
  EXPECT_EQ(history.back().bug.title, std::string(kWriters * kEdits, 'x'));
}

TEST(ConcurrentWriters, TwoThatCreateOneStore) {
  for (int round = 0; round < 20; ++round) {
    TemporaryDirectory directory;
    std::atomic<int> created = 0, refused = 0;
    const auto create = [&] {
      const auto store = Store::Create(PosixFileSystem(), directory.path("s"));
      if (store.ok()) ++created;
      if (!store.ok() && store.error().code == ErrorCode::kConflict) ++refused;
    };
    std::thread one(create), two(create);
    one.join();
    two.join();
    EXPECT_EQ(created, 1);
    EXPECT_EQ(refused, 1);
  }
}

}  // namespace
}  // namespace oscope
