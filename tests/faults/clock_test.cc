// A clock that jumps a day, either way, changes nothing: what is newest is told by versions and revisions.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "index/store/store_state.h"
#include "tests/unit/store/store_fixture.h"

namespace {
constexpr int64_t kDaySeconds = 24 * 60 * 60;
std::atomic<int64_t> shift_seconds = 0;
}  // namespace

// Found by the dynamic linker before the C library's: every reader of the wall clock in this process gets the shifted
// one.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const long answer = ::syscall(SYS_clock_gettime, clock, now);
  if (answer == 0 && clock == CLOCK_REALTIME) now->tv_sec += shift_seconds;
  return static_cast<int>(answer);
}

namespace oscope {
namespace {

Result<Bug> Retitle(Store& store, const std::string& title) {
  return store.EditBug({"demo", "1"}, [&](const std::optional<Bug>& now) -> Result<Bug> {
    Bug bug = now.value_or(Bug{});
    bug.key = {"demo", "1"};
    bug.title = title;
    return bug;
  });
}

class ClockTest : public testing::Test {
 protected:
  ~ClockTest() override { shift_seconds = 0; }
  TemporaryDirectory directory_;
  const std::string path_ = directory_.path("s");
};

TEST_F(ClockTest, TheShiftIsSeen) {
  const int64_t before = NowNs();
  shift_seconds = -kDaySeconds;
  EXPECT_LT(NowNs(), before - (kDaySeconds - 60) * 1'000'000'000);
}

TEST_F(ClockTest, RevisionsFollowCommitsAndNotTheClock) {
  Store store = Must(Store::Create(PosixFileSystem(), path_));
  const std::vector<std::pair<int64_t, std::string>> edits = {
      {0, "today"}, {kDaySeconds, "tomorrow"}, {-kDaySeconds, "yesterday"}};
  for (const auto& [shift, title] : edits) {
    shift_seconds = shift;
    ASSERT_OK(Retitle(store, title));
  }
  const auto expect_order = [&] {
    const Snapshot snapshot = Must(store.Read());
    EXPECT_EQ(Must(snapshot.FindBug({"demo", "1"}))->title, "yesterday");
    const std::vector<BugRevision> history = Must(snapshot.History({"demo", "1"}));
    ASSERT_EQ(history.size(), edits.size());
    for (size_t i = 0; i < edits.size(); ++i) {
      EXPECT_EQ(history[i].revision, i + 1);
      EXPECT_EQ(history[i].bug.title, edits[i].second);
    }
    EXPECT_LT(history[2].edited_ns, history[0].edited_ns) << "the clock did jump";
    EXPECT_LT(history[0].edited_ns, history[1].edited_ns);
  };
  expect_order();
  ASSERT_OK(store.Compact());
  expect_order();
}

TEST_F(ClockTest, CommitsReadsAndCollectionsGoOn) {
  Store store = Must(Store::Create(PosixFileSystem(), path_));
  uint64_t version = 1;
  std::set<uint64_t> expected;
  for (uint64_t id = 1; id <= 12; ++id) {
    shift_seconds = (static_cast<int64_t>(id % 3) - 1) * kDaySeconds;
    const Snapshot reader = Must(store.Read());
    const IngestResult result = Must(CommitRuns(store, {{id, "1", "abc"}}));
    EXPECT_EQ(result.version, ++version);
    if (id % 4 == 0) version = Must(store.Compact()).version;
    ASSERT_OK(store.Collect());
    EXPECT_EQ(RunsIn(reader), expected) << "a reader keeps its version";
    expected.insert(id);
    EXPECT_EQ(RunsIn(store), expected);
  }
  EXPECT_EQ(Must(CommitRuns(store, {{1, "1", "abc"}})).runs_known, 1u);
  ASSERT_OK(store.Collect());
  EXPECT_TRUE(Must(store.Check()).problems.empty());
}

}  // namespace
}  // namespace oscope
