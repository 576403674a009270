// Failed tests that are run again and kept, and how many of them.
#include "cli/testing/test_examiner.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/options/options.h"
#include "cli/output/text.h"
#include "cli/testing/run_keeper.h"
#include "tests/unit/cli/pretended_recorder.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

using Texts = std::vector<std::string>;

class Examining : public testing::Test {
 protected:
  Examining() {
    context_.options.json = true;  // the report prints nothing
    context_.options.quiet = true;
    settings_.project = "demo";
    settings_.version = "v7";
  }
  FailedTest Failed(const std::string& name, const std::string& script) const {
    FailedTest test;
    test.name = test.rules.name = name;
    test.rules.command = {"/bin/sh", "-c", script};
    test.rules.working_directory = directory_.path("");
    return test;
  }
  Result<size_t> Examine(const std::vector<FailedTest>& failed, ExamineLimits limits = {}) {
    TestExaminer examiner(context_, settings_, recorder_, keep_, limits);
    return examiner.Examine(failed, report_);
  }
  // Test and verdict of each.
  Texts Told() const {
    Texts told;
    const Json report = report_.AsJson(0, 0);
    for (const Json& one : report["tests"])
      told.push_back(one["test"].get<std::string>() + " " + one["verdict"].get<std::string>());
    return told;
  }

  Options root_;
  Context context_{root_};
  TemporaryDirectory directory_;
  PretendedRecorder recorder_;
  RerunSettings settings_;
  Texts kept_;  // messages
  KeepRun keep_ = [this](RecordedRun& run, TestResult&) -> Status {
    kept_.push_back(run.header().failure.message);
    return {};
  };
  TestReport report_{context_, false};
};

TEST_F(Examining, EachTestHasItsVerdict) {
  FailedTest missing = Failed("missing", "");
  missing.cannot_run = "no such program";
  FailedTest gone = Failed("gone", "");
  gone.rules.command = {directory_.path("nowhere")};
  EXPECT_EQ(Must(Examine({missing, Failed("flaky", "exit 0"), gone, Failed("bad", "echo 'Error: bad'; exit 1")})), 0u);
  EXPECT_EQ(Told(), (Texts{"missing not-run", "flaky flaky", "gone not-run", "bad recorded"}));
  EXPECT_EQ(kept_, Texts{"Error: bad"}) << "the run has the message that is told";
}

TEST_F(Examining, WhatPassesUnderTheRecorderIsTriedOnce) {
  // The second time it runs it is under the recorder; a third time would be the same test as a whole.
  const std::string script = "echo x >> runs; test $(wc -l < runs) -ne 1";
  EXPECT_EQ(Must(Examine({Failed("quirk", script)})), 0u);
  EXPECT_EQ(Told(), Texts{"quirk not-reproduced"});
  EXPECT_TRUE(kept_.empty());
}

TEST_F(Examining, NoMoreThanTheLimitAreRecorded) {
  const std::vector<FailedTest> failed = {Failed("a", "exit 1"), Failed("b", "exit 1"), Failed("c", "exit 1")};
  EXPECT_EQ(Must(Examine(failed, {.max_failures = 2, .jobs = 1})), 1u);
  EXPECT_EQ(Told(), (Texts{"a recorded", "b recorded"}));
  EXPECT_EQ(Must(Examine(failed, {.max_failures = 3, .jobs = 2})), 0u) << "counted anew";
}

// A fixture is shared with others: such a test does not run beside one.
TEST_F(Examining, TestsWithFixturesRunAlone) {
  FailedTest one = Failed("one", "mkdir busy || exit 9; sleep 0.05; rmdir busy; exit 1");
  one.setups = {Failed("setup", "exit 0").rules};
  FailedTest two = one, three = one;
  two.name = "two";
  three.name = "three";
  EXPECT_EQ(Must(Examine({one, two, three}, {.max_failures = 20, .jobs = 3})), 0u);
  EXPECT_EQ(kept_, (Texts{"exit code 1", "exit code 1", "exit code 1"}));
}

TEST_F(Examining, ARunThatCannotBeKeptIsTold) {
  keep_ = [](RecordedRun&, TestResult&) -> Status { return IoError(ENOSPC, "write", "x"); };
  EXPECT_EQ(Must(Examine({Failed("a", "exit 1"), Failed("b", "exit 1")})), 0u);
  EXPECT_EQ(report_.not_kept(), 2u);
}

