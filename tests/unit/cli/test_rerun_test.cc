// Failed tests that are run again, plainly and under a recorder that is pretended; and what the reports of runners say
// of them.
#include "cli/testing/test_rerun.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/cli/pretended_recorder.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope::cli {
namespace {

using Words = std::vector<std::string>;

CTestTest Shell(const std::string& script, const std::string& name = "t") {
  CTestTest test;
  test.name = name;
  test.command = {"/bin/sh", "-c", script};
  return test;
}

class Rerun : public testing::Test {
 protected:
  FailedTest Failed(const std::string& script) const {
    FailedTest test;
    test.name = "t";
    test.rules = Shell(script);
    test.rules.working_directory = directory_.path("");
    return test;
  }
  std::string Text(const std::string& name) const {
    std::ifstream file(directory_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Result<TracedTest> Traced(const FailedTest& test, const TracedPart& part, const PlainRun& plain = {}) {
    return RunTraced(test, plain, part, settings_, recorder_);
  }
  Result<TracedTest> Traced(const FailedTest& test) { return Traced(test, {test.name, std::nullopt, {}}); }

  TemporaryDirectory directory_;
  PretendedRecorder recorder_;
  RerunSettings settings_ = [] {
    RerunSettings settings;
    settings.project = "demo";
    settings.version = "v7";
    return settings;
  }();
};

JUnitCase Case(const std::string& classname, const std::string& name) {
  JUnitCase one;
  one.classname = classname;
  one.name = name;
  one.state = CaseState::kFailed;
  return one;
}

TEST(RerunParts, WithoutCasesItIsOne) {
  FailedTest test;
  test.name = "t";
  test.reported = Case("r", "r");
  const std::vector<TracedPart> parts = PartsOf(test, {});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].test, "t");
  EXPECT_FALSE(parts[0].only);
  EXPECT_EQ(parts[0].reported.name, "r");
}

TEST(RerunParts, EachCaseByItself) {
  FailedTest test;
  test.name = "t";
  PlainRun plain;
  plain.cases = {Framework::kGoogleTest, 5, {Case("S", "A"), Case("S", "B")}};
  const std::vector<TracedPart> parts = PartsOf(test, plain);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].test, "t:S.A");
  EXPECT_EQ(parts[1].test, "t:S.B");
  ASSERT_TRUE(parts[1].only);
  EXPECT_EQ(parts[1].only->name, "B");
  EXPECT_EQ(parts[1].reported.name, "B");
}

TEST(RerunParts, OneCaseThatIsAllIsTheTestItself) {
  FailedTest test;
  test.name = "t";
  test.reported = Case("r", "r");
  PlainRun plain;
  plain.cases = {Framework::kGoogleTest, 1, {Case("S", "A")}};
  ASSERT_EQ(PartsOf(test, plain).size(), 1u);
  EXPECT_FALSE(PartsOf(test, plain)[0].only);
  EXPECT_EQ(PartsOf(test, plain)[0].test, "t");
  EXPECT_EQ(PartsOf(test, plain)[0].reported.name, "A");
  // One of two that ran is by itself, unless the command asks for it alone.
  plain.cases.cases_run = 2;
  EXPECT_TRUE(PartsOf(test, plain)[0].only);
  for (const char* word : {"--gtest_filter=S.A", "--run_test=S.A"}) {
    test.rules.command = {"x", word};
    EXPECT_FALSE(PartsOf(test, plain)[0].only) << word;
  }
  test.rules.command = {"x", "--gtest_filter=S.*"};
  EXPECT_TRUE(PartsOf(test, plain)[0].only);
}

TEST(RerunParts, RulesOfTheTestAreForTheWhole) {
  const auto parts = [](const std::function<void(CTestTest&)>& rule) {
    FailedTest test;
    test.name = "t";
    rule(test.rules);
    PlainRun plain;
    plain.cases = {Framework::kGoogleTest, 5, {Case("S", "A"), Case("S", "B")}};
    return PartsOf(test, plain).size();
  };
  EXPECT_EQ(parts([](CTestTest&) {}), 2u);
  EXPECT_EQ(parts([](CTestTest& test) { test.will_fail = true; }), 1u);
  EXPECT_EQ(parts([](CTestTest& test) { test.pass_regexes = {"x"}; }), 1u);
  EXPECT_EQ(parts([](CTestTest& test) { test.fail_regexes = {"x"}; }), 1u);
  EXPECT_EQ(parts([](CTestTest& test) { test.skip_regexes = {"x"}; }), 1u);
}

