// Edits, links, quotas, purges, compactions and merges at their bounds: what they refuse, what they count, and what
// they leave alone.
#include "index/store/batching_sink.h"
#include "index/store/store_files.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

class ChangesTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));

  uint64_t Version() const { return Must(store_.NewestVersion()); }
  Bug BugOf(const std::string& id) const { return Must(Must(store_.Read()).FindBug({"demo", id})).value(); }
  IngestResult CommitChanged(const std::vector<WordRun>& words, const std::function<void(oscope::Run&)>& change) {
    return Must(oscope::CommitChanged(store_, words, change));
  }
  size_t Segments() const { return Must(store_.Read()).manifest().segments.size(); }
  std::vector<std::string> Left(const std::string& directory) { return Must(fs_.List("s/" + directory)); }
};

// --- the title of a bug that only a run names ---

TEST_F(ChangesTest, ATitleIsTheFirstLineOfTheMessageElseTheTestElseTheBug) {
  uint64_t next = 1;
  const auto title = [&](const std::string& message, const std::string& test) {
    const std::string bug = fmt::format("b{}", next);
    CommitChanged({{next++, bug, "w"}}, [&](oscope::Run& run) {
      run.header.failure.message = message;
      run.header.test = test;
    });
    return BugOf(bug).title;
  };
  EXPECT_EQ(title("one\ntwo", "t"), "one");
  EXPECT_EQ(title("one", "t"), "one");
  EXPECT_EQ(title("\ntwo", "the test"), "the test");
  EXPECT_EQ(title("", "the test"), "the test");
  EXPECT_EQ(title("", ""), "bug b5");
  EXPECT_EQ(title(std::string(120, 'x'), ""), std::string(120, 'x'));
  EXPECT_EQ(title(std::string(121, 'x'), ""), std::string(120, 'x'));
  EXPECT_EQ(title("", std::string(121, 'y')), std::string(120, 'y'));
  // A character is kept whole or left out: two bytes, three and four, around the limit.
  for (const std::string& character :
       {std::string("\xc3\xa9"), std::string("\xe2\x82\xac"), std::string("\xf0\x9f\x98\x80")}) {
    for (size_t before = 120 - character.size() - 1; before <= 121; ++before) {
      const std::string text = std::string(before, 'x') + character + "yz";
      const std::string expected =
          before + character.size() <= 120 ? text.substr(0, 120) : std::string(std::min<size_t>(before, 120), 'x');
      EXPECT_EQ(title(text, ""), expected) << before;
    }
  }
  EXPECT_EQ(title(std::string(121, '\x80'), ""), std::string(117, '\x80')) << "it is no UTF-8, and loses little";
}

TEST_F(ChangesTest, ABugThatARunNamesKnowsWhatTheRunKnows) {
  const IngestResult result = CommitChanged({{2, "7", "bb"}, {1, "7", "aa"}, {3, "", "c"}}, [](oscope::Run& run) {
    run.header.version = fmt::format("v{}", run.header.id.value.low);
    run.header.started_ns = 100 + static_cast<int64_t>(run.header.id.value.low);
  });
  EXPECT_EQ(result.version, 2u);
  EXPECT_EQ(result.runs_added, 3u);
  EXPECT_EQ(result.runs_known, 0u);
  EXPECT_EQ(result.traces_added, 3u);
  EXPECT_EQ(result.events_added, 5u);
  EXPECT_EQ(result.bugs_added, 1u);
  EXPECT_EQ(result.bugs_changed, 0u);
  EXPECT_TRUE(result.bugs_combined.empty());
  const Bug bug = BugOf("7");
  // The run with the lowest id names it.
  const uint64_t first = IdOf(1) < IdOf(2) ? 1 : 2;
  EXPECT_EQ(bug.title, first == 1 ? "failed: aa" : "failed: bb");
  EXPECT_EQ(bug.version, fmt::format("v{}", first));
  EXPECT_EQ(bug.created_ns, 100 + static_cast<int64_t>(first));
  EXPECT_EQ(Must(Must(store_.Read()).Bugs()).size(), 1u) << "a run without a bug makes none";
  const auto history = Must(Must(store_.Read()).History({"demo", "7"}));
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].revision, 1u);
  EXPECT_GT(history[0].edited_ns, 1'500'000'000'000'000'000);
}

