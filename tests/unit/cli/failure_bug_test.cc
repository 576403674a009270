#include "cli/failure_bug.h"

#include <gtest/gtest.h>

#include "cli/new_bug.h"
#include "tests/unit/store/store_fixture.h"
#include "tracer/model/test_identity.h"

namespace oscope::cli {
namespace {

class FailureBug : public testing::Test {
 protected:
  static RunHeader Failing(const std::string& test, const std::string& fingerprint) {
    RunHeader run;
    run.project = "demo";
    run.test = test;
    run.failure.message = "a.cc:3\nExpected equality of these values:\n  1\n  2";
    run.version = "v1";
    if (!fingerprint.empty()) run.failure.fingerprint = fingerprint;
    return run;
  }

  BugOfFailure For(const RunHeader& run, const BugForOptions& options = {}) {
    return Must(BugFor(store_, FailureOf(run), options));
  }
  Bug Stored(const BugKey& key) { return Must(Must(store_.Read()).FindBug(key)).value(); }
  size_t Bugs() { return Must(Must(store_.Read()).Bugs()).size(); }

  TemporaryDirectory directory_;
  Store store_ = Must(Store::Create(PosixFileSystem(), directory_.path("store")));
};

TEST_F(FailureBug, TheSameFailureIsTheSameBug) {
  const BugOfFailure first = For(Failing("t", "f1"));
  EXPECT_TRUE(first.is_new);
  EXPECT_EQ(ToString(first.bug), "demo-1");
  const Bug bug = Stored(first.bug);
  EXPECT_EQ(bug.title, "t: Expected equality of these values: 1 2");
  EXPECT_EQ(bug.version, "v1");
  EXPECT_EQ(bug.custom, (std::map<std::string, std::string>{{"fingerprint", "f1"}, {"test", "t"}}));

  EXPECT_EQ(For(Failing("t", "f1")).bug, first.bug);
  EXPECT_FALSE(For(Failing("t", "f1")).is_new);
  EXPECT_EQ(ToString(For(Failing("t", "f2")).bug), "demo-2");
  EXPECT_EQ(ToString(For(Failing("other", "f1")).bug), "demo-3");
  RunHeader elsewhere = Failing("t", "f1");
  elsewhere.project = "other";
  EXPECT_EQ(ToString(For(elsewhere).bug), "other-1");
  EXPECT_EQ(Bugs(), 4u);
}

TEST_F(FailureBug, WithoutAFingerprintItIsLikeNoOther) {
  EXPECT_TRUE(For(Failing("t", "")).is_new);
  EXPECT_TRUE(For(Failing("t", "")).is_new);
}

TEST_F(FailureBug, WithoutATestTheCommandIs) {
  RunHeader one = Failing("", "f1"), other = Failing("", "f1");
  one.command = {"./program", "a"};
  other.command = {"./program", "b"};
  const BugOfFailure first = For(one);
  const Bug bug = Stored(first.bug);
  EXPECT_EQ(bug.custom.at("test"), TestOf(one));
  EXPECT_TRUE(bug.custom.at("test").starts_with("program ")) << bug.custom.at("test");
  EXPECT_EQ(bug.title, "program: Expected equality of these values: 1 2") << "what it was called with is not told";
  EXPECT_EQ(For(one).bug, first.bug);
  EXPECT_NE(For(other).bug, first.bug);
  // A name that fits into no field.
  const std::string huge_argument(1 << 20, 'x');
  one.command.push_back(huge_argument);
  const BugOfFailure huge = For(one);
  EXPECT_TRUE(huge.is_new);
  EXPECT_LT(Stored(huge.bug).title.size(), 400u);
  EXPECT_EQ(For(one).bug, huge.bug);
}

// Bugs of earlier releases are known by the command line.
TEST_F(FailureBug, ABugThatHasTheCommandLineIsFoundAgain) {
  RunHeader run = Failing("", "f1");
  run.command = {"./program", "a"};
  const Bug old = Must(AddBugAs(store_, {"demo", "5"}, [](Bug& bug) {
    bug.title = "old";
    bug.custom = {{"fingerprint", "f1"}, {"test", "./program a"}};
  }));
  EXPECT_EQ(For(run).bug, old.key);
  EXPECT_TRUE(For(Failing("./program b", "f1")).is_new);
  run.command = {};
  EXPECT_TRUE(For(run).is_new) << "what has no command is another";
}

TEST_F(FailureBug, ResolvedBugsStaySoUnlessAsked) {
  const BugKey first = For(Failing("t", "f1")).bug;
  Must(store_.EditBug(first, [](const std::optional<Bug>& there) -> Result<Bug> {
    Bug changed = *there;
    SetStatus(changed, BugStatus::kResolved);
    return changed;
  }));
  const BugOfFailure back = For(Failing("t", "f1"), {.reopen = true});
  EXPECT_TRUE(back.reopened);
  EXPECT_EQ(back.bug, first);
  EXPECT_EQ(Stored(first).status, BugStatus::kReopened);
  EXPECT_FALSE(Stored(first).resolved_ns);

  Must(store_.EditBug(first, [](const std::optional<Bug>& there) -> Result<Bug> {
    Bug changed = *there;
    SetStatus(changed, BugStatus::kClosed);
    return changed;
  }));
  const BugOfFailure again = For(Failing("t", "f1"));
  EXPECT_TRUE(again.is_new);
  EXPECT_EQ(again.resolved, first);
  EXPECT_EQ(For(Failing("t", "f1")).bug, again.bug);
}

TEST_F(FailureBug, TitlesAreOfNewBugs) {
  RunHeader run = Failing("t", "f1");
  run.custom["title"] = "the sink is wrong";
  const BugOfFailure made = For(run);
  EXPECT_EQ(Stored(made.bug).title, "the sink is wrong");
  run.custom["title"] = "another";
  EXPECT_EQ(For(run).bug, made.bug);
  EXPECT_EQ(Stored(made.bug).title, "the sink is wrong");
}

TEST_F(FailureBug, ANamedBugIsMade) {
  RunHeader run = Failing("t", "f1");
  run.bug = "12";
  run.custom["title"] = "named";
  EXPECT_TRUE(AsksForBug(run));
  EXPECT_TRUE(For(run).is_new);
  EXPECT_EQ(Stored({"demo", "12"}).title, "named");
  run.custom["title"] = "another";
  EXPECT_FALSE(For(run).is_new);
  EXPECT_EQ(Stored({"demo", "12"}).title, "named");
  // The same failure without a name.
  EXPECT_EQ(For(Failing("t", "f1")).bug.id, "12");
}

TEST_F(FailureBug, NumbersBeginWhereAsked) {
  EXPECT_EQ(For(Failing("t", "f1"), {.reopen = false, .first_number = 7}).bug.id, "7");
  EXPECT_EQ(For(Failing("t", "f2")).bug.id, "8");
}

TEST_F(FailureBug, WhoAsksForOne) {
  EXPECT_TRUE(AsksForBug(Failing("t", "f1")));
  EXPECT_FALSE(AsksForBug(Failing("t", "")));
  RunHeader passed = Failing("t", "f1");
  passed.outcome = Outcome::kPassed;
  EXPECT_FALSE(AsksForBug(passed));
  RunHeader named = Failing("t", "f1");
  named.bug = "3";
  EXPECT_FALSE(AsksForBug(named));  // the store makes it
}

}  // namespace
}  // namespace oscope::cli
