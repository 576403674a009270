// A slow writer and a busy store: the version it builds on is old news by the time it publishes.
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

// Once, collection removed version N + 1 while a writer that had read N was still writing; its link to N + 1 then
// succeeded below the newest version, and acknowledged runs were lost.
TEST(VersionRace, ASlowWriterDoesNotPublishBelowTheNewest) {
  for (uint64_t meet = 1;; ++meet) {
    CrashFileSystem fs;
    Store slow = Must(Store::Create(fs, "s"));
    Must(CommitRuns(slow, {{1, "", "abc"}}));
    bool met = false;
    fs.BeforeOperation(fs.operations() + meet, [&] {
      Store fast = Must(Store::Open(fs, "s"));
      Must(CommitRuns(fast, {{2, "", "abd"}}));
      Must(CommitRuns(fast, {{3, "", "abe"}}));
      Must(fast.Compact());
      Must(fast.Collect());
      met = true;
    });
    ASSERT_OK(CommitRuns(slow, {{4, "", "abf"}}));
    if (!met) {
      EXPECT_GT(meet, 10u) << "the commit has operations to meet at";
      break;
    }
    EXPECT_EQ(RunsIn(slow), (std::set<uint64_t>{1, 2, 3, 4})) << "met at " << meet << "\n" << fs.log();
    EXPECT_TRUE(Must(slow.Check()).healthy());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace oscope