TEST_F(ChangesTest, ReportsAreAddedChangedOrKnown) {
  Bug one;
  one.key = {"demo", "1"};
  one.title = "one";
  Bug two = one;
  two.key.id = "2";
  const auto ingest = Must(store_.BeginIngest({}));
  Must(ingest->AddBug(one));
  Must(ingest->AddBug(two));
  Must(AddRuns(*ingest, {{1, "1", "abc"}}));
  EXPECT_EQ(ingest->pending_runs(), 1u);
  EXPECT_EQ(ingest->pending_events(), 3u);
  IngestResult result = Must(ingest->Commit());
  EXPECT_EQ(result.bugs_added, 2u) << "a run that names a report which came along makes no other";
  EXPECT_EQ(BugOf("1").title, "one");
  EXPECT_EQ(ingest->pending_runs(), 0u);
  EXPECT_EQ(ingest->pending_events(), 0u);

  two.title = "changed";
  Must(ingest->AddBug(one));
  Must(ingest->AddBug(two));
  result = Must(ingest->Commit());
  EXPECT_EQ(result.bugs_added, 0u);
  EXPECT_EQ(result.bugs_changed, 1u);
  EXPECT_EQ(result.version, 3u);
  const auto history = Must(Must(store_.Read()).History({"demo", "2"}));
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[1].revision, 2u);
  EXPECT_EQ(history[1].bug.title, "changed");
  EXPECT_EQ(Must(Must(store_.Read()).History({"demo", "1"})).size(), 1u);

  result = Must(ingest->Commit());
  EXPECT_EQ(result.version, 3u) << "what was committed is not pending any more";
  EXPECT_EQ(result.bugs_added + result.bugs_changed + result.runs_added + result.runs_known, 0u);

  Bug bad = one;
  bad.key.id = "../x";
  EXPECT_EQ(ingest->AddBug(bad).error().code, ErrorCode::kInvalid);
}

TEST_F(ChangesTest, TwoReportsBecomeWhatCombineMakesOfThem) {
  Bug stored;
  stored.key = {"demo", "1"};
  stored.title = "stored";
  Must(store_.EditBug(stored.key, [&](const std::optional<Bug>&) -> Result<Bug> { return stored; }));
  int asked = 0;
  const auto give = [&](const std::string& title, bool keep) {
    const auto ingest = Must(store_.BeginIngest({.combine = [&](const Bug& ours, const Bug& given) {
      ++asked;
      EXPECT_EQ(ours.title, "stored");
      Bug next = ours;
      if (!keep) next.text = given.title;
      return next;
    }}));
    Bug bug = stored;
    bug.title = title;
    Must(ingest->AddBug(bug));
    return Must(ingest->Commit());
  };
  IngestResult result = give("stored", false);
  EXPECT_EQ(asked, 0) << "an equal report is not asked about";
  EXPECT_EQ(result.version, 2u);
  result = give("theirs", true);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(result.version, 2u) << "ours stays, so nothing changes";
  EXPECT_EQ(result.bugs_changed, 0u);
  EXPECT_EQ(result.bugs_combined, std::vector<BugKey>{stored.key});
  result = give("theirs", false);
  EXPECT_EQ(result.version, 3u);
  EXPECT_EQ(result.bugs_changed, 1u);
  EXPECT_EQ(result.bugs_combined, std::vector<BugKey>{stored.key});
  EXPECT_EQ(BugOf("1").text, "theirs");
}

// --- quotas ---