TEST_F(Rerun, PlainlyAsItIs) {
  FailedTest test = Failed("pwd > where; echo \"$GIVEN\"; echo told >&2; exit 3");
  test.rules.environment = {"GIVEN=a value"};
  const PlainRun run = Must(RunPlainly(test));
  EXPECT_EQ(run.end.exit_code, 3);
  EXPECT_EQ(run.end.signal, 0);
  EXPECT_FALSE(run.end.timed_out);
  EXPECT_EQ(run.end.output, "a value\ntold\n");
  EXPECT_GE(run.end.seconds, 0);
  EXPECT_EQ(run.outcome, TestOutcome::kFailed);
  EXPECT_FALSE(Text("where").empty());
  EXPECT_EQ(Must(RunPlainly(Failed("exit 0"))).outcome, TestOutcome::kPassed);
  EXPECT_EQ(Must(RunPlainly(Failed("kill -9 $$"))).end.signal, SIGKILL);
}

TEST_F(Rerun, PlainlyByItsRules) {
  FailedTest test = Failed("echo bad");
  test.rules.fail_regexes = {"bad"};
  EXPECT_EQ(Must(RunPlainly(test)).outcome, TestOutcome::kFailed);
  FailedTest turned = Failed("exit 1");
  turned.rules.will_fail = true;
  EXPECT_EQ(Must(RunPlainly(turned)).outcome, TestOutcome::kPassed);
}

TEST_F(Rerun, ATimeLimitOfTheTestItself) {
  FailedTest test = Failed("exec sleep 100");
  test.rules.timeout_s = 0.05;
  const PlainRun run = Must(RunPlainly(test));
  EXPECT_TRUE(run.end.timed_out);
  EXPECT_EQ(run.outcome, TestOutcome::kTimedOut);
}

TEST_F(Rerun, WhatCannotBeRun) {
  FailedTest test = Failed("");
  test.rules.command = {directory_.path("nowhere")};
  EXPECT_FALSE(RunPlainly(test).ok());
  FailedTest modified = Failed("exit 1");
  modified.rules.environment_modification = {"NAME=nothing:x"};
  EXPECT_FALSE(RunPlainly(modified).ok());
}

TEST_F(Rerun, FixturesAreSetUpAndCleanedUp) {
  const std::string log = directory_.path("log");
  FailedTest test = Failed("echo test >> log; exit 1");
  test.setups = {Shell("echo one >> " + log, "one"), Shell("echo two >> " + log, "two")};
  test.cleanups = {Shell("echo clean >> " + log + "; exit 1", "clean"), Shell("echo cleaner >> " + log, "cleaner")};
  Must(RunPlainly(test));
  EXPECT_EQ(Text("log"), "one\ntwo\ntest\nclean\ncleaner\n");
  std::filesystem::remove(log);
  Must(Traced(test));
  EXPECT_EQ(Text("log"), "one\ntwo\ntest\nclean\ncleaner\n");
}

TEST_F(Rerun, AFixtureThatFailsEndsIt) {
  const std::string log = directory_.path("log");
  FailedTest test = Failed("echo test >> log; exit 1");
  test.setups = {Shell("exit 4", "first"), Shell("echo two >> " + log, "second")};
  test.cleanups = {Shell("echo clean >> " + log, "clean")};
  for (const bool traced : {false, true}) {
    const std::string message = traced ? Traced(test).error().message : RunPlainly(test).error().message;
    EXPECT_EQ(message, "its fixture first failed: exit code 4");
    EXPECT_EQ(Text("log"), traced ? "clean\nclean\n" : "clean\n") << "neither the second fixture nor the test";
  }
  test.setups = {Shell("", "none")};
  test.setups[0].command.clear();
  EXPECT_EQ(RunPlainly(test).error().message, "its fixture none has no command");
}

// A fixture that is traced for good is run without its launcher.
TEST_F(Rerun, AFixtureWithoutItsLauncher) {
  FailedTest test = Failed("exit 1");
  test.setups = {Shell("")};
  test.setups[0].command = {"/nowhere/oscope", "trace", "--", "/bin/sh", "-c", "echo set > " + directory_.path("up")};
  Must(RunPlainly(test));
  EXPECT_EQ(Text("up"), "set\n");
}

