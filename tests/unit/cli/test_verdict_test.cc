// What becomes of a failed test: verdicts and messages, of ends that are made up and of runs by a recorder that is
// pretended.
#include "cli/testing/test_verdict.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/pretended_recorder.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

class VerdictOfTest : public testing::Test {
 protected:
  VerdictOfTest() {
    test_.name = "t";
    test_.rules.name = "t";
    test_.rules.working_directory = directory_.path("");
    settings_.project = "demo";
    settings_.version = "v7";
    plain_.end.exit_code = 3;
    part_.test = "t";
  }
  TracedTest Traced(const std::string& script) {
    test_.rules.command = {"/bin/sh", "-c", script};
    return Must(RunTraced(test_, plain_, part_, settings_, recorder_));
  }
  TestResult Verdict(const TracedTest& traced) const {
    const std::optional<TestResult> result = VerdictUnderRecorder(test_, plain_, part_, traced);
    OSCOPE_CHECK(result.has_value());
    return *result;
  }
  void Report(const std::string& message, const std::string& text = "") {
    part_.reported.state = CaseState::kFailed;
    part_.reported.message = message;
    part_.reported.text = text;
  }

  TemporaryDirectory directory_;
  PretendedRecorder recorder_;
  RerunSettings settings_;
  FailedTest test_;
  PlainRun plain_;
  TracedPart part_;
};

TEST_F(VerdictOfTest, ATestThatPassesNowIsFlaky) {
  test_.reported.message = "1 is not 2";
  EXPECT_FALSE(VerdictAsItIs(test_, plain_));
  plain_.outcome = TestOutcome::kTimedOut;
  EXPECT_FALSE(VerdictAsItIs(test_, plain_));
  plain_.outcome = TestOutcome::kPassed;
  const std::optional<TestResult> passes = VerdictAsItIs(test_, plain_);
  ASSERT_TRUE(passes);
  EXPECT_EQ(passes->test, "t");
  EXPECT_EQ(passes->verdict, TestVerdict::kFlaky);
  EXPECT_EQ(passes->why, "it failed, and passes when it is run again");
  EXPECT_EQ(passes->message, "1 is not 2");
  plain_.outcome = TestOutcome::kSkipped;
  const std::optional<TestResult> skips = VerdictAsItIs(test_, plain_);
  ASSERT_TRUE(skips);
  EXPECT_EQ(skips->why, "it failed, and skips when it is run again");
}

TEST_F(VerdictOfTest, WhatPassesUnderTheRecorderIsNotReproduced) {
  Report("a.cc:7: 1 is not 2");
  part_.test = "t:S.A";
  const TestResult failed = NotReproduced(plain_, part_);
  EXPECT_EQ(failed.test, "t:S.A");
  EXPECT_EQ(failed.verdict, TestVerdict::kNotReproduced);
  EXPECT_EQ(failed.message, "a.cc:7: 1 is not 2");
  EXPECT_EQ(failed.place, (SourcePlace{"a.cc", 7}));
  EXPECT_EQ(failed.outcome, Outcome::kFailed);
  plain_.end.signal = SIGKILL;
  EXPECT_EQ(NotReproduced(plain_, part_).outcome, Outcome::kSignal);
  plain_.end.timed_out = true;
  EXPECT_EQ(NotReproduced(plain_, part_).outcome, Outcome::kTimeout);
}

TEST_F(VerdictOfTest, APassIsNoResult) {
  EXPECT_FALSE(VerdictUnderRecorder(test_, plain_, part_, Traced("exit 0")));
  test_.rules.skip_return_code = 4;
  EXPECT_FALSE(VerdictUnderRecorder(test_, plain_, part_, Traced("exit 4")));
}

TEST_F(VerdictOfTest, WhatHangsUnderTheRecorderAloneIsNotReproduced) {
  TracedTest traced = Traced("exit 1");
  traced.outcome = TestOutcome::kTimedOut;
  traced.end.timed_out = true;
  traced.end.seconds = 61.2;
  const TestResult hangs = Verdict(traced);
  EXPECT_EQ(hangs.verdict, TestVerdict::kNotReproduced);
  EXPECT_EQ(hangs.outcome, Outcome::kFailed) << "as it is";
  EXPECT_EQ(hangs.reason, "");
  EXPECT_TRUE(hangs.why.find("had to be ended after 61.2 s") != std::string::npos) << hangs.why;
  // One that hangs as it is, too, is recorded; how long it took is told of the run as it is.
  plain_.end.timed_out = true;
  plain_.end.seconds = 2;
  const TestResult both = Verdict(traced);
  EXPECT_EQ(both.verdict, TestVerdict::kRecorded);
  EXPECT_EQ(both.message, "timed out after 2 s");
}

TEST_F(VerdictOfTest, ARunWithoutEventsSaysWhy) {
  recorder_.record = [](raw::RawBytes&) {};
  const TestResult result = Verdict(Traced("exit 1"));
  EXPECT_EQ(result.verdict, TestVerdict::kNotRun);
  EXPECT_TRUE(result.why.starts_with("nothing was recorded")) << result.why;
}

TEST_F(VerdictOfTest, TheMessageIsTheBestThatAnybodySays) {
  EXPECT_EQ(Verdict(Traced("exit 3")).message, "exit code 3");
  EXPECT_EQ(Verdict(Traced("echo 'Error: no file'; exit 3")).message, "Error: no file");
  Report("1 is not 2");
  EXPECT_EQ(Verdict(Traced("echo 'Error: no file'; exit 3")).message, "1 is not 2");
  part_.reported.state = CaseState::kPassed;
  EXPECT_EQ(Verdict(Traced("echo 'Error: no file'; exit 3")).message, "Error: no file");
  // What was printed before a signal is not why.
  EXPECT_EQ(Verdict(Traced("echo 'Error: no file'; kill -9 $$")).message, "SIGKILL");
  part_.reported = {};
  test_.rules.fail_regexes = {"bad"};
  EXPECT_EQ(Verdict(Traced("echo bad")).message, "bad");
  // Of a case alone the rules of the whole test say nothing.
  part_.only = JUnitCase{};
  EXPECT_EQ(Verdict(Traced("exit 3")).message, "exit code 3");
}

TEST_F(VerdictOfTest, ThePlaceIsTheBestThatAnybodySays) {
  EXPECT_EQ(Verdict(Traced("exit 3")).place, std::nullopt);
  EXPECT_EQ(Verdict(Traced("echo 'a.cc:3: error: bad'; exit 3")).place, (SourcePlace{"a.cc", 3}));
  Report("1 is not 2", "b.cc:4");
  EXPECT_EQ(Verdict(Traced("echo 'a.cc:3: error: bad'; exit 3")).place, (SourcePlace{"b.cc", 4}));
  // Where the test stands is better than nothing.
  Report("1 is not 2");
  part_.reported.file = "c.cc";
  part_.reported.line = 5;
  EXPECT_EQ(Verdict(Traced("exit 3")).place, (SourcePlace{"c.cc", 5}));
}

}  // namespace
}  // namespace oscope::cli
