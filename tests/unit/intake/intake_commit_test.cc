// A bug, its number and its first run are one commit: with spilled runs, lost races and failing disks.
#include "index/store/failure_index.h"
#include "index/store/placement.h"
#include "index/store/segment_index.h"
#include "tests/unit/intake/intake_fixture.h"

namespace oscope {
namespace {

// Long names, which no string keeps in its own bytes.
const std::string kProject(40, 'p');

oscope::Run FailingRun(uint64_t id, const std::string& fingerprint, const std::string& word, SymbolTable& symbols) {
  oscope::Run run = MakeRun({id, "", word}, symbols);
  run.header.project = kProject;
  run.header.failure.fingerprint = fingerprint;
  return run;
}

TEST(IntakeCommit, ARunThatWasSpilledHasItsBugEverywhere) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  SymbolTable symbols;
  const std::string word = std::string(40, 'a') + std::string(40, 'b');
  const auto ingest = Must(store.BeginIngest({.spill_events = 16, .rule = FailureRule()}));
  Must(SendRun(FailingRun(1, "f", word, symbols), symbols, *ingest));
  Must(SendRun(FailingRun(2, "f", "ab", symbols), symbols, *ingest));
  const IngestResult result = Must(ingest->Commit());
  ASSERT_EQ(result.decisions.size(), 2u);
  const Snapshot snapshot = Must(store.Read());
  std::vector<std::string> bugs;
  Must(snapshot.ScanTraces({}, [&](const TraceBatch& batch) -> Status {
    bugs.insert(bugs.end(), batch.bug.begin(), batch.bug.end());
    return {};
  }));
  EXPECT_EQ(bugs, (std::vector<std::string>{"1", "1"}));
  EXPECT_EQ(WordOf(snapshot, 1), word);
  EXPECT_EQ(Must(snapshot.FindRun(IdOf(1)))->header.bug, "1");
  EXPECT_TRUE(Must(store.Check()).problems.empty());
  EXPECT_EQ(Must(store.Reindex({.verify = true})).changed(), 0u);
  EXPECT_EQ(Must(store.Collect()).files_removed, 0u) << "the files that were written first are gone";
}

// Another writer takes the number, or the failure, just before the link.
TEST(IntakeCommit, ALostRaceDecidesAnew) {
  for (const bool same_failure : {false, true}) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    SymbolTable symbols;
    int calls = 0;
    const BugRule rule = [&](const RunHeader& run, KnownBugs& bugs) -> Result<RunDecision> {
      auto decision = FailureRule()(run, bugs);
      if (calls++ == 0) {
        Store other = store.Share();
        const auto ingest = Must(other.BeginIngest({.rule = FailureRule()}));
        Must(SendRun(FailingRun(7, same_failure ? "f" : "g", "xy", symbols), symbols, *ingest));
        Must(ingest->Commit());
      }
      return decision;
    };
    for (const uint64_t spill : {uint64_t{4}, uint64_t{1} << 20}) {
      const auto ingest = Must(store.BeginIngest({.spill_events = spill, .rule = rule}));
      Must(SendRun(FailingRun(spill, "f", "abababab", symbols), symbols, *ingest));
      const IngestResult result = Must(ingest->Commit());
      EXPECT_EQ(result.decisions.at(0).decision.bug.id, same_failure ? "1" : "2");
      const bool joins = same_failure || spill > 4;
      EXPECT_EQ(result.decisions[0].decision.fate, joins ? RunFate::kJoined : RunFate::kNew);
      EXPECT_EQ(Must(Must(store.Read()).FindRun(IdOf(spill)))->header.bug, same_failure ? "1" : "2");
    }
    EXPECT_EQ(calls, 3) << "twice for the first";
    EXPECT_EQ(Must(Must(store.Read()).Bugs()).size(), same_failure ? 1u : 2u);
    EXPECT_TRUE(Must(store.Check()).problems.empty());
  }
}

TEST(IntakeCommit, AFailedWriteLeavesNothingAndCanBeTriedAgain) {
  uint64_t failed = 0;
  for (uint64_t n = 1;; ++n) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    SymbolTable symbols;
    const auto ingest = Must(store.BeginIngest({.spill_events = 4, .rule = FailureRule()}));
    Must(SendRun(FailingRun(1, "f", "abababab", symbols), symbols, *ingest));
    Must(SendRun(FailingRun(2, "g", "ab", symbols), symbols, *ingest));
    const uint64_t first = fs.operations();
    fs.FailAt(first + n, Fault::kIoError);
    const Result<IngestResult> result = ingest->Commit();
    if (result.ok()) {
      if (fs.operations() < first + n) break;
      continue;  // a step that tidies up
    }
    ++failed;
    const size_t bugs = Must(Must(store.Read()).Bugs()).size();
    EXPECT_TRUE(bugs == 0 || bugs == 2) << fs.log();
    const Result<IngestResult> again = ingest->Commit();
    if (!again.ok()) continue;  // what was spilled is gone, and it says so
    EXPECT_EQ(Must(Must(store.Read()).Bugs()).size(), 2u) << fs.log();
    EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2}));
  }
  EXPECT_GT(failed, 10u);
}

