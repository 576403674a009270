// Compaction and range splits change where things lie, and nothing else.
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

TEST(Compact, MergesSmallSegmentsAndKeepsEverything) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  std::mt19937_64 random(5);
  for (uint64_t i = 1; i <= 40; ++i) Must(CommitRuns(store, {{i, fmt::format("{}", i % 7), fmt::format("word{}", i)}}));
  Must(store.EditBug({"demo", "3"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "edited";
    return next;
  }));
  const RunCollector before = Everything(store);
  const CompactResult result = Must(store.Compact());
  EXPECT_EQ(result.segments_before, 41u);
  EXPECT_EQ(result.segments_after, 1u);
  EXPECT_LT(result.bytes_after, result.bytes_before);
  const RunCollector after = Everything(store);
  ASSERT_EQ(before.runs.size(), after.runs.size());
  for (size_t i = 0; i < before.runs.size(); ++i) {
    EXPECT_EQ(before.runs[i].header, after.runs[i].header);
    EXPECT_TRUE(SameEvents(before.runs[i].traces[0], before.symbols, after.runs[i].traces[0], after.symbols));
  }
  EXPECT_EQ(before.bugs, after.bugs);
  EXPECT_EQ(Must(Must(store.Read()).History({"demo", "3"})).size(), 2u) << "the history stays";
  EXPECT_TRUE(Must(store.Check()).problems.empty()) << "replaced files are gone";
  EXPECT_EQ(Must(store.Compact()).version, Must(store.Read()).version()) << "once is enough";
}

TEST(Compact, KeepsWhenARunWasStored) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  Must(CommitRuns(store, {{1, "", "a"}}));
  Must(CommitRuns(store, {{2, "", "b"}}));
  const RunId id = IdOf(1);
  const int64_t stored = Must(Must(store.Read()).FindRun(id))->stored_ns;
  Must(store.Compact());
  EXPECT_EQ(Must(Must(store.Read()).FindRun(id))->stored_ns, stored);
}

TEST(Compact, SplitsARangeThatHasGrown) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  CompactOptions options;
  options.split_runs = 50;
  std::set<uint64_t> all;
  uint64_t next = 1;
  for (int round = 0; round < 6; ++round) {
    for (int commit = 0; commit < 5; ++commit) {
      std::vector<WordRun> words;
      for (int i = 0; i < 10; ++i, ++next) {
        words.push_back({next, fmt::format("{}", next % 97), fmt::format("w{}", next)});
        all.insert(next);
      }
      Must(CommitRuns(store, words));
    }
    Must(store.Compact(options));
    EXPECT_EQ(RunsIn(store), all);
    const CheckResult check = Must(store.Check());
    EXPECT_TRUE(check.healthy()) << (check.problems.empty() ? "" : check.problems[0].what);
  }
  EXPECT_GE(Must(store.Read()).manifest().ranges.size(), 4u);
  EXPECT_EQ(Must(CommitRuns(store, {{1, "1", "w1"}})).runs_known, 1u);
  EXPECT_EQ(Must(Must(store.Read()).Bugs()).size(), 97u);
}

TEST(Compact, HappensByItselfWhenThereAreMany) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  for (uint64_t i = 1; i <= 150; ++i) {
    Must(CommitRuns(store, {{i, "", fmt::format("w{}", i)}}));
    Must(store.CompactIfNeeded());
  }
  EXPECT_LT(Must(store.Read()).manifest().segments.size(), 70u);
  EXPECT_EQ(RunsIn(store).size(), 150u);
}

TEST(Compact, LetsAWriterPass) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  for (uint64_t i = 1; i <= 5; ++i) Must(CommitRuns(store, {{i, "", fmt::format("w{}", i)}}));
  // A commit lands while the merged segment is being written.
  fs.BeforeOperation(fs.operations() + 3, [&] {
    Store other = Must(Store::Open(fs, "s"));
    Must(CommitRuns(other, {{100, "", "late"}}));
  });
  Must(store.Compact());
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 3, 4, 5, 100}));
  EXPECT_EQ(Must(store.Read()).manifest().segments.size(), 2u);
}

}  // namespace
}  // namespace oscope