// The time at which a run is stored is in its bytes, so that the same run may take a few more or less. What is exactly
// as much as the quota is tried on a version's edit (builder_test.cc).
TEST_F(ChangesTest, AQuotaOfBytesIsMet) {
  constexpr uint64_t kClock = 64;
  Must(CommitRuns(store_, {{1, "", "abc"}}));
  CrashFileSystem& fs = fs_;
  // What one more run takes, tried on a copy.
  const auto trial = fs.Kill();
  uint64_t needed = 0;
  {
    Store copy = Must(Store::Open(*trial, "s"));
    Must(CommitRuns(copy, {{2, "", "abd"}}));
    needed = Must(copy.Read()).manifest().bytes();
  }
  ASSERT_OK(store_.SetSettings(
      {.max_bytes = needed - kClock, .max_runs = {}, .queries = {}, .remembered = {}, .next_numbers = {}}));
  const auto refused = CommitRuns(store_, {{2, "", "abd"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_NE(refused.error().message.find("purge runs, or raise it with 'oscope store quota'"), std::string::npos);
  EXPECT_EQ(Left("segments").size(), 2u) << "nothing of what was refused stays";
  ASSERT_OK(store_.SetSettings(
      {.max_bytes = needed + kClock, .max_runs = {}, .queries = {}, .remembered = {}, .next_numbers = {}}));
  ASSERT_OK(CommitRuns(store_, {{2, "", "abd"}}));
}

TEST_F(ChangesTest, AStoreAboveItsQuotaMayShrinkAndBeLookedAt) {
  Must(CommitRuns(store_, {{1, "", "abc"}, {2, "", "abd"}}));
  Must(store_.EditBug({"demo", "9"}, [](const std::optional<Bug>&) -> Result<Bug> {
    Bug bug;
    bug.key = {"demo", "9"};
    return bug;
  }));
  ASSERT_OK(store_.SetSettings({.max_bytes = 1, .max_runs = 1, .queries = {}, .remembered = {}, .next_numbers = {}}));
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "", "abc"}})).runs_known, 1u);
  EXPECT_EQ(store_
                .EditBug({"demo", "9"},
                         [](const std::optional<Bug>& bug) -> Result<Bug> {
                           Bug next = *bug;
                           next.title = "more";
                           return next;
                         })
                .error()
                .code,
            ErrorCode::kLimit);
  EXPECT_EQ(BugOf("9").title, "");
  EXPECT_EQ(Left("segments").size(), 3u);
  ASSERT_OK(store_.SetSettings({.max_bytes = {}, .max_runs = 1, .queries = {}, .remembered = {}, .next_numbers = {}}));
  ASSERT_OK(store_.EditBug({"demo", "9"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "more";
    return next;
  }));  // a report is no run
  const auto refused = CommitRuns(store_, {{3, "", "abe"}});
  EXPECT_EQ(refused.error().message,
            "the store would hold 3 runs and its quota is 1: purge runs, or raise it with 'oscope store quota'");
  PurgeFilter one;
  one.runs = {IdOf(1)};
  ASSERT_OK(store_.Purge(one));
}

TEST_F(ChangesTest, SettingsThatDoNotChangeMakeNoVersion) {
  const StoreSettings settings{.max_bytes = 10'000'000,
                               .max_runs = 3,
                               .queries = {{"q", "text"}},
                               .remembered = {{"p", {{"t", "q"}}}},
                               .next_numbers = {{"p", 7}}};
  EXPECT_EQ(Must(store_.SetSettings(settings)), 2u);
  EXPECT_EQ(Must(store_.SetSettings(settings)), 2u);
  EXPECT_EQ(Must(store_.Settings()), settings);
  EXPECT_EQ(store_
                .EditSettings([](StoreSettings& now) -> Status {
                  now.max_runs = 9;
                  return Invalid("no");
                })
                .error()
                .message,
            "no");
  EXPECT_EQ(Must(store_.Settings()), settings);
  EXPECT_EQ(Version(), 2u);
}

// --- edits and links ---

