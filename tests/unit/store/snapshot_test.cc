// What a snapshot answers: filters, names, projects, counts, scans, and what it says of segments that it leaves out.
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class SnapshotTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};

  void CommitChanged(const std::vector<WordRun>& words, const std::function<void(oscope::Run&)>& change) {
    Must(oscope::CommitChanged(store_, words, change));
  }
  void AddBug(const BugKey& key) {
    Must(store_.EditBug(key, [&](const std::optional<Bug>&) -> Result<Bug> {
      Bug bug;
      bug.key = key;
      return bug;
    }));
  }
  static std::set<uint64_t> Matching(const Snapshot& snapshot, const RunFilter& filter) {
    std::set<uint64_t> ids;
    Must(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
      ids.insert(run.header.id.value.low);
      return true;
    }));
    return ids;
  }
};

TEST_F(SnapshotTest, AFilterIsOfAllItsParts) {
  CommitChanged({{1, "7", "a"}, {2, "7", "b"}, {3, "8", "c"}, {4, "", "d"}, {5, "7", "e"}}, [](oscope::Run& run) {
    const uint64_t id = run.header.id.value.low;
    run.header.test = id == 2 ? "u" : "t";
    run.header.outcome = id == 1 ? Outcome::kPassed : id == 2 ? Outcome::kTimeout : Outcome::kSignal;
    if (id == 5) run.header.project = "other";
  });
  const Snapshot snapshot = Must(store_.Read());
  using Ids = std::set<uint64_t>;
  EXPECT_EQ(Matching(snapshot, {}), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(Matching(snapshot, {.project = "demo", .bug = {}, .test = "", .failing = {}}), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(Matching(snapshot, {.project = "", .bug = "7", .test = "", .failing = {}}), (Ids{1, 2, 5}));
  EXPECT_EQ(Matching(snapshot, {.project = "demo", .bug = "7", .test = "", .failing = {}}), (Ids{1, 2}));
  EXPECT_EQ(Matching(snapshot, {.project = "", .bug = "", .test = "", .failing = {}}), (Ids{4}));
  EXPECT_EQ(Matching(snapshot, {.project = "demo", .bug = "", .test = "", .failing = {}}), (Ids{4}));
  EXPECT_EQ(Matching(snapshot, {.project = "", .bug = {}, .test = "u", .failing = {}}), (Ids{2}));
  EXPECT_EQ(Matching(snapshot, {.project = "", .bug = {}, .test = "", .failing = false}), (Ids{1}));
  EXPECT_EQ(Matching(snapshot, {.project = "", .bug = {}, .test = "", .failing = true}), (Ids{2, 3, 4, 5}));
  EXPECT_EQ(Matching(snapshot, {.project = "other", .bug = "8", .test = "", .failing = {}}), (Ids{}));
  // One that was found is enough, over segments too.
  CommitChanged({{6, "7", "f"}}, [](oscope::Run&) {});
  int calls = 0;
  Must(Must(store_.Read())
           .ForEachRun({.project = "demo", .bug = "7", .test = "", .failing = {}}, false,
                       [&](const StoredRun&) { return ++calls < 2; }));
  EXPECT_EQ(calls, 2);
  calls = 0;
  Must(Must(store_.Read()).ForEachRun({}, false, [&](const StoredRun&) { return ++calls < 1; }));
  EXPECT_EQ(calls, 1);
}

TEST_F(SnapshotTest, ABugsRunsAreFoundInItsRangeOnly) {
  for (uint64_t i = 1; i <= 8; ++i) Must(CommitRuns(store_, {{i, fmt::format("{}", i), fmt::format("w{}", i)}}));
  CompactOptions options;
  options.split_runs = 3;
  Must(store_.Compact(options));
  const Snapshot snapshot = Must(store_.Read());
  ASSERT_EQ(snapshot.manifest().ranges.size(), 2u);
  const uint64_t reads = fs_.reads();
  for (uint64_t i = 1; i <= 8; ++i) {
    EXPECT_EQ(Matching(snapshot, {.project = "demo", .bug = fmt::format("{}", i), .test = "", .failing = {}}),
              std::set<uint64_t>{i});
    EXPECT_EQ(Matching(snapshot, {.project = "", .bug = fmt::format("{}", i), .test = "", .failing = {}}),
              std::set<uint64_t>{i});
    EXPECT_EQ(Must(snapshot.History({"demo", fmt::format("{}", i)})).size(), 1u);
  }
  EXPECT_GT(fs_.reads(), reads);
  std::set<std::string> opened;
  const size_t before = fs_.read_log().size();
  Matching(snapshot, {.project = "demo", .bug = "1", .test = "", .failing = {}});
  const std::vector<std::string> log = fs_.read_log();
  for (size_t i = before; i < log.size(); ++i) {
    if (log[i].starts_with("open ")) opened.insert(log[i]);
  }
  EXPECT_EQ(opened.size(), 1u) << "the runs of the other range are not read";
}

TEST_F(SnapshotTest, BugsAndProjectsAreListedInOrder) {
  AddBug({"b", "2"});
  AddBug({"b", "1"});
  AddBug({"a", "3"});
  CommitChanged({{1, "", "x"}}, [](oscope::Run& run) { run.header.project = "c"; });
  Must(store_.EditBug({"b", "1"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "newer";
    return next;
  }));
  const Snapshot snapshot = Must(store_.Read());
  const auto keys = [&](std::string_view project) {
    std::vector<std::string> names;
    for (const Bug& bug : Must(snapshot.Bugs(project)))
      names.push_back(ToString(bug.key) + (bug.title.empty() ? "" : " " + bug.title));
    return names;
  };
  EXPECT_EQ(keys(""), (std::vector<std::string>{"a-3", "b-1 newer", "b-2"}));
  EXPECT_EQ(keys("b"), (std::vector<std::string>{"b-1 newer", "b-2"}));
  EXPECT_EQ(keys("c"), std::vector<std::string>{});
  EXPECT_EQ(Must(snapshot.Projects()), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(Must(snapshot.FindBug({"a", "1"})), std::nullopt);
  // After a compaction the revisions stand in one table, in whatever order.
  Must(store_.Compact());
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"b", "1"}))->title, "newer");
  EXPECT_EQ(Must(Must(store_.Read()).Bugs("b"))[0].title, "newer");
}

