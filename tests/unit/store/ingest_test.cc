// What goes into a store comes out as it was, once.
#include "index/store/placement.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class IngestTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));

  IngestResult Commit(const Sample& sample, IngestOptions options = {}) {
    const auto ingest = Must(store_.BeginIngest(options));
    Must(Send(sample, *ingest));
    return Must(ingest->Commit());
  }
  RunId Id(uint64_t run) const { return IdOf(run); }
};

TEST_F(IngestTest, BringsEveryFieldBack) {
  const Sample sample = FullSample();
  const IngestResult result = Commit(sample);
  EXPECT_EQ(result.runs_added, 3u);
  EXPECT_EQ(result.bugs_added, 2u);
  EXPECT_EQ(SampleDifference(FullSample(), store_), "");
}

TEST_F(IngestTest, BringsRandomRunsBack) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 30; ++i) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const Sample sample = RandomSample(random);
    const auto ingest = Must(store.BeginIngest({}));
    Must(Send(sample, *ingest));
    ASSERT_OK(ingest->Commit());
    // Runs that name a bug nobody reported make one.
    Sample expected;
    expected.runs = sample.runs;
    RunCollector found = Everything(store);
    std::sort(expected.runs.begin(), expected.runs.end(),
              [](const oscope::Run& a, const oscope::Run& b) { return a.header.id < b.header.id; });
    ASSERT_EQ(expected.runs.size(), found.runs.size());
    for (size_t r = 0; r < expected.runs.size(); ++r) {
      ASSERT_EQ(expected.runs[r].header, found.runs[r].header);
      ASSERT_EQ(expected.runs[r].traces.size(), found.runs[r].traces.size());
      for (size_t t = 0; t < expected.runs[r].traces.size(); ++t) {
        ASSERT_EQ(TraceDifference(expected.runs[r].traces[t], sample.symbols, found.runs[r].traces[t], found.symbols),
                  "");
      }
    }
    ASSERT_TRUE(Must(store.Check()).healthy());
  }
}

TEST_F(IngestTest, SpillsARunThatIsTooLargeForMemory) {
  SymbolTable symbols;
  oscope::Run run = MakeRun({1, "7", "x"}, symbols);
  Trace& trace = run.traces[0];
  trace.events.clear();
  for (uint32_t i = 0; i < 1'000'000; ++i) {
    trace.events.push_back(symbols.Intern(fmt::format("f{}", (i * i) % 977), {"sig", "f.cc", i % 977 + 1, "", "", 0}));
    trace.depths.push_back(i % 13);
  }
  trace.header.mark = FailureMark{999'999, "abort"};
  trace.FinishHeader();
  oscope::Run second = MakeRun({2, "7", "abc"}, symbols);
  const auto ingest = Must(store_.BeginIngest({.spill_events = 100'000}));
  Must(SendRun(second, symbols, *ingest));
  Must(SendRun(run, symbols, *ingest));
  Must(SendRun(run, symbols, *ingest));  // comes twice: one is enough
  const IngestResult result = Must(ingest->Commit());
  EXPECT_EQ(result.runs_added, 2u);
  EXPECT_EQ(result.events_added, 1'000'003u);
  const Snapshot snapshot = Must(store_.Read());
  SymbolTable found_symbols;
  const Trace found = Must(snapshot.ReadTrace({Id(1), 0, 0, TraceKind::kExecution}, found_symbols));
  EXPECT_EQ(TraceDifference(trace, symbols, found, found_symbols), "");
  EXPECT_EQ(WordOf(snapshot, 2), "abc");
  // A window of it, across a chunk's border.
  const Trace window = Must(snapshot.ReadTrace({Id(1), 0, 0, TraceKind::kExecution}, found_symbols, 65'530, 20));
  ASSERT_EQ(window.events.size(), 20u);
  ASSERT_EQ(window.depths.size(), 20u);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(found_symbols.name(window.events[i]), symbols.name(trace.events[65'530 + i]));
    EXPECT_EQ(window.depths[i], trace.depths[65'530 + i]);
  }
  EXPECT_TRUE(Must(store_.Check()).healthy());
  // The same run again is known, and its spilled files are gone.
  const auto again = Must(store_.BeginIngest({.spill_events = 100'000}));
  Must(SendRun(run, symbols, *again));
  EXPECT_EQ(Must(again->Commit()).runs_known, 1u);
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(IngestTest, TheSameUploadTwiceIsOneRun) {
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}})).runs_added, 2u);
  const IngestResult again = Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}, {3, "7", "x"}}));
  EXPECT_EQ(again.runs_added, 1u);
  EXPECT_EQ(again.runs_known, 2u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2, 3}));
  const IngestResult nothing = Must(CommitRuns(store_, {{1, "7", "abc"}}));
  EXPECT_EQ(nothing.version, again.version) << "nothing new makes no new version";
}

TEST_F(IngestTest, TheSameIdWithOtherContentIsAConflict) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  const auto other = CommitRuns(store_, {{5, "7", "zzz"}, {1, "7", "abX"}});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kConflict);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{1}) << "nothing of the upload stays";
  EXPECT_TRUE(Must(store_.Check()).problems.empty()) << "nor any file of it";
  EXPECT_FALSE(CommitRuns(store_, {{8, "", "a"}, {8, "", "b"}}).ok());
}