TEST_F(ChangesTest, AnEditIsRefusedAsItSays) {
  const BugKey key{"demo", "7"};
  EXPECT_EQ(
      store_.EditBug(key, [](const std::optional<Bug>&) -> Result<Bug> { return NotFound("mine"); }).error().message,
      "mine");
  const auto other = store_.EditBug(key, [](const std::optional<Bug>&) -> Result<Bug> {
    Bug bug;
    bug.key = {"demo", "8"};
    return bug;
  });
  EXPECT_EQ(other.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(other.error().message, "an edit cannot turn bug demo-7 into demo-8");
  EXPECT_FALSE(store_
                   .EditBug({"demo", "../7"},
                            [](const std::optional<Bug>&) -> Result<Bug> {
                              Bug bug;
                              bug.key = {"demo", "../7"};
                              return bug;
                            })
                   .ok());
  EXPECT_EQ(Version(), 1u);
  EXPECT_TRUE(Left("segments").empty());
  Bug empty;
  empty.key = key;
  EXPECT_EQ(Must(store_.EditBug(key, [&](const std::optional<Bug>&) -> Result<Bug> { return empty; })), empty);
  EXPECT_EQ(Version(), 2u) << "a report that says nothing is still a new one";
}

TEST_F(ChangesTest, ALinkIsRefusedAsItSays) {
  Must(CommitRuns(store_, {{1, "", "abc"}, {2, "", "abd"}, {3, "7", "x"}}));
  CommitChanged({{4, "", "y"}}, [](oscope::Run& run) { run.header.project = "other"; });
  const auto expect = [&](const std::vector<RunId>& runs, const BugKey& bug, ErrorCode code,
                          const std::string& message) {
    const auto linked = store_.LinkRuns(runs, bug);
    ASSERT_FALSE(linked.ok()) << message;
    EXPECT_EQ(linked.error().code, code);
    EXPECT_EQ(linked.error().message, message);
  };
  expect({IdOf(1)}, {"demo", "8"}, ErrorCode::kNotFound, "no bug demo-8");
  expect({IdOf(1), IdOf(9)}, {"demo", "7"}, ErrorCode::kNotFound, "no run " + ToString(IdOf(9)));
  expect({IdOf(1), IdOf(4)}, {"demo", "7"}, ErrorCode::kInvalid,
         "run " + ToString(IdOf(4)) + " is of project other, bug demo-7 is not");
  EXPECT_EQ(Version(), 3u);
  EXPECT_TRUE(Must(store_.Check()).problems.empty()) << "what was refused leaves no file";
  EXPECT_EQ(Must(store_.LinkRuns({}, {"demo", "7"})), 3u) << "nothing to do";
  EXPECT_EQ(Must(store_.LinkRuns({IdOf(3)}, {"demo", "7"})), 3u) << "it is there already";
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2, 3, 4}));
  // To no bug, whatever the project: and two at once of which one is there already.
  EXPECT_EQ(Must(store_.LinkRuns({IdOf(3), IdOf(4)}, {"demo", ""})), 4u);
  EXPECT_EQ(Must(Must(store_.Read()).FindRun(IdOf(3)))->header.bug, "");
  EXPECT_EQ(Must(Must(store_.Read()).FindRun(IdOf(4)))->header.project, "other");
  EXPECT_EQ(Must(store_.LinkRuns({IdOf(1), IdOf(2)}, {"demo", "7"})), 5u);
  const Snapshot snapshot = Must(store_.Read());
  std::set<uint64_t> of_7;
  Must(
      snapshot.ForEachRun({.project = "demo", .bug = "7", .test = "", .failing = {}}, false, [&](const StoredRun& run) {
        of_7.insert(run.header.id.value.low);
        return true;
      }));
  EXPECT_EQ(of_7, (std::set<uint64_t>{1, 2}));
  EXPECT_TRUE(Must(store_.Check()).problems.empty()) << "the old files are gone";
}

TEST_F(ChangesTest, AQuarantineIsOfTheNamedOnceAndKeepsItsFirstReason) {
  Must(CommitRuns(store_, {{1, "", "abc"}}));
  Must(CommitRuns(store_, {{2, "", "abd"}}));
  const std::string id = Must(store_.Read()).manifest().segments[0].id;
  EXPECT_EQ(Must(store_.Quarantine({std::string(32, '0')}, "unknown")), 3u);
  EXPECT_EQ(Must(store_.Quarantine({id}, "first")), 4u);
  EXPECT_EQ(Must(store_.Quarantine({id}, "second")), 4u);
  Snapshot snapshot = Must(store_.Read());
  EXPECT_EQ(snapshot.damaged(), std::vector<std::string>{"segment " + id + ": quarantined: first"});
  EXPECT_EQ(snapshot.Stats().segments, 2u);
  EXPECT_EQ(snapshot.Stats().quarantined, 1u);
  EXPECT_EQ(RunsIn(snapshot), std::set<uint64_t>{2});
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "", "abc"}})).runs_added, 1u) << "what nobody can read may come again";
  EXPECT_EQ(store_.LinkRuns({IdOf(3)}, {"demo", ""}).error().code, ErrorCode::kNotFound);
}

// --- purges ---

TEST_F(ChangesTest, AnAgeIsBeforeATimeAndIsOfTheStartElseOfTheStoring) {
  CommitChanged({{1, "", "a"}, {2, "", "b"}, {3, "", "c"}}, [](oscope::Run& run) {
    if (run.header.id.value.low != 3) run.header.started_ns = 1000 * static_cast<int64_t>(run.header.id.value.low);
  });
  const int64_t stored = Must(Must(store_.Read()).FindRun(IdOf(3)))->stored_ns;
  PurgeFilter filter;
  filter.older_than_ns = 1000;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 0u) << "one that started at the time is not older";
  filter.older_than_ns = 1001;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 1u);
  filter.older_than_ns = stored;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 2u);
  filter.older_than_ns = stored + 1;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 3u);
  EXPECT_EQ(Version(), 2u);
}

