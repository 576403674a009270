// What is purged is gone from the disk, and nothing else is.
#include "index/store/store_state.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

Result<Bug> AddReport(Store& store, const std::string& id, const std::string& project = "demo",
                      std::optional<int64_t> created_ns = {}) {
  return store.EditBug({project, id}, [&](const std::optional<Bug>&) -> Result<Bug> {
    Bug bug;
    bug.key = {project, id};
    bug.created_ns = created_ns;
    return bug;
  });
}

class PurgeTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  RunId Id(uint64_t run) const { return IdOf(run); }

  // Every byte that any file of the store holds.
  std::string AllBytes() {
    std::string bytes;
    for (const char* directory : {"manifests", "groups", "segments", "index", "tmp"}) {
      for (const std::string& name : Must(fs_.List(std::string("s/") + directory))) {
        bytes += Must(ReadWholeFile(fs_, fmt::format("s/{}/{}", directory, name), 1 << 30));
      }
    }
    return bytes;
  }
};

TEST_F(PurgeTest, ARunIsGoneFromTheBytes) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}}));
  const std::string raw_id = [&] {
    std::string bytes;
    for (const char c : ToString(Id(1))) bytes += c;
    std::string raw;
    for (size_t i = 0; i < 32; i += 2) raw += static_cast<char>(std::stoi(bytes.substr(i, 2), nullptr, 16));
    return raw;
  }();
  EXPECT_NE(AllBytes().find(raw_id), std::string::npos) << "ids are stored as they are";
  PurgeFilter filter;
  filter.runs = {Id(1)};
  EXPECT_EQ(Must(store_.Purge(filter, /*dry_run=*/true)).runs, 1u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 2})) << "a dry run changes nothing";
  const PurgeResult result = Must(store_.Purge(filter));
  EXPECT_EQ(result.runs, 1u);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  EXPECT_EQ(AllBytes().find(raw_id), std::string::npos);
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
  EXPECT_EQ(Must(CommitRuns(store_, {{1, "7", "abc"}})).runs_added, 1u) << "it may come again";
}

TEST_F(PurgeTest, ABugGoesWithItsRunsAndAllItsRevisions) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "8", "abd"}}));
  Must(CommitRuns(store_, {{3, "7", "abe"}}));
  Must(store_.EditBug({"demo", "7"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.text = "secret";
    return next;
  }));
  PurgeFilter filter;
  filter.bugs = {{"demo", "7"}};
  const PurgeResult result = Must(store_.Purge(filter));
  EXPECT_EQ(result.runs, 2u);
  EXPECT_EQ(result.bugs, 1u);
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  EXPECT_TRUE(Must(Must(store_.Read()).History({"demo", "7"})).empty());
  EXPECT_EQ(Must(Must(store_.Read()).Bugs()).size(), 1u);
}

TEST_F(PurgeTest, RetentionByAgeAndCount) {
  SymbolTable symbols;
  const auto ingest = Must(store_.BeginIngest({}));
  for (uint64_t i = 1; i <= 10; ++i) {
    oscope::Run run = MakeRun({i, i % 2 ? "odd" : "even", fmt::format("w{}", i)}, symbols);
    run.header.started_ns = static_cast<int64_t>(i) * 1000;
    run.header.outcome = i == 1 ? Outcome::kPassed : Outcome::kFailed;
    Must(SendRun(run, symbols, *ingest));
  }
  Must(ingest->Commit());
  PurgeFilter old;
  old.older_than_ns = 4000;
  old.failing = true;
  EXPECT_EQ(Must(store_.Purge(old)).runs, 2u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{1, 4, 5, 6, 7, 8, 9, 10}));
  PurgeFilter count;
  count.keep_last = 2;
  Must(store_.Purge(count));
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{7, 8, 9, 10}));
  PurgeFilter project;
  project.project = "demo";
  project.bugs_too = true;
  const PurgeResult all = Must(store_.Purge(project));
  EXPECT_EQ(all.runs, 4u);
  EXPECT_EQ(all.bugs, 2u);
  EXPECT_TRUE(RunsIn(store_).empty());
  EXPECT_FALSE(store_.Purge({}).ok()) << "a purge of nothing in particular is a mistake";
}

