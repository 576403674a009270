// Commits that run beside the reader: their errors arrive, nothing that was not committed is acknowledged, and nobody
// waits for ever.
#include "index/store/batching_sink.h"

#include <gtest/gtest.h>

#include "base/cancel.h"
#include "tests/support/failing_sink.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

constexpr uint64_t kRuns = 7;

std::vector<WordRun> Words() {
  std::vector<WordRun> words;
  for (uint64_t id = 1; id <= kRuns; ++id) words.push_back({id, "b", std::string(id, 'a')});
  return words;
}

// The sink is told the runs until it refuses one.
Result<IngestResult> ImportInBatches(BatchingSink& sink) {
  OSCOPE_RETURN_IF_ERROR(AddRuns(sink, Words()));
  return sink.Finish();
}

TEST(BatchingSinkTest, TellsOfAllItsCommitsTogether) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const uint64_t empty = Must(store.NewestVersion());
  const auto sink = Must(BatchingSink::Open(store, 2));
  const IngestResult result = Must(ImportInBatches(*sink));
  EXPECT_EQ(result.runs_added, kRuns);
  EXPECT_EQ(result.traces_added, kRuns);
  EXPECT_EQ(result.events_added, kRuns * (kRuns + 1) / 2);
  EXPECT_EQ(result.bugs_added, 1u);
  EXPECT_EQ(result.version, Must(store.NewestVersion()));
  EXPECT_EQ(result.version, empty + 4) << "three batches of two, and the rest";
  EXPECT_EQ(RunsIn(store).size(), kRuns);
  EXPECT_EQ(Must(ImportInBatches(*Must(BatchingSink::Open(store, 3)))).runs_known, kRuns);
}

TEST(BatchingSinkTest, ABatchEndsAtItsRunsOrItsEvents) {
  const auto commits = [](uint64_t runs, uint64_t events) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const uint64_t empty = Must(store.NewestVersion());
    Must(ImportInBatches(*Must(BatchingSink::Open(store, runs, events))));
    return Must(store.NewestVersion()) - empty;
  };
  EXPECT_EQ(commits(0, UINT64_MAX), 1u);
  EXPECT_EQ(commits(kRuns, UINT64_MAX), 1u);
  EXPECT_EQ(commits(kRuns - 1, UINT64_MAX), 2u);
  EXPECT_EQ(commits(1, UINT64_MAX), kRuns);
  // 1 + 2 + 3 events are the first six, 4 + 5 the next nine, 6 + 7 the rest.
  EXPECT_EQ(commits(0, 6), 4u) << "1 2 3, 4 5, 6, 7";
  EXPECT_EQ(commits(0, 7), 3u) << "1 2 3 4, 5 6, 7";
}

// The disk fails at every step. Whoever was told of an error is told again, and the runs of the batch that failed are
// not forgotten over it.
TEST(BatchingSinkTest, AnErrorOfACommitArrivesAndStays) {
  uint64_t steps = 0;
  for (uint64_t n = 1;; ++n) {
    CrashFileSystem fs;
    Store store = Must(Store::Create(fs, "s"));
    const uint64_t first = fs.operations();
    fs.FailAt(first + n, Fault::kIoError);
    const auto sink = Must(BatchingSink::Open(store, 2));
    const Result<IngestResult> result = ImportInBatches(*sink);
    const bool reached = fs.operations() >= first + n;
    if (result.ok()) {
      EXPECT_EQ(result->runs_added, kRuns);
      EXPECT_EQ(RunsIn(store).size(), kRuns) << fs.log();
      if (!reached) break;
      continue;  // what failed was not needed: tidying up
    }
    ++steps;
    EXPECT_EQ(result.error().code, ErrorCode::kIo) << fs.log();
    const uint64_t committed = sink->Committed().runs_added;
    const size_t there = RunsIn(store).size();
    EXPECT_GE(there, committed) << fs.log();
    EXPECT_LE(there, committed + 2) << "at most the batch whose commit failed at its last step\n" << fs.log();
    const Result<IngestResult> again = sink->Finish();
    ASSERT_FALSE(again.ok()) << "runs " << committed + 1 << " and on were never committed\n" << fs.log();
    EXPECT_EQ(again.error().message, result.error().message);
    EXPECT_EQ(sink->Committed().runs_added, committed);
    EXPECT_EQ(RunsIn(store).size(), there) << "nothing is committed after the error";
  }
  EXPECT_GT(steps, 20u);
}

// Committed() is asked when the reader failed. It waits for the commit under way, and must not swallow how that ended.
TEST(BatchingSinkTest, AskingWhatIsCommittedDoesNotHideAnError) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto sink = Must(BatchingSink::Open(store, 2));
  fs.FailAt(fs.operations() + 1, Fault::kIoError);
  ASSERT_OK(AddRuns(*sink, {{1, "", "a"}, {2, "", "b"}}));
  EXPECT_EQ(sink->Committed().runs_added, 0u);
  const Result<IngestResult> result = sink->Finish();
  ASSERT_FALSE(result.ok()) << "the first two runs are lost";
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
}

TEST(BatchingSinkTest, ARunThatIsRefusedIsNotCommitted) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  const auto sink = Must(BatchingSink::Open(store, 2));
  ASSERT_OK(AddRuns(*sink, {{1, "", "a"}}));
  SymbolTable symbols;
  oscope::Run run = MakeRun({2, "", "b"}, symbols);
  run.header.project = "../x";
  EXPECT_EQ(SendRun(run, symbols, *sink).error().code, ErrorCode::kInvalid);
  run = MakeRun({2, "", "b"}, symbols);
  run.traces.push_back(run.traces[0]);
  EXPECT_EQ(SendRun(run, symbols, *sink).error().code, ErrorCode::kInvalid);
  Bug bug;
  bug.key = {"demo", "../1"};
  EXPECT_EQ(sink->AddBug(bug).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(RunsIn(store).size(), 0u);
}

// A reader that stops half-way leaves what was committed, and no more.
TEST(BatchingSinkTest, WhatCameAfterTheLastCommitIsDroppedWithTheSink) {
  CrashFileSystem fs;
  Store store = Must(Store::Create(fs, "s"));
  {
    const auto sink = Must(BatchingSink::Open(store, 2));
    ASSERT_OK(AddRuns(*sink, {{1, "", "a"}, {2, "", "b"}, {3, "", "c"}}));
    EXPECT_EQ(sink->Committed().runs_added, 2u);
  }
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2}));
  {
    const auto sink = Must(BatchingSink::Open(store, 1));
    ASSERT_OK(AddRuns(*sink, {{4, "", "d"}}));
  }
  EXPECT_EQ(RunsIn(store), (std::set<uint64_t>{1, 2, 4})) << "the commit under way is waited for";
}

TEST(BatchingSinkTest, AWishToStopCommitsNothingMore) {
  CrashFileSystem fs;
  CancelSource source;
  Store store = Must(Store::Create(fs, "s", source.token()));
  const auto sink = Must(BatchingSink::Open(store, 1));
  source.Cancel();
  EXPECT_EQ(AddRuns(*sink, {{1, "", "a"}}).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(sink->Finish().error().code, ErrorCode::kCancelled);
  source.Reset();
  EXPECT_EQ(RunsIn(store).size(), 0u);
}

}  // namespace
}  // namespace oscope