TEST_F(ChangesTest, TheNewestRunsOfEachBugAndOfEachTestStay) {
  // Runs 1 to 3 of bug 7, all as old, of different tests; 4 to 6 of no bug: two of test t, one of test u; 7 of the
  // other project's bug 7.
  CommitChanged({{1, "7", "a"}, {2, "7", "b"}, {3, "7", "c"}, {4, "", "d"}, {5, "", "e"}, {6, "", "f"}, {7, "7", "g"}},
                [](oscope::Run& run) {
                  const uint64_t id = run.header.id.value.low;
                  run.header.started_ns = id <= 3 ? 5 : static_cast<int64_t>(id);
                  run.header.test = id <= 3 ? fmt::format("t{}", id) : id == 6 ? "u" : "t";
                  if (id == 7) run.header.project = "other";
                });
  PurgeFilter filter;
  filter.keep_last = 1;
  const PurgeResult result = Must(store_.Purge(filter));
  EXPECT_EQ(result.runs, 3u);
  EXPECT_EQ(result.bugs, 0u);
  // Of runs of one age the one with the highest id stays, so that the same purge always does the same.
  uint64_t highest = 1;
  for (const uint64_t id : {2, 3}) highest = IdOf(highest) < IdOf(id) ? id : highest;
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{highest, 5, 6, 7}));
  filter.keep_last = 0;
  EXPECT_EQ(Must(store_.Purge(filter)).runs, 4u);
  EXPECT_EQ(Must(Must(store_.Read()).Bugs()).size(), 2u) << "reports stay unless they are named";
}

TEST_F(ChangesTest, APurgeTellsWhatItFreedAndTouchesNothingElse) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}}));
  Must(CommitRuns(store_, {{3, "8", "abe"}}));
  const Manifest before = Must(store_.Read()).manifest();
  EXPECT_EQ(store_.Purge({}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(store_.Purge({}).error().message, "a purge needs a filter that says what to delete");
  PurgeFilter bugs_without_project;
  bugs_without_project.bugs_too = true;
  EXPECT_FALSE(store_.Purge(bugs_without_project).ok());
  PurgeFilter nothing;
  nothing.runs = {IdOf(9)};
  EXPECT_EQ(Must(store_.Purge(nothing)).version, 3u);
  PurgeFilter failing;
  failing.failing = false;
  EXPECT_EQ(Must(store_.Purge(failing)).runs, 0u);
  PurgeFilter filter;
  filter.runs = {IdOf(1)};
  const PurgeResult result = Must(store_.Purge(filter));
  EXPECT_EQ(result.version, 4u);
  EXPECT_EQ(result.runs, 1u);
  EXPECT_EQ(result.bugs, 0u);
  EXPECT_EQ(result.files_pinned, 0u);
  const Manifest after = Must(store_.Read()).manifest();
  EXPECT_EQ(after.segments[0], before.segments[1]) << "a segment that holds none of it stays as it is";
  EXPECT_EQ(result.bytes_freed, before.bytes() - after.bytes());
  EXPECT_GT(result.bytes_freed, 0u);
  // The whole of it: a segment of which nothing stays is not written again.
  PurgeFilter all;
  all.project = "demo";
  all.bugs_too = true;
  EXPECT_EQ(Must(store_.Purge(all)).bytes_freed, after.bytes());
  EXPECT_EQ(Segments(), 0u);
  EXPECT_TRUE(Left("segments").empty());
  EXPECT_TRUE(Left("index").empty());
}

TEST_F(ChangesTest, APurgeIsOfAllThatIsSetTogether) {
  CommitChanged({{1, "7", "a"}, {2, "7", "b"}, {3, "8", "c"}, {4, "7", "d"}}, [](oscope::Run& run) {
    const uint64_t id = run.header.id.value.low;
    run.header.started_ns = static_cast<int64_t>(id);
    run.header.outcome = id == 2 ? Outcome::kPassed : Outcome::kFailed;
    if (id == 4) run.header.project = "other";
  });
  PurgeFilter filter;
  filter.bugs = {{"demo", "7"}};
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 2u);
  EXPECT_EQ(Must(store_.Purge(filter, true)).bugs, 1u);
  filter.runs = {IdOf(3)};
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 0u) << "the run is of another bug";
  EXPECT_EQ(Must(store_.Purge(filter, true)).bugs, 0u);
  filter.runs = {IdOf(1), IdOf(3)};
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 1u);
  EXPECT_EQ(Must(store_.Purge(filter, true)).bugs, 0u) << "a run of it is not named";
  filter.runs = {IdOf(1), IdOf(2)};
  EXPECT_EQ(Must(store_.Purge(filter, true)).bugs, 1u);
  filter.failing = true;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 1u);
  EXPECT_EQ(Must(store_.Purge(filter, true)).bugs, 0u) << "a run of it stays";
  filter.older_than_ns = 3;
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 1u);
  filter.project = "other";
  EXPECT_EQ(Must(store_.Purge(filter, true)).runs, 0u);
  EXPECT_EQ(Version(), 2u);
}

