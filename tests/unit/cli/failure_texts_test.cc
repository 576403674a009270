// What a bug that is made for a failure says, and which of several bugs with that failure is meant.
#include <gtest/gtest.h>

#include "cli/failure_bug.h"
#include "cli/new_bug.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

class FailureTexts : public testing::Test {
 protected:
  static RunFailure Failure(const std::string& test, const std::string& message) {
    RunFailure failure;
    failure.project = "demo";
    failure.test = test;
    failure.fingerprint = "f";
    failure.message = message;
    failure.version = "v2";
    return failure;
  }
  Bug MadeFor(const RunFailure& failure) {
    const BugKey key = Must(BugFor(store_, failure)).bug;
    return Must(Must(store_.Read()).FindBug(key)).value();
  }
  void Add(const std::string& id, const std::string& test, BugStatus status) {
    Must(AddBugAs(store_, {"demo", id}, [&](Bug& bug) {
      bug.title = id;
      bug.custom = {{"fingerprint", "f"}, {"test", test}};
      SetStatus(bug, status);
    }));
  }
  KnownBugs Known(const RunFailure& failure) { return Must(BugsWithFailure(Must(store_.Read()), failure)); }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
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
  RunFailure silent = Failure("", "boom");
  silent.fingerprint = "";
  EXPECT_TRUE(MadeFor(silent).custom.empty());
}

TEST_F(FailureTexts, LongTextsAreCutBetweenCharacters) {
  RunHeader run;
  run.project = "demo";
  run.outcome = Outcome::kFailed;
  run.failure.fingerprint = "f";
  run.test = fmt::format("{}é", std::string(1023, 'x'));  // the character has the bytes 1023 and 1024
  EXPECT_EQ(FailureOf(run).test, std::string(1023, 'x'));
  run.test = fmt::format("{}é", std::string(1022, 'x'));
  EXPECT_EQ(FailureOf(run).test, run.test);
  run.custom["title"] = fmt::format("{}z", std::string(1024, 'y'));
  EXPECT_EQ(FailureOf(run).title, std::string(1024, 'y'));
  EXPECT_EQ(MadeFor(Failure(std::string(300, 'x'), "boom")).title, fmt::format("{}: boom", std::string(200, 'x')));
}

TEST_F(FailureTexts, TheNewestOfSeveralIsMeant) {
  for (const char* id : {"9", "10", "8"}) Add(id, "t", BugStatus::kOpen);
  for (const char* id : {"7", "12", "11"}) Add(id, "t", BugStatus::kClosed);
  Add("99", "another test", BugStatus::kOpen);
  const KnownBugs known = Known(Failure("t", "m"));
  EXPECT_EQ(known.open->id, "10");
  EXPECT_EQ(known.resolved->id, "12");
  RunFailure other = Failure("t", "m");
  other.fingerprint = "g";
  EXPECT_FALSE(Known(other).open);
  other.fingerprint = "";
  EXPECT_FALSE(Known(other).open) << "without a fingerprint it is like no other";
}

TEST_F(FailureTexts, AnOpenBugComesBeforeOneThatCouldBeReopened) {
  Add("1", "t", BugStatus::kReopened);
  Add("2", "t", BugStatus::kResolved);
  const BugOfFailure found = Must(BugFor(store_, Failure("t", "m"), {.reopen = true}));
  EXPECT_EQ(found.bug.id, "1");
  EXPECT_FALSE(found.reopened);
  EXPECT_FALSE(found.is_new);
  EXPECT_EQ(Must(Must(store_.Read()).FindBug({"demo", "2"}))->status, BugStatus::kResolved);
}

TEST_F(FailureTexts, ANamedBugThatIsNotValidIsAnError) {
  RunFailure failure = Failure("t", "m");
  failure.bug = "3";
  failure.title = std::string(1 << 20, 'x');
  EXPECT_FALSE(BugFor(store_, failure).ok());
}

}  // namespace
}  // namespace oscope::cli