TEST_F(IngestTest, ARunNamesABugAndMakesItOnce) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}}));
  Must(CommitRuns(store_, {{3, "7", "abe"}}));
  const Snapshot snapshot = Must(store_.Read());
  const auto history = Must(snapshot.History({"demo", "7"}));
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].bug.status, BugStatus::kOpen);
  EXPECT_NE(history[0].bug.title.find("failed: ab"), std::string::npos);
}

TEST_F(IngestTest, AnUploadThatIsDroppedLeavesNothing) {
  {
    const auto ingest = Must(store_.BeginIngest({.spill_events = 2}));
    Must(AddRuns(*ingest, {{1, "", "abcdef"}}));
  }
  EXPECT_TRUE(RunsIn(store_).empty());
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(IngestTest, RefusesWhatContradictsItself) {
  SymbolTable symbols;
  const oscope::Run good = MakeRun({1, "", "abc"}, symbols);
  const auto attempt = [&](const auto& change) {
    oscope::Run run = good;
    change(run);
    const auto ingest = Must(store_.BeginIngest({}));
    return SendRun(run, symbols, *ingest).ok();
  };
  EXPECT_TRUE(attempt([](oscope::Run&) {}));
  EXPECT_FALSE(attempt([](oscope::Run& run) { run.traces[0].header.event_count = 4; }));
  EXPECT_FALSE(attempt([](oscope::Run& run) { run.traces[0].header.mark->events = 4; }));
  EXPECT_FALSE(attempt([](oscope::Run& run) { run.traces[0].header.has_depths = true; }));
  EXPECT_FALSE(attempt([](oscope::Run& run) { run.traces.push_back(run.traces[0]); }));
  EXPECT_FALSE(attempt([](oscope::Run& run) { run.traces[0].events[0] = static_cast<SymbolId>(1000); }));
  for (const char* id : {"../../etc/passwd", "%2e%2e", "a/b", ".hidden", "-flag", "", "a b", "x\n"}) {
    EXPECT_FALSE(attempt([&](oscope::Run& run) { run.header.project = id; })) << id;
  }
}

TEST_F(IngestTest, BugEditsAreRevisionsInOrderOfCommit) {
  const BugKey key{"demo", "342"};
  EXPECT_EQ(Must(store_.EditBug(key,
                                [&](const std::optional<Bug>& none) -> Result<Bug> {
                                  EXPECT_FALSE(none.has_value());
                                  Bug bug;
                                  bug.key = key;
                                  bug.title = "one";
                                  return bug;
                                }))
                .title,
            "one");
  // A clock that jumps back a day changes nothing: order is by revision.
  const auto retitle = [&](const std::string& title) {
    return store_.EditBug(key, [&](const std::optional<Bug>& bug) -> Result<Bug> {
      Bug next = *bug;
      next.title = title;
      next.status = BugStatus::kResolved;
      return next;
    });
  };
  ASSERT_OK(retitle("two"));
  const uint64_t version = Must(store_.Read()).version();
  ASSERT_OK(retitle("two"));
  EXPECT_EQ(Must(store_.Read()).version(), version) << "an edit that changes nothing commits nothing";
  const Snapshot snapshot = Must(store_.Read());
  const auto history = Must(snapshot.History(key));
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[0].bug.title, "one");
  EXPECT_EQ(history[1].revision, 2u);
  EXPECT_EQ(Must(snapshot.FindBug(key))->title, "two");
  EXPECT_EQ(Must(snapshot.Bugs()).size(), 1u);
  EXPECT_FALSE(store_
                   .EditBug(key,
                            [](const std::optional<Bug>& bug) -> Result<Bug> {
                              Bug other = *bug;
                              other.key.id = "343";
                              return other;
                            })
                   .ok());
}

TEST_F(IngestTest, NamesAreResolved) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "x-1", "abd"}}));
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(Must(snapshot.ResolveBug("demo-7")), (BugKey{"demo", "7"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("7")), (BugKey{"demo", "7"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("7", "demo")), (BugKey{"demo", "7"}));
  EXPECT_EQ(Must(snapshot.ResolveBug("demo-x-1")), (BugKey{"demo", "x-1"}));
  const auto unknown = snapshot.ResolveBug("demo-8");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("demo-7"), std::string::npos) << unknown.error().message;
  EXPECT_FALSE(snapshot.ResolveBug("../../etc/passwd").ok());
  EXPECT_EQ(Must(snapshot.ResolveRun(ToString(Id(1)))), Id(1));
  EXPECT_EQ(Must(snapshot.ResolveRun(ToString(Id(1)).substr(0, 8))), Id(1));
  EXPECT_FALSE(snapshot.ResolveRun("zzzz").ok());
  EXPECT_FALSE(snapshot.ResolveRun("0000").ok());
}