// --- compaction ---

TEST_F(ChangesTest, SegmentsBelowABoundAreMergedWhenThereAreEnough) {
  Must(CommitRuns(store_, {{1, "", "abcd"}}));
  Must(CommitRuns(store_, {{2, "", "abc"}}));
  Must(CommitRuns(store_, {{3, "", "ab"}}));
  CompactOptions options;
  options.small_segment_events = 3;
  EXPECT_EQ(Must(store_.Compact(options)).version, 4u) << "one alone is left alone";
  options.min_segments = 3;
  options.small_segment_events = 4;
  EXPECT_EQ(Must(store_.Compact(options)).version, 4u) << "two are too few";
  options.min_segments = 2;
  const Manifest before = Must(store_.Read()).manifest();
  const CompactResult result = Must(store_.Compact(options));
  const Manifest after = Must(store_.Read()).manifest();
  EXPECT_EQ(result.version, 5u);
  EXPECT_EQ(result.segments_before, 3u);
  EXPECT_EQ(result.segments_after, 2u);
  EXPECT_EQ(result.bytes_before, before.bytes());
  EXPECT_EQ(result.bytes_after, after.bytes());
  EXPECT_EQ(result.ranges_split, 0u);
  EXPECT_EQ(result.files_removed, 4u) << "the traces and the runs of both";
  EXPECT_EQ(after.segments[0], before.segments[0]) << "four events are not fewer than four";
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2, 3}));
}

TEST_F(ChangesTest, AMergedSegmentEndsAtTheTarget) {
  for (uint64_t i = 1; i <= 4; ++i) Must(CommitRuns(store_, {{i, "", "abc"}}));
  CompactOptions options;
  options.target_events = 6;
  EXPECT_EQ(Must(store_.Compact(options)).segments_after, 2u) << "two runs of three events fill a segment of six";
  options.target_events = 7;
  EXPECT_EQ(Must(store_.Compact(options)).segments_after, 2u) << "a third run fits on top of six, but not a fourth";
  EXPECT_EQ(RunsIn(store_).size(), 4u);
  for (const SegmentEntry& segment : Must(store_.Read()).manifest().segments)
    EXPECT_TRUE(segment.runs == 3 || segment.runs == 1);
}

TEST_F(ChangesTest, ARangeIsSplitAboveItsBoundsOnly) {
  for (uint64_t i = 1; i <= 4; ++i) Must(CommitRuns(store_, {{i, fmt::format("{}", i), "abc"}}));
  CompactOptions options;
  options.min_segments = 100;
  options.split_events = 12;
  options.split_runs = 4;
  EXPECT_EQ(Must(store_.Compact(options)).version, 5u) << "exactly at both bounds";
  const auto split = [&](CompactOptions changed) {
    const auto copy = fs_.Kill();
    Store store = Must(Store::Open(*copy, "s"));
    const CompactResult result = Must(store.Compact(changed));
    const Manifest manifest = Must(store.Read()).manifest();
    EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 3, 4}));
    EXPECT_TRUE(Must(store.Check()).problems.empty());
    EXPECT_EQ(result.ranges_split, manifest.ranges.size() - 1);
    return manifest.ranges;
  };
  const std::vector<HashRange> halves = {{0, UINT64_MAX / 2}, {UINT64_MAX / 2 + 1, UINT64_MAX}};
  options.split_events = 11;
  EXPECT_EQ(split(options), halves);
  options.split_events = 12;
  options.split_runs = 3;
  EXPECT_EQ(split(options), halves);
}

TEST_F(ChangesTest, OneSegmentIsNotSplit) {
  Must(CommitRuns(store_, {{1, "1", "abc"}, {2, "2", "abc"}}));
  CompactOptions options;
  options.split_runs = 1;
  EXPECT_EQ(Must(store_.Compact(options)).ranges_split, 0u);
  Must(CommitRuns(store_, {{3, "3", "abc"}}));
  EXPECT_EQ(Must(store_.Compact(options)).ranges_split, 1u);
}

