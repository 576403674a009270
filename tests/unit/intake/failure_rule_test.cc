#include "index/intake/failure_rule.h"

#include "index/store/failure_index.h"
#include "tests/unit/intake/intake_fixture.h"
#include "tracer/model/test_identity.h"

namespace oscope {
namespace {

using FailureRuleTest = Intake;

TEST_F(FailureRuleTest, TheSameFailureIsTheSameBug) {
  const RunDecision first = For(Failing("t", "f1"));
  EXPECT_EQ(first.fate, RunFate::kNew);
  EXPECT_EQ(ToString(first.bug), "demo-1");
  const Bug bug = Stored(first.bug);
  EXPECT_EQ(bug.title, "t: Expected equality of these values: 1 2");
  EXPECT_EQ(bug.version, "v1");
  EXPECT_EQ(bug.custom, (std::map<std::string, std::string>{{"fingerprint", "f1"}, {"test", "t"}}));

  EXPECT_EQ(For(Failing("t", "f1")).bug, first.bug);
  EXPECT_NE(For(Failing("t", "f1")).fate, RunFate::kNew);
  EXPECT_EQ(ToString(For(Failing("t", "f2")).bug), "demo-2");
  EXPECT_EQ(ToString(For(Failing("other", "f1")).bug), "demo-3");
  RunHeader elsewhere = Failing("t", "f1");
  elsewhere.project = "other";
  EXPECT_EQ(ToString(For(elsewhere).bug), "other-1");
  EXPECT_EQ(Bugs(), 4u);
}

TEST_F(FailureRuleTest, WithoutAFingerprintItIsLikeNoOther) {
  EXPECT_EQ(For(Failing("t", "")).fate, RunFate::kNew);
  EXPECT_EQ(For(Failing("t", "")).fate, RunFate::kNew);
}

TEST_F(FailureRuleTest, WithoutATestTheCommandIs) {
  RunHeader one = Failing("", "f1"), other = Failing("", "f1");
  one.command = {"./program", "a"};
  other.command = {"./program", "b"};
  const RunDecision first = For(one);
  const Bug bug = Stored(first.bug);
  EXPECT_EQ(bug.custom.at("test"), TestOf(one));
  EXPECT_TRUE(bug.custom.at("test").starts_with("program ")) << bug.custom.at("test");
  EXPECT_EQ(bug.title, "program: Expected equality of these values: 1 2") << "what it was called with is not told";
  EXPECT_EQ(For(one).bug, first.bug);
  EXPECT_NE(For(other).bug, first.bug);
  // A name that fits into no field.
  const std::string huge_argument(1 << 20, 'x');
  one.command.push_back(huge_argument);
  const RunDecision huge = For(one);
  EXPECT_EQ(huge.fate, RunFate::kNew);
  EXPECT_LT(Stored(huge.bug).title.size(), 400u);
  EXPECT_EQ(For(one).bug, huge.bug);
}

// Bugs of earlier releases are known by the command line.
TEST_F(FailureRuleTest, ABugThatHasTheCommandLineIsFoundAgain) {
  RunHeader run = Failing("", "f1");
  run.command = {"./program", "a"};
  const BugKey old{"demo", "5"};
  Must(store_.EditBug(old, [&](const std::optional<Bug>&) -> Result<Bug> {
    Bug bug;
    bug.key = old;
    bug.custom = {{"fingerprint", "f1"}, {"test", "./program a"}};
    return bug;
  }));
  EXPECT_EQ(For(run).bug, old);
  EXPECT_EQ(For(Failing("./program b", "f1")).fate, RunFate::kNew);
  run.command = {};
  EXPECT_EQ(For(run).fate, RunFate::kNew) << "what has no command is another";
}

TEST_F(FailureRuleTest, ResolvedBugsStaySoUnlessAsked) {
  const BugKey first = For(Failing("t", "f1")).bug;
  SetStored(first, BugStatus::kResolved);
  const RunDecision back = For(Failing("t", "f1"), {.reopen = true});
  EXPECT_EQ(back.fate, RunFate::kReopened);
  EXPECT_EQ(back.bug, first);
  EXPECT_EQ(Stored(first).status, BugStatus::kReopened);
  EXPECT_FALSE(Stored(first).resolved_ns);

  SetStored(first, BugStatus::kClosed);
  const RunDecision again = For(Failing("t", "f1"));
  EXPECT_EQ(again.fate, RunFate::kNew);
  EXPECT_EQ(again.resolved, first);
  EXPECT_EQ(For(Failing("t", "f1")).bug, again.bug);
}

TEST_F(FailureRuleTest, TitlesAreOfNewBugs) {
  RunHeader run = Failing("t", "f1");
  run.custom["title"] = "the sink is wrong";
  const RunDecision made = For(run);
  EXPECT_EQ(Stored(made.bug).title, "the sink is wrong");
  run.custom["title"] = "another";
  EXPECT_EQ(For(run).bug, made.bug);
  EXPECT_EQ(Stored(made.bug).title, "the sink is wrong");
}

TEST_F(FailureRuleTest, ANamedBugIsMade) {
  RunHeader run = Failing("t", "f1");
  run.bug = "12";
  run.custom["title"] = "named";
  EXPECT_EQ(For(run).fate, RunFate::kNew);
  EXPECT_EQ(Stored({"demo", "12"}).title, "named");
  run.custom["title"] = "another";
  EXPECT_NE(For(run).fate, RunFate::kNew);
  EXPECT_EQ(Stored({"demo", "12"}).title, "named");
  // The same failure without a name.
  EXPECT_EQ(For(Failing("t", "f1")).bug.id, "12");
}

TEST_F(FailureRuleTest, WhoGetsNone) {
  const FailureRuleOptions known_only{};
  EXPECT_EQ(For(Failing("t", ""), known_only).fate, RunFate::kUnlinked);
  RunHeader passed = Failing("t", "");
  passed.outcome = Outcome::kPassed;
  EXPECT_EQ(For(passed).fate, RunFate::kUnlinked);
  EXPECT_EQ(Bugs(), 0u);
  RunHeader named = Failing("t", "f1");
  named.bug = "3";
  EXPECT_EQ(For(named).fate, RunFate::kNamed);
  EXPECT_EQ(Stored({"demo", "3"}).title, "a.cc:3") << "the store makes it, by its message";
}

TEST_F(FailureRuleTest, ARunTeachesWhoseItsFailureIs) {
  const BugKey made = For(Failing("t", "f1")).bug;
  EXPECT_EQ(For(Failing("t", "f1")).bug, made);
  Add("20", "another test", BugStatus::kOpen);
  // A person says that both belong to another bug: the next one goes there too, whatever the first report still says.
  Must(store_.LinkRuns({RunId{{1, 1}}, RunId{{1, 2}}}, {"demo", "20"}));
  EXPECT_EQ(Stored(made).custom.at("fingerprint"), "f1");
  EXPECT_EQ(For(Failing("t", "f1")).bug.id, "20");
  Must(store_.Compact({.min_segments = 1}));
  EXPECT_EQ(For(Failing("t", "f1")).bug.id, "20") << "after a compaction too";
}

TEST_F(FailureRuleTest, ASplitLasts) {
  const BugKey made = For(Failing("t", "f1")).bug;
  For(Failing("t", "f1"));
  Add("20", "another test", BugStatus::kOpen);
  Must(store_.LinkRuns({RunId{{1, 2}}}, {"demo", "20"}));
  EXPECT_EQ(For(Failing("t", "f1")).bug.id, "20") << "the newer of the two bugs that have it";
  // None of them: neither the bug nor its report counts any more.
  Must(store_.LinkRuns({RunId{{1, 1}}, RunId{{1, 2}}, RunId{{1, 3}}}, {"demo", ""}));
  const RunDecision next = For(Failing("t", "f1"));
  EXPECT_EQ(next.fate, RunFate::kNew);
  EXPECT_NE(next.bug, made);
}

TEST_F(FailureRuleTest, AfterTheLastNumberThereIsNone) {
  Add("18446744073709551614", "t", BugStatus::kOpen);
  const Result<IngestResult> refused = Take(Failing("t", "g"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_EQ(Bugs(), 1u);
}

// A number greater than another one, and not the longer text.
TEST_F(FailureRuleTest, ANameIsNoNumber) {
  for (const char* id : {"12", "a-long-name", "9"}) Add(id, "t", BugStatus::kOpen);
  RunHeader run = Failing("t", "f");
  EXPECT_EQ(For(run).bug.id, "12");
}

TEST_F(FailureRuleTest, ANumberThatARunHasIsTakenEvenIfItsReportCannotBeRead) {
  For(Failing("t", "f1"));
  Must(store_.EditBug({"demo", "7"}, [](const std::optional<Bug>&) -> Result<Bug> {
    Bug bug;
    bug.key = {"demo", "7"};
    return bug;
  }));
  const std::string report = Must(store_.Read()).manifest().segments.back().id;
  Must(store_.LinkRuns({RunId{{1, 1}}}, {"demo", "7"}));
  Must(store_.Quarantine({report}, "for the test"));
  EXPECT_EQ(For(Failing("t", "f2")).bug.id, "8");
}

TEST_F(FailureRuleTest, AReportTellsWhereItsRunsAreGone) {
  const BugKey made = For(Failing("t", "f1")).bug;
  PurgeRun(1);
  EXPECT_EQ(For(Failing("t", "f1")).bug, made);
  PurgeRun(2);
  // Only the newest revision counts, wherever the older ones lie.
  Must(store_.EditBug(made, [&](const std::optional<Bug>& there) -> Result<Bug> {
    Bug bug = *there;
    bug.custom.erase("fingerprint");
    return bug;
  }));
  EXPECT_EQ(For(Failing("t", "f1")).fate, RunFate::kNew);
}

TEST_F(FailureRuleTest, TheHistoryTellsWhoAndWhy) {
  RunHeader run = Failing("t", "f1");
  run.id = RunId{{1, 77}};
  const auto ingest = Must(store_.BeginIngest({.rule = FailureRule(), .by = "ada"}));
  Must(SendFailing(run, *ingest));
  Must(ingest->Commit());
  const std::vector<BugRevision> history = Must(Must(store_.Read()).History({"demo", "1"}));
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].by, "ada");
  EXPECT_EQ(history[0].why, "run " + ToString(run.id) + " failed");
  Must(store_.EditBug(
      {"demo", "1"},
      [](const std::optional<Bug>& there) -> Result<Bug> {
        Bug bug = *there;
        bug.severity = "high";
        return bug;
      },
      "grace", "it blocks the release"));
  Must(store_.Compact({.min_segments = 1}));
  const std::vector<BugRevision> later = Must(Must(store_.Read()).History({"demo", "1"}));
  ASSERT_EQ(later.size(), 2u);
  EXPECT_EQ(later[0].by, "ada");
  EXPECT_EQ(later[1].by, "grace");
  EXPECT_EQ(later[1].why, "it blocks the release");
}

}  // namespace
}  // namespace oscope