// A trace of an earlier segment is damaged, and its index is that of an older release: neither concerns a new run.
TEST(IntakeCommit, ADamagedTraceIsNoReasonToRefuseARun) {
  CrashFileSystem fs;
  {
    Store store = Must(Store::Create(fs, "s"));
    SymbolTable symbols;
    const auto ingest = Must(store.BeginIngest({.rule = FailureRule()}));
    Must(SendRun(FailingRun(1, "f", "ab", symbols), symbols, *ingest));
    Must(ingest->Commit());
    const std::string segment = Must(store.Read()).manifest().segments.at(0).id;
    Must(fs.Remove("s/segments/" + segment + ".traces.parquet"));
    Must(WriteDurably(fs, "s/segments/" + segment + ".traces.parquet", "damaged"));
    const std::vector<RunLocation> runs = {{IdOf(1), 0, 0, 0}};
    Must(fs.Remove("s/index/" + segment + ".osix"));
    Must(WriteDurably(fs, "s/index/" + segment + ".osix",
                      SegmentIndex::Encode(segment, runs, {{PlacementOf(BugKey{kProject, "1"}), 0}})));
  }
  Store store = Must(Store::Open(fs, "s"));
  SymbolTable symbols;
  const auto ingest = Must(store.BeginIngest({.rule = FailureRule()}));
  Must(SendRun(FailingRun(2, "f", "ab", symbols), symbols, *ingest));
  const IngestResult result = Must(ingest->Commit());
  EXPECT_EQ(result.decisions.at(0).decision.bug.id, "1");
  EXPECT_EQ(result.decisions[0].decision.fate, RunFate::kJoined);
}

TEST(IntakeCommit, AThousandNewBugsAreOneVersion) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  SymbolTable symbols;
  const auto ingest = Must(store.BeginIngest({.rule = FailureRule()}));
  for (uint64_t i = 1; i <= 1000; ++i) Must(SendRun(FailingRun(i, std::to_string(i), "ab", symbols), symbols, *ingest));
  const IngestResult result = Must(ingest->Commit());
  EXPECT_EQ(result.version, 2u);
  EXPECT_EQ(result.bugs_added, 1000u);
  for (uint64_t i = 1; i <= 1000; ++i) EXPECT_EQ(result.decisions.at(i - 1).decision.bug.id, std::to_string(i));
}

// The index against the obvious: every run and every report, one by one.
TEST(FailureIndexTest, SaysWhatTheRunsAndReportsSay) {
  FailureSections sections;
  std::map<Hash128, std::set<std::pair<std::string, bool>>> expected;
  SymbolTable symbols;
  uint64_t largest = 0;
  for (uint64_t i = 0; i < 500; ++i) {
    oscope::Run run = FailingRun(i, std::to_string(i * 7 % 90), "ab", symbols);
    run.header.bug = i % 5 == 0 ? "" : std::to_string(i * 13 % 40);
    run.header.outcome = i % 11 == 0 ? Outcome::kPassed : Outcome::kFailed;
    if (run.header.outcome == Outcome::kPassed) run.header.failure.ForgetWhatWentWrong();
    sections.AddRun(run.header);
    if (const auto hash = FailureHash(run.header)) expected[*hash].insert({run.header.bug, false});
    Bug bug;
    bug.key = {kProject, std::to_string(i * 17 % 301)};
    largest = std::max(largest, i * 17 % 301);
    if (i % 3 == 0) bug.custom = {{"test", "test"}, {"fingerprint", std::to_string(i % 100)}};
    sections.AddReport(bug);
    if (const auto hash = FailureHash(bug)) expected[*hash].insert({bug.key.id, true});
  }
  const std::string segment(32, 'a');
  std::vector<IndexSection> all = SegmentIndex::MakeSections({}, {});
  for (IndexSection& section : sections.Finish()) all.push_back(std::move(section));
  const auto index = Must(FailureIndex::Make(Must(IndexFile::Decode(IndexFile::Encode(segment, all), segment))));
  for (const auto& [hash, owners] : expected) {
    std::set<std::pair<std::string, bool>> found;
    for (const auto& owner : index->Owners(hash)) found.insert({std::string(owner.bug), owner.by_report});
    EXPECT_EQ(found, owners);
  }
  EXPECT_TRUE(index->Owners({1, 2}).empty());
  EXPECT_EQ(index->NextNumber(kProject), largest + 1);
  EXPECT_EQ(index->NextNumber("other"), 1u);
}

// Sections whose checksums are right and whose content is not: a wrong one is refused, never read beyond its end.
TEST(FailureIndexTest, DamagedSectionsAreRefusedOrHarmless) {
  FailureSections sections;
  SymbolTable symbols;
  for (uint64_t i = 0; i < 6; ++i) {
    oscope::Run run = FailingRun(i, std::to_string(i), "ab", symbols);
    run.header.bug = std::to_string(i);
    sections.AddRun(run.header);
    Bug bug;
    bug.key = {"demo", std::to_string(i)};
    sections.AddReport(bug);
  }
  const std::string segment(32, 'a');
  const std::vector<IndexSection> good = sections.Finish();
  uint64_t refused = 0;
  const auto try_with = [&](std::vector<IndexSection> all) {
    const auto index = FailureIndex::Make(Must(IndexFile::Decode(IndexFile::Encode(segment, all), segment)));
    if (!index.ok()) {
      ++refused;
      return;
    }
    oscope::Run run = FailingRun(1, "1", "ab", symbols);
    for (const auto& owner : (*index)->Owners(*FailureHash(run.header))) EXPECT_LE(owner.bug.size(), 64u);
  };
  for (size_t s = 0; s < good.size(); ++s) {
    for (size_t at = 0; at < good[s].bytes.size(); ++at) {
      for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
        std::vector<IndexSection> all = good;
        all[s].bytes[at] = value;
        try_with(all);
      }
      std::vector<IndexSection> cut = good;
      cut[s].bytes.resize(at);
      try_with(cut);
    }
  }
  EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace oscope
