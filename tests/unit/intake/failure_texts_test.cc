// What a bug that is made for a failure says, and which of several bugs with that failure is meant.
#include <gtest/gtest.h>

#include "index/store/failure_index.h"
#include "tests/unit/intake/intake_fixture.h"

namespace oscope {
namespace {

class FailureTexts : public Intake {
 protected:
  static RunHeader Failure(const std::string& test, const std::string& message) {
    RunHeader run = Failing(test, "f");
    run.failure.message = message;
    run.version = "v2";
    return run;
  }
  Bug MadeFor(const RunHeader& run) { return Stored(For(run).bug); }
};

TEST_F(FailureTexts, TheTitleIsTestAndMessageWhereThereAreBoth) {
  EXPECT_EQ(MadeFor(Failure("t", "boom")).title, "t: boom");
  EXPECT_EQ(MadeFor(Failure("only a test", "")).title, "only a test");
  EXPECT_EQ(MadeFor(Failure("", "only a message")).title, "only a message");
}

TEST_F(FailureTexts, TheReportHasWhatTheRunSaid) {
  const Bug bug = MadeFor(Failure("t", "boom\nat length"));
  EXPECT_EQ(bug.text, "boom\nat length");
  EXPECT_EQ(bug.version, "v2");
  EXPECT_EQ(bug.status, BugStatus::kOpen);
  RunHeader silent = Failure("", "boom");
  silent.failure.fingerprint = "";
  EXPECT_TRUE(MadeFor(silent).custom.empty());
}

TEST_F(FailureTexts, LongTextsAreCutBetweenCharacters) {
  RunHeader run;
  run.project = "demo";
  run.outcome = Outcome::kFailed;
  run.failure.fingerprint = "f";
  run.test = fmt::format("{}é", std::string(1023, 'x'));  // the character has the bytes 1023 and 1024
  EXPECT_EQ(TestOfFailure(run), std::string(1023, 'x'));
  run.test = fmt::format("{}é", std::string(1022, 'x'));
  EXPECT_EQ(TestOfFailure(run), run.test);
  run.custom["title"] = fmt::format("{}z", std::string(1024, 'y'));
  EXPECT_EQ(MadeFor(run).title, std::string(1024, 'y'));
  EXPECT_EQ(MadeFor(Failure(std::string(300, 'x'), "boom")).title, fmt::format("{}: boom", std::string(200, 'x')));
}

TEST_F(FailureTexts, TheNewestOfSeveralIsMeant) {
  for (const char* id : {"9", "10", "8"}) Add(id, "t", BugStatus::kOpen);
  for (const char* id : {"7", "12", "11"}) Add(id, "t", BugStatus::kClosed);
  Add("99", "another test", BugStatus::kOpen);
  const Snapshot snapshot = Must(store_.Read());
  KnownBugs known(&snapshot);
  std::string ids;
  for (const Bug* bug : Must(known.WithFailure(Failure("t", "m")))) ids += bug->key.id + " ";
  EXPECT_EQ(ids, "12 11 10 9 8 7 ");
  EXPECT_EQ(For(Failure("t", "m")).bug.id, "10") << "the newest that is open";
  RunHeader other = Failure("t", "m");
  other.failure.fingerprint = "g";
  EXPECT_EQ(For(other).fate, RunFate::kNew);
  other.failure.fingerprint = "";
  EXPECT_EQ(For(other).fate, RunFate::kNew) << "without a fingerprint it is like no other";
}

TEST_F(FailureTexts, AnOpenBugComesBeforeOneThatCouldBeReopened) {
  Add("1", "t", BugStatus::kReopened);
  Add("2", "t", BugStatus::kResolved);
  const RunDecision found = For(Failure("t", "m"), {.reopen = true});
  EXPECT_EQ(found.bug.id, "1");
  EXPECT_EQ(found.fate, RunFate::kJoined);
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"demo", "2"}))->status, BugStatus::kResolved);
}

TEST_F(FailureTexts, ABugThatIsNotValidIsAnErrorAndNothingIsStored) {
  RunHeader run = Failure("t", "m");
  run.version = std::string(1 << 20, 'x');
  const uint64_t version = Must(store_.NewestVersion());
  EXPECT_FALSE(Take(run).ok());
  EXPECT_EQ(Must(store_.NewestVersion()), version);
}

}  // namespace
}  // namespace oscope