TEST_F(IngestTest, ABugAndItsRunsShareARange) {
  RunHeader run;
  run.project = "demo";
  run.bug = "7";
  EXPECT_EQ(PlacementOf(run), PlacementOf(BugKey{"demo", "7"}));
  run.bug = "";
  run.test = "7";
  EXPECT_NE(PlacementOf(run), PlacementOf(BugKey{"demo", "7"}));
}

TEST_F(IngestTest, LinkedRunsMoveToTheBug) {
  Must(CommitRuns(store_, {{1, "", "abc"}, {2, "", "abd"}, {3, "7", "x"}}));
  EXPECT_FALSE(store_.LinkRuns({Id(1)}, {"demo", "8"}).ok()) << "an unknown bug";
  EXPECT_FALSE(store_.LinkRuns({Id(9)}, {"demo", "7"}).ok()) << "an unknown run";
  ASSERT_OK(store_.LinkRuns({Id(1)}, {"demo", "7"}));
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(Must(snapshot.FindRun(Id(1)))->header.bug, "7");
  EXPECT_EQ(Must(snapshot.FindRun(Id(2)))->header.bug, "");
  EXPECT_EQ(RunsIn(snapshot), (std::set<uint64_t>{1, 2, 3}));
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "", "abc"}})).runs_known, 1u) << "linked, it is still the same run";
  EXPECT_TRUE(Must(store_.Check()).healthy());
}

TEST_F(IngestTest, QuotasRefuseWhatIsTooMuch) {
  Must(CommitRuns(store_, {{1, "", "abc"}}));
  ASSERT_OK(store_.SetSettings(
      {.max_bytes = std::nullopt, .max_runs = 2, .queries = {}, .remembered = {}, .next_numbers = {}}));
  ASSERT_OK(CommitRuns(store_, {{2, "", "abd"}}));
  const auto refused = CommitRuns(store_, {{3, "", "abe"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2}));
  ASSERT_OK(store_.SetSettings(
      {.max_bytes = 100, .max_runs = std::nullopt, .queries = {}, .remembered = {}, .next_numbers = {}}));
  EXPECT_EQ(CommitRuns(store_, {{3, "", "abe"}}).error().code, ErrorCode::kLimit);
  ASSERT_OK(store_.SetSettings({}));
  ASSERT_OK(CommitRuns(store_, {{3, "", "abe"}}));
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
}

TEST_F(IngestTest, ManyCommitsMoveIntoGroups) {
  for (uint64_t i = 1; i <= 200; ++i)
    Must(CommitRuns(store_, {{i, fmt::format("{}", i % 5), "w" + std::to_string(i)}}));
  const Snapshot snapshot = Must(store_.Read());
  EXPECT_GE(snapshot.manifest().groups.size(), 2u);
  EXPECT_LE(fs_.Open(fmt::format("s/manifests/{:020}.json", snapshot.version())).value()->size(), 100'000u);
  EXPECT_EQ(RunsIn(snapshot).size(), 200u);
  const Store reopened = Must(Store::Open(fs_, "s"));
  EXPECT_EQ(RunsIn(reopened).size(), 200u);
}

TEST_F(IngestTest, ScansGiveTheEventsAsNames) {
  Must(CommitRuns(store_, {{1, "7", "abca"}, {2, "8", ""}, {3, "7", "cb"}}));
  std::map<uint64_t, std::string> words;
  const Snapshot snapshot = Must(store_.Read());
  Must(snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
    for (size_t row = 0; row < batch.rows; ++row) {
      std::string& word = words[batch.run_ids[row].value.low];
      for (uint64_t i = batch.offsets[row]; i < batch.offsets[row + 1]; ++i)
        word += batch.names[static_cast<size_t>(batch.codes[i])];
      EXPECT_EQ(batch.mark[row], batch.event_count[row]);
      EXPECT_EQ(batch.project[row], "demo");
      EXPECT_EQ(batch.kind[row], TraceKind::kExecution);
      EXPECT_EQ(batch.outcome[row], Outcome::kFailed);
    }
    return {};
  }));
  EXPECT_EQ(words, (std::map<uint64_t, std::string>{{1, "abca"}, {2, ""}, {3, "cb"}}));
  // Only what is asked for.
  Must(snapshot.ScanTraces({.header = false, .names = false, .run_ids = false}, [&](const TraceBatch& batch) -> Status {
    EXPECT_TRUE(batch.run_ids.empty() && batch.mark.empty() && batch.project.empty());
    EXPECT_EQ(batch.codes.size(), 6u);
    return {};
  }));
}

}  // namespace
}  // namespace oscope