TEST_F(SnapshotTest, ABugIsNamedInSeveralWays) {
  AddBug({"a", "b-3"});
  AddBug({"one", "7"});
  AddBug({"two", "7"});
  AddBug({"two", "8"});
  AddBug({"x-y", "9"});
  Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(Must(snapshot.ResolveBug("a-b-3")), (BugKey{"a", "b-3"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("x-y-9")), (BugKey{"x-y", "9"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("b-3")), (BugKey{"a", "b-3"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("8")), (BugKey{"two", "8"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("7", "two")), (BugKey{"two", "7"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("one-7", "two")), (BugKey{"one", "7"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("8", "one")), (BugKey{"two", "8"})) << "the project at hand has none of that name";
  auto several = snapshot.ResolveBug("7");
  EXPECT_EQ(several.error().code, ErrorCode::kConflict);
  EXPECT_EQ(several.error().message, "'7' may be any of one-7, two-7: name the project");
  AddBug({"a-b", "3"});
  snapshot = Must(store_.Read());
  several = snapshot.ResolveBug("a-b-3");
  EXPECT_EQ(several.error().message, "'a-b-3' may be any of a-b-3, a-b-3: name the project");
  const auto none = snapshot.ResolveBug("nothing like it");
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message, "no bug 'nothing like it'");
  EXPECT_EQ(snapshot.ResolveBug("-7").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(snapshot.ResolveBug("one-").error().code, ErrorCode::kNotFound);
  EXPECT_NE(snapshot.ResolveBug("one-8").error().message.find("one-7"), std::string::npos);
}

TEST_F(SnapshotTest, ARunIsNamedByFourDigitsOrMore) {
  CommitChanged({{1, "", "a"}, {2, "", "b"}, {3, "", "c"}}, [](oscope::Run& run) {
    const uint64_t id = run.header.id.value.low;
    run.header.id = RunId{{id == 3 ? 0x1235000000000000u : 0x1234abcd00000000u + id, id == 2 ? UINT64_MAX : 0}};
  });
  const RunId one{{0x1234abcd00000001u, 0}}, two{{0x1234abcd00000002u, UINT64_MAX}}, three{{0x1235000000000000u, 0}};
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(Must(snapshot.ResolveRun("1235")), three);
  EXPECT_EQ(Must(snapshot.ResolveRun("1234abcd00000001")), one);
  EXPECT_EQ(Must(snapshot.ResolveRun("1234ABCD00000002")), two);
  EXPECT_EQ(Must(snapshot.ResolveRun(ToString(two).substr(0, 31))), two);
  EXPECT_EQ(Must(snapshot.ResolveRun(ToString(two))), two);
  const auto several = snapshot.ResolveRun("1234");
  EXPECT_EQ(several.error().code, ErrorCode::kConflict);
  EXPECT_EQ(several.error().message,
            "several runs begin with '1234', such as " + ToString(one) + " and " + ToString(two));
  EXPECT_EQ(snapshot.ResolveRun("123").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(snapshot.ResolveRun("123").error().message,
            "'123': a run is named by at least the first 4 of its 32 hexadecimal digits");
  EXPECT_EQ(snapshot.ResolveRun("123x").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(snapshot.ResolveRun(ToString(two) + "0").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(snapshot.ResolveRun("1236").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(snapshot.ResolveRun("1236").error().message, "no run begins with '1236'");
  EXPECT_EQ(snapshot.ResolveRun(std::string(32, '7')).error().message, "no run " + std::string(32, '7'));
  EXPECT_EQ(snapshot.ResolveRun(std::string(32, 'x')).error().code, ErrorCode::kInvalid);
}

TEST_F(SnapshotTest, CountsAreTheManifests) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "de"}}));
  Must(CommitRuns(store_, {{3, "", "f"}}));
  const Snapshot snapshot = Must(store_.Read());
  const StoreStats stats = snapshot.Stats();
  EXPECT_EQ(stats.version, 3u);
  EXPECT_EQ(stats.segments, 2u);
  EXPECT_EQ(stats.quarantined, 0u);
  EXPECT_EQ(stats.ranges, 1u);
  EXPECT_EQ(stats.runs, 3u);
  EXPECT_EQ(stats.traces, 3u);
  EXPECT_EQ(stats.events, 6u);
  EXPECT_EQ(stats.bug_revisions, 2u);
  EXPECT_EQ(stats.bytes, snapshot.manifest().bytes());
  uint64_t bytes = 0;
  for (const Table table : {Table::kTraces, Table::kRuns, Table::kSymbols, Table::kBugs}) {
    const StoreStats::PerTable& one = stats.tables[static_cast<int>(table)];
    bytes += one.bytes;
    EXPECT_EQ(one.files, table == Table::kSymbols ? 0u : table == Table::kBugs ? 1u : 2u);
    EXPECT_EQ(one.rows, table == Table::kSymbols ? 0u : table == Table::kBugs ? 2u : 3u);
  }
  EXPECT_EQ(bytes, stats.bytes);
}

// --- what is left out ---

TEST_F(SnapshotTest, EachDamagedSegmentIsToldOnce) {
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "7", fmt::format("w{}", i)}}));
  const Manifest manifest = Must(store_.Read()).manifest();
  Must(fs_.Remove(files_.TablePath(manifest.segments[0].id, Table::kRuns)));
  Must(store_.Quarantine({manifest.segments[1].id}, "lost"));
  std::vector<std::string> told;
  Store store = Must(Store::Open(
      fs_, "s", {.skip_damaged = true, .on_damaged = [&](const std::string& damage) { told.push_back(damage); }}));
  EXPECT_TRUE(told.empty());
  const std::string quarantined = "segment " + manifest.segments[1].id + ": quarantined: lost";
  const std::string missing = "segment " + manifest.segments[0].id + ": missing segment " + manifest.segments[0].id +
                              ": " + files_.TableFileName(manifest.segments[0].id, Table::kRuns) + " is not there";
  for (int i = 0; i < 2; ++i) {
    const Snapshot snapshot = Must(store.Read());
    EXPECT_EQ(snapshot.damaged(), std::vector<std::string>{quarantined});
    EXPECT_EQ(RunsIn(snapshot), std::set<uint64_t>{3});
    Must(snapshot.ForEachRun({}, false, [](const StoredRun&) { return true; }));
    EXPECT_EQ(snapshot.damaged(), (std::vector<std::string>{quarantined, missing}));
    EXPECT_EQ(told, (std::vector<std::string>{quarantined, missing}));
  }
  // By choice of the snapshot alone.
  Store careful = Must(Store::Open(fs_, "s"));
  Snapshot snapshot = Must(careful.Read());
  EXPECT_EQ(snapshot.ForEachRun({}, false, [](const StoredRun&) { return true; }).error().message, missing);
  snapshot.SkipDamaged(true);
  ASSERT_OK(snapshot.ForEachRun({}, false, [](const StoredRun&) { return true; }));
  snapshot.SkipDamaged(false);
  EXPECT_FALSE(snapshot.ForEachRun({}, false, [](const StoredRun&) { return true; }).ok());
}

TEST_F(SnapshotTest, ASearchLeavesOutWhatIsDamaged) {
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "", fmt::format("w{}", i)}}));
  const Manifest manifest = Must(store_.Read()).manifest();
  Must(store_.Quarantine({manifest.segments[1].id}, "lost"));
  Must(fs_.Remove(files_.TablePath(manifest.segments[0].id, Table::kTraces)));
  Must(fs_.Remove(files_.IndexPath(manifest.segments[0].id)));
  Store store = Must(Store::Open(fs_, "s"));
  Snapshot snapshot = Must(store.Read());
  const auto find = [&](size_t i) -> const SegmentEntry& {
    return *std::find_if(snapshot.manifest().segments.begin(), snapshot.manifest().segments.end(),
                         [&](const SegmentEntry& segment) { return segment.id == manifest.segments[i].id; });
  };
  EXPECT_EQ(Must(snapshot.Search(find(1))), nullptr);
  EXPECT_NE(Must(snapshot.Search(find(2))), nullptr);
  EXPECT_EQ(snapshot.Search(find(0)).error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(snapshot.Search(find(0)).error().message.starts_with("segment " + manifest.segments[0].id + ": "));
  snapshot.SkipDamaged(true);
  EXPECT_EQ(Must(snapshot.Search(find(0))), nullptr);
  EXPECT_EQ(snapshot.damaged().size(), 2u);
}