// What a repetition must know and the command does not say.
TEST_F(Rerun, ARunTellsHowItWasMade) {
  FailedTest test = Failed("exit 1");
  test.rules.environment = {"A=secret", "B=x"};
  test.rules.environment_modification = {"A=set:y", "C=unset:"};
  test.setups = {Shell("exit 0", "database")};
  const Repeat whole = Must(Traced(test)).run.header().repeat;
  EXPECT_EQ(whole.selection, (TestSelection{"ctest", "", ""}));
  EXPECT_EQ(whole.expected, (Expectation{0, false, {}, {}}));
  EXPECT_EQ(whole.not_kept,
            (std::vector<NotKept>{{"variable", "A"}, {"variable", "B"}, {"variable", "C"}, {"fixture", "database"}}));

  PlainRun plain;
  plain.cases.framework = Framework::kGoogleTest;
  const Repeat part = Must(Traced(Failed("exit 1"), {"t:S.A", Case("S", "A"), {}}, plain)).run.header().repeat;
  EXPECT_EQ(part.selection, (TestSelection{"ctest", "GoogleTest", "S.A"}));
  EXPECT_EQ(part.expected, (Expectation{0, false, {}, {}}));

  FailedTest rules = Failed("echo bad");
  rules.rules.pass_regexes = {"good", "better"};
  rules.rules.fail_regexes = {"bad"};
  EXPECT_EQ(Must(Traced(rules)).run.header().repeat.expected,
            (Expectation{std::nullopt, false, {"good", "better"}, {"bad"}}));
  FailedTest turned = Failed("exit 0");
  turned.rules.will_fail = true;
  EXPECT_EQ(Must(Traced(turned)).run.header().repeat.expected, (Expectation{std::nullopt, true, {}, {}}));

  FailedTest reported = Failed("exit 1");
  reported.rules.name.clear();
  EXPECT_EQ(Must(Traced(reported)).run.header().repeat.selection.runner, "junit");
}

TEST_F(Rerun, WithoutInputsThatIsTold) {
  settings_.keep_inputs = false;
  EXPECT_EQ(Must(Traced(Failed("exit 1"))).run.header().repeat.not_kept, (std::vector<NotKept>{{"inputs", ""}}));
}

TEST_F(Rerun, UnderTheRecorder) {
  FailedTest test = Failed("pwd > where; cat > given; echo \"$GIVEN\"; echo told >&2; exit 3");
  test.rules.environment = {"GIVEN=a value"};
  const TracedTest traced = Must(Traced(test));
  EXPECT_EQ(traced.end.exit_code, 3);
  EXPECT_EQ(traced.end.output, "a value\ntold\n");
  EXPECT_EQ(traced.outcome, TestOutcome::kFailed);
  EXPECT_FALSE(Text("where").empty());
  EXPECT_EQ(Text("given"), "") << "no standard input";
  EXPECT_EQ(traced.run.header().project, "demo");
  EXPECT_EQ(traced.run.header().version, "v7");
  EXPECT_EQ(traced.run.header().test, "t");
  EXPECT_TRUE(IsFailing(traced.run.header().outcome));
  EXPECT_EQ(traced.run.events(), 2u);
}

// By the rules of the test a run that ended well has failed, and is kept as failed.
TEST_F(Rerun, TheRulesSetTheOutcome) {
  FailedTest test = Failed("echo bad");
  test.rules.fail_regexes = {"bad"};
  const TracedTest traced = Must(Traced(test));
  EXPECT_EQ(traced.end.exit_code, 0);
  EXPECT_EQ(traced.outcome, TestOutcome::kFailed);
  EXPECT_EQ(traced.run.header().outcome, Outcome::kFailed);
  const TracedTest passed = Must(Traced(Failed("echo good")));
  EXPECT_EQ(passed.outcome, TestOutcome::kPassed);
  EXPECT_EQ(passed.run.header().outcome, Outcome::kPassed);
  // A failure that the recorder saw stays what it is.
  const TracedTest killed = Must(Traced(Failed("kill -9 $$")));
  EXPECT_EQ(killed.end.signal, SIGKILL);
  EXPECT_EQ(killed.run.header().outcome, Outcome::kSignal);
}

// One case alone is asked for by the framework's means, and only its exit code counts.
TEST_F(Rerun, ACaseAlone) {
  FailedTest test = Failed("echo $GTEST_FILTER");
  test.rules.fail_regexes = {"S"};
  PlainRun plain;
  plain.cases = {Framework::kGoogleTest, 2, {Case("S", "A")}};
  const TracedTest traced = Must(Traced(test, {"t:S.A", Case("S", "A"), {}}, plain));
  EXPECT_EQ(traced.end.output, "S.A\n");
  EXPECT_EQ(traced.outcome, TestOutcome::kPassed);
  EXPECT_EQ(traced.run.header().test, "t:S.A");
}