TEST_F(ChangesTest, CompactionHappensByItselfFromSixtyFourSmallSegmentsOn) {
  for (uint64_t i = 1; i <= 63; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  ASSERT_OK(store_.CompactIfNeeded());
  EXPECT_EQ(Segments(), 63u);
  Must(CommitRuns(store_, {{64, "", "w"}}));
  const std::string id = Must(store_.Read()).manifest().segments[5].id;
  {
    const auto copy = fs_.Kill();
    Store store = Must(Store::Open(*copy, "s"));
    Must(store.Quarantine({id}, "lost"));
    ASSERT_OK(store.CompactIfNeeded());
    EXPECT_EQ(Must(store.Read()).manifest().segments.size(), 64u) << "a segment in quarantine does not count";
    Must(store.Compact());
    EXPECT_EQ(Must(store.Read()).manifest().segments.size(), 2u) << "and stays as it is";
  }
  ASSERT_OK(store_.CompactIfNeeded());
  EXPECT_EQ(Segments(), 1u);
  EXPECT_EQ(RunsIn(store_).size(), 64u);
}

TEST_F(ChangesTest, AnErrorOfACompactionIsTold) {
  for (uint64_t i = 1; i <= 64; ++i) Must(CommitRuns(store_, {{i, "", "w"}}));
  Must(fs_.Remove("s/segments/" + Left("segments")[0]));
  EXPECT_EQ(store_.CompactIfNeeded().error().code, ErrorCode::kCorrupt);
}

// --- merges ---

TEST_F(ChangesTest, AMergeFillsEveryGapOfOursAndChangesNothingElse) {
  Bug full;
  full.key = {"demo", "7"};
  full.title = "title";
  full.status = BugStatus::kClosed;
  full.severity = "major";
  full.reporter = "reporter";
  full.created_ns = 5;
  full.resolved_ns = 6;
  full.url = "url";
  full.version = "version";
  full.text = "text";
  full.comments = {{"a", 1, "one"}, {"b", 2, "two"}};
  full.fix = {"commit", "diff", "author", 7, "note"};
  full.duplicates = {{"demo", "8"}, {"demo", "9"}};
  full.custom = {{"k", "v"}, {"l", "w"}};
  Bug bare;
  bare.key = full.key;
  Bug other = full;
  other.title = "title 2";
  other.status = BugStatus::kReopened;
  other.severity = "minor";
  other.reporter = "reporter 2";
  other.created_ns = 15;
  other.resolved_ns = 16;
  other.url = "url 2";
  other.version = "version 2";
  other.text = "text 2";
  other.comments = {{"b", 2, "two"}, {"c", 3, "three"}};
  other.fix = {"commit 2", "diff 2", "author 2", 17, "note 2"};
  other.duplicates = {{"demo", "9"}, {"demo", "10"}};
  other.custom = {{"k", "v 2"}, {"m", "x"}};

  const auto merge = [](const Bug& ours, const Bug& theirs) {
    CrashFileSystem fs;
    Store a = Must(Store::Create(fs, "a")), b = Must(Store::Create(fs, "b"));
    Must(a.EditBug(ours.key, [&](const std::optional<Bug>&) -> Result<Bug> { return ours; }));
    Must(b.EditBug(theirs.key, [&](const std::optional<Bug>&) -> Result<Bug> { return theirs; }));
    const MergeResult result = Must(a.Merge(b));
    EXPECT_EQ(result.bugs_combined, 1u);
    EXPECT_EQ(result.combined, std::vector<BugKey>{ours.key});
    EXPECT_EQ(Must(Must(b.Read()).FindBug(theirs.key)), theirs) << "the other store stays as it is";
    return Must(Must(a.Read()).FindBug(ours.key)).value();
  };
  EXPECT_EQ(merge(bare, full), full);
  EXPECT_EQ(merge(full, bare), full);
  Bug both = full;
  both.comments.push_back({"c", 3, "three"});
  both.duplicates.push_back({"demo", "10"});
  both.custom["m"] = "x";
  EXPECT_EQ(merge(full, other), both);
  Bug reopened = bare;
  reopened.status = BugStatus::kReopened;
  EXPECT_EQ(merge(bare, reopened).status, BugStatus::kOpen) << "open in both, ours stays";
  EXPECT_EQ(merge(reopened, full).status, BugStatus::kClosed);
  Bug resolved = full;
  resolved.status = BugStatus::kResolved;
  EXPECT_EQ(merge(resolved, full).status, BugStatus::kResolved);
}

TEST_F(ChangesTest, AMergeFailsWithTheOtherStoreAndWithItsOwn) {
  Store other = Must(Store::Create(fs_, "t"));
  Must(CommitRuns(other, {{1, "7", "abc"}}));
  Must(CommitRuns(store_, {{1, "7", "abX"}}));
  EXPECT_EQ(store_.Merge(other).error().code, ErrorCode::kConflict);
  for (const std::string& name : Must(fs_.List("t/segments"))) Must(fs_.Remove("t/segments/" + name));
  EXPECT_EQ(store_.Merge(other).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "7", "abX"}})).runs_known, 1u);
}