TEST_F(Examining, ACancellationEndsIt) {
  keep_ = [](RecordedRun&, TestResult&) -> Status { return Cancelled("enough"); };
  const Result<size_t> ended = Examine({Failed("a", "exit 1"), Failed("b", "exit 1")});
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(Told().empty());
}

class Keeping : public Examining {
 protected:
  RecordedRun Run(const std::string& name = "a test/of mine") {
    return Must(RunTraced(Failed(name, "exit 1"), {}, {name, std::nullopt, {}}, settings_, recorder_)).run;
  }
};

TEST(FileNameOfRun, HasNothingThatLeadsElsewhere) {
  RunHeader run;
  run.test = "../a b/.c-d_e\n";
  EXPECT_EQ(FileNameOf(run), "_._a_b_.c-d_e_-" + ShortId(run.id) + ".osct");
  run.test = std::string(200, 'x');
  EXPECT_EQ(FileNameOf(run), std::string(100, 'x') + "-" + ShortId(run.id) + ".osct");
}

TEST_F(Keeping, Nowhere) {
  RunKeeper keeper;
  EXPECT_OK(keeper.Prepare(context_, {.directory = {}, .nothing = true, .query = {}}));
  keeper.StartAsking(context_);
  RecordedRun run = Run();
  TestResult result;
  EXPECT_OK(keeper.Keep(context_, run, result));
  keeper.Finish(context_);
  EXPECT_EQ(result.events, 2u);
  EXPECT_EQ(result.fingerprint, run.fingerprint());
  EXPECT_FALSE(result.run || result.bug || result.similar);
  EXPECT_EQ(result.file, "");
}

TEST_F(Keeping, InFiles) {
  RunKeeper keeper;
  const std::string directory = directory_.path("some/where");
  EXPECT_OK(keeper.Prepare(context_, {.directory = directory, .query = {}}));
  RecordedRun run = Run();
  TestResult result;
  EXPECT_OK(keeper.Keep(context_, run, result));
  EXPECT_EQ(result.file, directory + "/" + FileNameOf(run.header()));
  EXPECT_EQ(result.run, run.header().id);
  EXPECT_TRUE(std::filesystem::is_regular_file(result.file));
  EXPECT_FALSE(result.bug);
  // A file where the directory should be.
  EXPECT_EQ(RunKeeper().Prepare(context_, {.directory = result.file, .query = {}}).error().code, ErrorCode::kIo);
}

TEST_F(Keeping, InAStore) {
  context_.options.store = directory_.path("store");
  const Status none = RunKeeper().Prepare(context_, {.directory = {}, .query = {}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(none.error().message.ends_with("; or write files with --output DIR")) << none.error().message;
  Must(Store::Create(PosixFileSystem(), context_.options.store));
  EXPECT_FALSE(RunKeeper().Prepare(context_, {.directory = {}, .query = "nowhere"}).ok());
  RunKeeper keeper;
  EXPECT_OK(keeper.Prepare(context_, {.directory = {}, .query = {}}));
  keeper.StartAsking(context_);
  RecordedRun run = Run();
  TestResult result;
  EXPECT_OK(keeper.Keep(context_, run, result));
  ASSERT_TRUE(result.bug);
  EXPECT_EQ(result.bug->fate, RunFate::kNew);
  EXPECT_EQ(result.run, run.header().id);
  EXPECT_TRUE(result.similar) << "an answer, though it is empty";
  keeper.Finish(context_);
}

TEST_F(Keeping, WithoutAQueryNothingIsAsked) {
  context_.options.store = directory_.path("store");
  Must(Store::Create(PosixFileSystem(), context_.options.store));
  RunKeeper keeper;
  EXPECT_OK(keeper.Prepare(context_, {.directory = {}, .query = {}, .no_query = true}));
  keeper.StartAsking(context_);
  RecordedRun run = Run();
  TestResult result;
  EXPECT_OK(keeper.Keep(context_, run, result));
  EXPECT_TRUE(result.bug);
  EXPECT_FALSE(result.similar);
}

}  // namespace
}  // namespace oscope::cli