TEST_F(SnapshotTest, TheCallersOwnErrorIsNoDamage) {
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "7", fmt::format("w{}", i)}}));
  Snapshot snapshot = Must(store_.Read());
  snapshot.SkipDamaged(true);
  int batches = 0;
  const Status scanned = snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
    ++batches;
    EXPECT_NE(batch.segment, nullptr);
    return Corrupt("mine");
  });
  EXPECT_EQ(scanned.error().message, "mine");
  EXPECT_EQ(batches, 1) << "and it ends the scan";
  EXPECT_TRUE(snapshot.damaged().empty());

  class Refusing : public RunCollector {
   public:
    Status BeginRun(const RunHeader&, const SymbolTable&) override {
      ++runs_begun;
      return Corrupt("mine");
    }
    int runs_begun = 0;
  };
  Refusing sink;
  const Status sent = snapshot.Send([](const StoredRun&) { return true; }, sink);
  EXPECT_EQ(sent.error().message, "mine");
  EXPECT_EQ(sink.runs_begun, 1);
  EXPECT_TRUE(snapshot.damaged().empty());

  class RefusingBugs : public RunCollector {
   public:
    Status AddBug(const Bug&) override { return Corrupt("no bugs"); }
  };
  RefusingBugs bugs;
  EXPECT_EQ(snapshot.Send([](const StoredRun&) { return true; }, bugs).error().message, "no bugs");
  EXPECT_TRUE(bugs.runs.empty());
}