// --- batches ---

TEST_F(ChangesTest, BatchesEndAtTheirRunsAndAtTheirEvents) {
  const auto versions = [](uint64_t runs, uint64_t events) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const auto sink = Must(BatchingSink::Open(store, runs, events));
    for (uint64_t i = 1; i <= 6; ++i) Must(AddRuns(*sink, {{i, "7", "abc"}}));
    const IngestResult total = Must(sink->Finish());
    EXPECT_EQ(total.runs_added, 6u);
    EXPECT_EQ(total.traces_added, 6u);
    EXPECT_EQ(total.events_added, 18u);
    EXPECT_EQ(total.bugs_added, 1u);
    EXPECT_EQ(total.version, Must(store.NewestVersion()));
    EXPECT_EQ(sink->Committed().runs_added, 6u);
    return total.version;
  };
  EXPECT_EQ(versions(0, UINT64_MAX), 2u) << "no number of runs ends a batch";
  EXPECT_EQ(versions(2, UINT64_MAX), 4u);
  EXPECT_EQ(versions(5, UINT64_MAX), 3u);
  EXPECT_EQ(versions(0, 6), 4u);
  EXPECT_EQ(versions(0, 7), 3u);
  EXPECT_EQ(versions(100, 1), 7u);
}

TEST_F(ChangesTest, ABatchThatFailedIsToldToEveryoneWhoAsksLater) {
  Must(CommitRuns(store_, {{2, "", "stored"}}));
  const auto sink = Must(BatchingSink::Open(store_, 1));
  Must(AddRuns(*sink, {{1, "", "abc"}}));
  Must(AddRuns(*sink, {{2, "", "abd"}}));  // is being committed, in vain
  EXPECT_EQ(AddRuns(*sink, {{3, "", "abe"}}).error().code, ErrorCode::kConflict);
  EXPECT_EQ(AddRuns(*sink, {{4, "", "abf"}}).error().code, ErrorCode::kConflict);
  EXPECT_EQ(sink->Finish().error().code, ErrorCode::kConflict);
  EXPECT_EQ(sink->Committed().runs_added, 1u) << "what came before it is durable";
  EXPECT_EQ(sink->Committed().version, 3u);
}

TEST_F(ChangesTest, BatchesCountWhatWasKnownAndChanged) {
  Must(CommitRuns(store_, {{1, "", "abc"}}));
  Bug bug;
  bug.key = {"demo", "5"};
  Must(store_.EditBug(bug.key, [&](const std::optional<Bug>&) -> Result<Bug> { return bug; }));
  const auto sink =
      Must(BatchingSink::Open(store_, 1, UINT64_MAX, {.combine = [](const Bug&, const Bug& given) { return given; }}));
  bug.title = "one";
  Must(sink->AddBug(bug));
  Must(AddRuns(*sink, {{1, "", "abc"}}));
  bug.title = "two";
  Must(sink->AddBug(bug));
  const IngestResult total = Must(sink->Finish());
  EXPECT_EQ(total.runs_known, 1u);
  EXPECT_EQ(total.bugs_changed, 2u);
  EXPECT_EQ(total.bugs_combined, (std::vector<BugKey>{bug.key, bug.key}));
  EXPECT_EQ(Must(Must(store_.Read()).History(bug.key)).size(), 3u);
  Store reader = Must(Store::Open(fs_, "s", {.read_only = true}));
  EXPECT_EQ(BatchingSink::Open(reader, 1).error().code, ErrorCode::kIo);
}

// --- progress ---

TEST_F(ChangesTest, ProgressIsToldOnceASegment) {
  for (uint64_t i = 1; i <= 3; ++i) Must(CommitRuns(store_, {{i, "", "abc"}}));
  uint64_t told = 0;
  store_.OnProgress([&](uint64_t segments) { told += segments; });
  const auto counted = [&](auto operation) {
    told = 0;
    operation();
    return told;
  };
  EXPECT_EQ(counted([&] { Must(store_.Check()); }), 3u);
  EXPECT_EQ(counted([&] { Must(store_.Reindex({.verify = true})); }), 3u);
  EXPECT_EQ(counted([&] { Must(store_.Backup("copy")); }), 3u);
  EXPECT_EQ(counted([&] { RunsIn(store_); }), 3u);
  EXPECT_EQ(counted([&] { Must(store_.Compact()); }), 3u);
  PurgeFilter filter;
  filter.runs = {IdOf(1)};
  EXPECT_EQ(counted([&] { Must(store_.Purge(filter)); }), 1u);
}

}  // namespace
}  // namespace oscope