// Once, the files from before a link stayed until the next collection, and with them whatever was purged after it.
TEST_F(PurgeTest, ARunThatWasLinkedIsGoneFromTheBytes) {
  Must(CommitRuns(store_, {{1, "7", "secret"}, {2, "8", "abd"}}));
  Must(store_.LinkRuns({Id(1)}, {"demo", "8"}));
  EXPECT_TRUE(Must(store_.Check()).problems.empty()) << "a link leaves no files behind";
  PurgeFilter filter;
  filter.runs = {Id(1)};
  Must(store_.Purge(filter));
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{2});
  EXPECT_TRUE(Must(store_.Check()).problems.empty());
  const uint64_t raw[] = {__builtin_bswap64(Id(1).value.high), __builtin_bswap64(Id(1).value.low)};
  const std::string raw_id(reinterpret_cast<const char*>(raw), sizeof(raw));
  EXPECT_EQ(AllBytes().find(raw_id), std::string::npos);
}

// Once, a report went although runs of it stayed, or although it was of another project than the one that was named.
TEST_F(PurgeTest, AReportStaysWhileARunOfItDoes) {
  SymbolTable symbols;
  const auto ingest = Must(store_.BeginIngest({}));
  for (uint64_t i = 1; i <= 6; ++i) {
    oscope::Run run = MakeRun({i, i <= 3 ? "7" : "8", fmt::format("w{}", i)}, symbols);
    run.header.started_ns = static_cast<int64_t>(i) * 1000;
    Must(SendRun(run, symbols, *ingest));
  }
  Must(ingest->Commit());
  PurgeFilter old;
  old.bugs = {{"demo", "7"}};
  old.older_than_ns = 3000;
  PurgeResult result = Must(store_.Purge(old));
  EXPECT_EQ(result.runs, 2u);
  EXPECT_EQ(result.bugs, 0u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{3, 4, 5, 6}));
  EXPECT_EQ(Must(Must(store_.Read()).History({"demo", "7"})).size(), 1u);

  PurgeFilter last;
  last.project = "demo";
  last.bugs_too = true;
  last.keep_last = 1;
  result = Must(store_.Purge(last));
  EXPECT_EQ(result.runs, 2u);
  EXPECT_EQ(result.bugs, 0u);
  EXPECT_EQ(RunsIn(store_), (std::set<uint64_t>{3, 6}));

  PurgeFilter elsewhere;
  elsewhere.bugs = {{"demo", "7"}};
  elsewhere.project = "other";
  result = Must(store_.Purge(elsewhere));
  EXPECT_EQ(result.runs + result.bugs, 0u);
  EXPECT_EQ(Must(Must(store_.Read()).Bugs()).size(), 2u);

  PurgeFilter one_of_two;
  one_of_two.bugs = {{"demo", "7"}};
  one_of_two.keep_last = 0;
  result = Must(store_.Purge(one_of_two));
  EXPECT_EQ(result.runs, 1u);
  EXPECT_EQ(result.bugs, 1u) << "no run of it is left";
  EXPECT_EQ(RunsIn(store_), std::set<uint64_t>{6});
  EXPECT_TRUE(Must(Must(store_.Read()).History({"demo", "7"})).empty());
  EXPECT_EQ(Must(Must(store_.Read()).History({"demo", "8"})).size(), 1u);
}