TEST_F(SnapshotTest, OnlyTheRunsThatAreKeptAreSent) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "de"}, {3, "7", "fgh"}}));
  for (const uint64_t wanted : {1, 2, 3}) {
    RunCollector some;
    Must(Must(store_.Read()).Send([&](const StoredRun& run) { return run.header.id == IdOf(wanted); }, some));
    ASSERT_EQ(some.runs.size(), 1u);
    EXPECT_EQ(some.runs[0].header.id, IdOf(wanted));
    std::string word;
    for (const SymbolId event : some.runs[0].traces.at(0).events) word += some.symbols.name(event);
    EXPECT_EQ("failed: " + word, some.runs[0].header.failure.message);
    EXPECT_EQ(some.bugs.size(), 1u);
  }
}

TEST_F(SnapshotTest, EveryColumnOfAScanIsWhatTheRunSays) {
  CommitChanged({{1, "7", "abc"}, {2, "", "de"}}, [](oscope::Run& run) {
    if (run.header.id.value.low != 1) return;
    run.header.test = "the test";
    run.header.outcome = Outcome::kTimeout;
    run.traces[0].header.process = 3;
    run.traces[0].header.thread = 4;
    run.traces[0].header.kind = TraceKind::kStack;
    run.traces[0].header.mark = FailureMark{2, "x"};
  });
  const Snapshot snapshot = Must(store_.Read());
  size_t seen = 0;
  Must(snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
    EXPECT_EQ(batch.rows, 2u);
    for (size_t r = 0; r < batch.rows; ++r, ++seen) {
      const bool first = batch.run_ids[r] == IdOf(1);
      EXPECT_EQ(batch.process[r], first ? 3u : 0u);
      EXPECT_EQ(batch.thread[r], first ? 4u : 0u);
      EXPECT_EQ(batch.chunk[r], 0u);
      EXPECT_EQ(batch.kind[r], first ? TraceKind::kStack : TraceKind::kExecution);
      EXPECT_EQ(batch.outcome[r], first ? Outcome::kTimeout : Outcome::kFailed);
      EXPECT_EQ(batch.first_event[r], 0u);
      EXPECT_EQ(batch.event_count[r], first ? 3u : 2u);
      EXPECT_EQ(batch.mark[r], 2u);
      EXPECT_EQ(batch.project[r], "demo");
      EXPECT_EQ(batch.bug[r], first ? "7" : "");
      EXPECT_EQ(batch.test[r], first ? "the test" : "test");
      EXPECT_EQ(batch.offsets[r + 1] - batch.offsets[r], first ? 3u : 2u);
    }
    EXPECT_EQ(batch.names.size(), 5u);
    return {};
  }));
  EXPECT_EQ(seen, 2u);
  const SegmentEntry& segment = snapshot.manifest().segments[0];
  for (const ScanColumns& columns :
       {ScanColumns{true, false, false}, ScanColumns{false, true, false}, ScanColumns{false, false, true}}) {
    Must(snapshot.ScanSegment(segment, columns, [&](const TraceBatch& batch) -> Status {
      EXPECT_EQ(batch.process.size(), columns.header ? 2u : 0u);
      EXPECT_EQ(batch.mark.size(), columns.header ? 2u : 0u);
      EXPECT_EQ(batch.test.size(), columns.names ? 2u : 0u);
      EXPECT_EQ(batch.run_ids.size(), columns.run_ids ? 2u : 0u);
      EXPECT_EQ(batch.codes.size(), 5u);
      return {};
    }));
  }
}