TEST_F(Rerun, AComplaintOfTheRecorderIsAnError) {
  recorder_.complaint = "it cannot";
  const Result<TracedTest> traced = Traced(Failed("exit 1"));
  ASSERT_FALSE(traced.ok());
  EXPECT_EQ(traced.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(traced.error().message, "pretended could not record the program: it cannot");
}

TEST(RerunLauncher, IsTakenOff) {
  EXPECT_EQ(WithoutLauncher({"/x/oscope", "trace", "--", "p"}), Words{"p"});
  EXPECT_EQ(WithoutLauncher({"oscope", "trace", "--test", "t", "--", "p", "--", "q"}), (Words{"p", "--", "q"}));
  for (const Words& command : {Words{"oscope", "trace", "--"}, Words{"oscope", "test", "--", "p"},
                               Words{"other", "trace", "--", "p"}, Words{"oscope", "trace", "p", "q"}, Words{}}) {
    EXPECT_EQ(WithoutLauncher(command), command);
  }
}

class JUnitRunner : public testing::Test {
 protected:
  void Write(const std::string& xml) const { std::ofstream(report_, std::ios::binary) << xml; }
  Result<RunnerOutcome> Run(const Words& command, const std::string& rerun = "run {name}") const {
    return RunJUnit(command, report_, Must(RerunCommand::Parse(rerun)), false, {});
  }

  static constexpr const char* kReport =
      "<testsuite name='S'><testcase classname='S' name='A'><failure message='m'/></testcase><testcase classname='S' "
      "name='B'/>"
      "<testcase classname='S' name='C'><skipped/></testcase></testsuite>";
  TemporaryDirectory directory_;
  std::string report_ = directory_.path("report.xml");
};

TEST_F(JUnitRunner, AReportThatIsThere) {
  Write(kReport);
  const RunnerOutcome outcome = Must(Run({}));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(outcome.problem.ok());
  ASSERT_EQ(outcome.failed.size(), 1u);
  const FailedTest& test = outcome.failed[0];
  EXPECT_EQ(test.name, "S.A");
  EXPECT_EQ(test.rules.command, (Words{"run", "A"}));
  EXPECT_EQ(test.rules.timeout_s, 1500);
  EXPECT_EQ(test.cannot_run, "");
  EXPECT_EQ(test.reported.message, "m");
  Write("<testsuite><testcase name='B'/></testsuite>");
  EXPECT_EQ(Must(Run({})).exit_code, 0);
}

TEST_F(JUnitRunner, WhatTheReportDoesNotTell) {
  Write(kReport);
  EXPECT_EQ(Must(Run({}, "run {file} {name}")).failed.at(0).cannot_run,
            "--rerun asks for {file}, which the report does not have");
  EXPECT_EQ(Must(Run({}, "/x/oscope trace -- run {name}")).failed.at(0).rules.command, (Words{"run", "A"}));
}

TEST_F(JUnitRunner, WithoutACommandABadReportIsAnError) {
  EXPECT_EQ(Run({}).error().code, ErrorCode::kNotFound);
  Write("no report");
  const Result<RunnerOutcome> outcome = Run({});
  ASSERT_FALSE(outcome.ok());
  EXPECT_TRUE(outcome.error().message.starts_with(report_ + ": ")) << outcome.error().message;
}

TEST_F(JUnitRunner, ACommandThatWritesItsReport) {
  const std::string xml = directory_.path("made.xml");
  std::ofstream(xml) << kReport;
  const RunnerOutcome outcome = Must(Run({"/bin/sh", "-c", "cp " + xml + " " + report_ + "; exit 5"}));
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.failed.size(), 1u);
  // Its exit code is what counts, whatever the report says.
  std::filesystem::remove(report_);
  const RunnerOutcome passed = Must(Run({"/bin/sh", "-c", "cp " + xml + " " + report_}));
  EXPECT_EQ(passed.exit_code, 0);
  EXPECT_EQ(passed.failed.size(), 1u);
}

TEST_F(JUnitRunner, ACommandWithoutItsReport) {
  Write(kReport);  // of an earlier run
  const RunnerOutcome failed = Must(Run({"/bin/sh", "-c", "exit 5"}));
  EXPECT_EQ(failed.exit_code, 5);
  EXPECT_TRUE(failed.failed.empty());
  ASSERT_FALSE(failed.problem.ok());
  EXPECT_EQ(failed.problem.error().message, "/bin/sh did not write " + report_);
  const RunnerOutcome passed = Must(Run({"/bin/sh", "-c", "exit 0"}));
  EXPECT_TRUE(passed.problem.ok());
  EXPECT_TRUE(passed.failed.empty());
}

// The report of a command that ran is no error of ours: its exit code is still told.
TEST_F(JUnitRunner, ACommandWithABadReport) {
  const RunnerOutcome outcome = Must(Run({"/bin/sh", "-c", "echo bad > " + report_ + "; exit 5"}));
  EXPECT_EQ(outcome.exit_code, 5);
  ASSERT_FALSE(outcome.problem.ok());
  EXPECT_TRUE(outcome.problem.error().message.starts_with(report_ + ": "));
}

TEST_F(JUnitRunner, ACommandThatASignalEnds) {
  const RunnerOutcome outcome = Must(Run({"/bin/sh", "-c", "kill -9 $$"}));
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  EXPECT_FALSE(Run({directory_.path("nowhere")}).ok());
}

}  // namespace
}  // namespace oscope::cli