// Once, --with-bugs --older-than took every report of the project, however new.
TEST_F(PurgeTest, AReportIsAsOldAsTheNewestOfItsCreationItsEditsAndItsRuns) {
  const int64_t later = NowNs() + 3'600'000'000'000;
  Must(AddReport(store_, "old", "demo", 1000));
  Must(AddReport(store_, "undated"));
  Must(AddReport(store_, "created-later", "demo", later));
  Must(CommitChanged(store_, {{1, "run-later", "abc"}}, [&](oscope::Run& run) { run.header.started_ns = later; }));
  Must(AddReport(store_, "edited-later", "demo", 1000));
  const int64_t now = NowNs();
  Must(store_.EditBug({"demo", "edited-later"}, [](const std::optional<Bug>& bug) -> Result<Bug> {
    Bug next = *bug;
    next.title = "edited";
    return next;
  }));
  PurgeFilter filter;
  filter.project = "demo";
  filter.bugs_too = true;
  filter.older_than_ns = 2000;
  PurgeResult result = Must(store_.Purge(filter));
  EXPECT_EQ(result.runs + result.bugs, 0u) << "all were stored after that, whenever they say they were created";
  filter.older_than_ns = now;
  result = Must(store_.Purge(filter));
  EXPECT_EQ(result.runs, 0u);
  EXPECT_EQ(result.bugs, 2u);
  std::set<std::string> left;
  for (const Bug& bug : Must(Must(store_.Read()).Bugs())) left.insert(bug.key.id);
  EXPECT_EQ(left, (std::set<std::string>{"created-later", "edited-later", "run-later"}));
}

// Once, --with-bugs --failing and --with-bugs --keep-last took the reports that have no runs.
TEST_F(PurgeTest, AFilterOfRunsTakesNoReportWithoutRuns) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Must(AddReport(store_, "9"));
  PurgeFilter filter;
  filter.project = "demo";
  filter.bugs_too = true;
  const auto bugs_with = [&](const std::function<void(PurgeFilter&)>& set) {
    PurgeFilter changed = filter;
    set(changed);
    return Must(store_.Purge(changed, /*dry_run=*/true)).bugs;
  };
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.failing = true; }), 1u);
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.failing = false; }), 0u);
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.keep_last = 1; }), 0u);
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.keep_last = 0; }), 1u);
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.runs = {IdOf(1)}; }), 1u);
  EXPECT_EQ(bugs_with([](PurgeFilter& f) { f.runs = {IdOf(2)}; }), 0u);
  EXPECT_EQ(bugs_with([](PurgeFilter&) {}), 2u);
}

// No run of theirs stays, which would keep them.
TEST_F(PurgeTest, ReportsWithoutRunsOfAnotherProjectStay) {
  for (const char* project : {"demo", "other"}) Must(AddReport(store_, "9", project));
  PurgeFilter whole_project;
  whole_project.project = "demo";
  whole_project.bugs_too = true;
  EXPECT_EQ(Must(store_.Purge(whole_project)).bugs, 1u);
  PurgeFilter named;
  named.project = "demo";
  named.bugs = {{"other", "9"}};
  EXPECT_EQ(Must(store_.Purge(named)).bugs, 0u);
  const std::vector<Bug> left = Must(Must(store_.Read()).Bugs());
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].key, (BugKey{"other", "9"}));
}

TEST_F(PurgeTest, AReaderKeepsWhatItReads) {
  Must(CommitRuns(store_, {{1, "7", "abc"}, {2, "7", "abd"}}));
  std::optional<Snapshot> reader = Must(store_.Read());
  PurgeFilter filter;
  filter.runs = {Id(1)};
  Store other = Must(Store::Open(fs_, "s"));
  const PurgeResult result = Must(other.Purge(filter));
  EXPECT_GT(result.files_pinned, 0u);
  EXPECT_EQ(RunsIn(*reader), (std::set<uint64_t>{1, 2})) << "the snapshot is as it was";
  EXPECT_EQ(RunsIn(other), std::set<uint64_t>{2});
  EXPECT_GT(Must(other.Collect()).files_pinned, 0u);
  EXPECT_EQ(RunsIn(*reader), (std::set<uint64_t>{1, 2}));
  reader.reset();
  EXPECT_GT(Must(other.Collect()).files_removed, 0u);
  EXPECT_TRUE(Must(other.Check()).problems.empty());
}

}  // namespace
}  // namespace oscope