TEST_F(SnapshotTest, AWholeFileIsCheckedBeforeItsFirstScanOnly) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  const SegmentEntry segment = Must(store_.Read()).manifest().segments[0];
  const std::string path = files_.TablePath(segment.id, Table::kTraces);
  std::string bytes = Must(ReadWholeFile(fs_, path, 1 << 20));
  const auto scan = [](const Store& store) {
    return Must(store.Read()).ScanTraces({}, [](const TraceBatch&) { return Status(); });
  };
  Store store = Must(Store::Open(fs_, "s"));
  ASSERT_OK(scan(store));
  bytes[0] = 'Q';  // of the magic at the front, which no read of a page looks at
  Must(fs_.Remove(path));
  Must(WriteDurably(fs_, path, bytes));
  ASSERT_OK(scan(store));  // its digest was checked by this process
  const Status other = scan(Must(Store::Open(fs_, "s")));
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("its SHA-256 differs from the manifest's"), std::string::npos)
      << other.error().message;
}

TEST_F(SnapshotTest, SharedStoresLoadTheirIndexesOnce) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Store store = Must(Store::Open(fs_, "s"));
  Must(Must(store.Read()).FindRun(IdOf(1)));
  const Store shared = store.Share();
  EXPECT_EQ(shared.path(), "s");
  const std::string index = "open " + files_.IndexPath(Must(store.Read()).manifest().segments[0].id);
  const auto loads = [&] {
    const std::vector<std::string> log = fs_.read_log();
    return std::count(log.begin(), log.end(), index);
  };
  const auto before = loads();
  EXPECT_TRUE(Must(Must(shared.Read()).FindRun(IdOf(1))).has_value());
  EXPECT_EQ(loads(), before);
  EXPECT_TRUE(Must(Must(Must(Store::Open(fs_, "s")).Read()).FindRun(IdOf(1))).has_value());
  EXPECT_EQ(loads(), before + 1);
}

}  // namespace
}  // namespace oscope
