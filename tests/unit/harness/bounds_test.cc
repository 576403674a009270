// What reports, lists of tests and commands say at their bounds, and which of two texts counts.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "tracer/harness/annotation.h"
#include "tracer/harness/ctest_command.h"
#include "tracer/harness/ctest_tests.h"
#include "tracer/harness/failure_message.h"
#include "tracer/harness/framework_cases.h"
#include "tracer/harness/junit.h"
#include "tracer/harness/rerun_command.h"
#include "tracer/harness/test_environment.h"
#include "tracer/harness/test_outcome.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

std::vector<JUnitCase> Parsed(std::string_view xml) {
  Result<std::vector<JUnitCase>> cases = ParseJUnit(xml);
  EXPECT_TRUE(cases.ok()) << cases.error().message;
  return cases.ok() ? *std::move(cases) : std::vector<JUnitCase>{};
}

std::string MessageOf(std::string message, std::string text, std::string output = "", std::string type = "") {
  JUnitCase one;
  one.message = std::move(message);
  one.text = std::move(text);
  one.output = std::move(output);
  one.type = std::move(type);
  return FailureMessage(one);
}

TEST(MessageOfACase, OneThatSaysSomethingCountsWhateverTheTextIs) {
  EXPECT_EQ(MessageOf("assert 1 == 2", "def test_x():\nE   AssertionError\n"), "assert 1 == 2");
  EXPECT_EQ(MessageOf("two\nlines", "x.cc:3: error: other"), "two\nlines");
}

TEST(MessageOfACase, AWordIsTheMessageOnlyWithoutAText) {
  EXPECT_EQ(MessageOf("REQUIRE", "x.cc:3: error: it is 4\n"), "x.cc:3: error: it is 4");
  EXPECT_EQ(MessageOf("REQUIRE", " \t", "printed: error: something"), "REQUIRE");
  EXPECT_EQ(MessageOf("", "x.cc:3: error: it is 4\n", "printed\n"), "x.cc:3: error: it is 4")
      << "the text before the output";
  EXPECT_EQ(MessageOf("", " ", "printed\n", "Type"), "printed") << "the output before the type";
  EXPECT_EQ(MessageOf("", "", "", "Type"), "Type");
}

TEST(MessageOfACase, BoostCountsOnlyWhereItSaysSomething) {
  EXPECT_EQ(MessageOf("failure", "ASSERTION FAILURE:\n- file   : b.cc\nerror: in \"s\": check\n"),
            "error: in \"s\": check")
      << "without its message";
  EXPECT_EQ(MessageOf("", "EXCEPTION STACK TRACE:"), "EXCEPTION STACK TRACE:") << "nothing follows";
  EXPECT_EQ(MessageOf("", "EXCEPTION STACK TRACE:\nlast"), "last");
}

TEST(MessageOfACase, ItsPlaceIsTheMessagesThenTheTextsThenItsOwn) {
  JUnitCase one;
  one.message = "a.cc:1: wrong";
  one.text = "b.cc:2: wrong";
  one.file = "c.cc";
  one.line = 3;
  EXPECT_EQ(FindPlace(one), (SourcePlace{"a.cc", 1}));
  one.message = "wrong";
  EXPECT_EQ(FindPlace(one), (SourcePlace{"b.cc", 2}));
  one.text.clear();
  EXPECT_EQ(FindPlace(one), (SourcePlace{"c.cc", 3}));
  one.file.clear();
  EXPECT_EQ(FindPlace(one), std::nullopt);
}

TEST(MessageOfAnOutput, IsCutAtItsLimitAndOfItsEnd) {
  EXPECT_EQ(FailureMessage("error: " + std::string(5000, 'x')).size(), 4096u);
  EXPECT_EQ(FailureMessage("error: " + std::string(4089, 'x')).size(), 4096u);
  EXPECT_EQ(FailureMessage("error: " + std::string(4090, ' ') + "x\n"), "error:") << "no blanks are left at the cut";
  EXPECT_EQ(FailureMessage("last  \n"), "last");
  std::string far;
  while (far.size() < (size_t{8} << 20)) far.append((size_t{1} << 20) - 1, '-').push_back('\n');
  EXPECT_EQ(FailureMessage("error: early\n" + far + "late words\n"), "late words");
  EXPECT_EQ(FailureMessage("error: early\n" + far.substr(24) + "late words\n"), "error: early")
      << "exactly as much as is searched";
}

TEST(MessageOfAnOutput, HasAsManyLinesAsItsKind) {
  std::string many = "a.cc:3: Failure\n";
  for (int i = 1; i <= 14; ++i) many += fmt::format("line {}\n", i);
  const std::string message = FailureMessage(many);
  EXPECT_TRUE(message.ends_with("line 12")) << message;
  EXPECT_EQ(FailureMessage("a.cc:3: Failure\none\n\ntwo\n"), "a.cc:3: Failure\none") << "a blank line ends it";
  EXPECT_EQ(FailureMessage("a.cc:3: Failure\none\n[  FAILED  ] S.C\n"), "a.cc:3: Failure\none");
  EXPECT_EQ(FailureMessage("Assertion `x' failed\nmore\n"), "Assertion `x' failed") << "an assertion has one line";
  EXPECT_EQ(FailureMessage("thread 'main' panicked at src/a.rs:3\nit is 4\nnote: run with\n"),
            "thread 'main' panicked at src/a.rs:3\nit is 4");
}

TEST(MessageOfAnOutput, TheSurestKindCountsWhereverItStands) {
  const Words kinds = {"prog: Assertion `x' failed.",
                       "terminate called without an active exception",
                       "a.c:1: runtime error: overflow",
                       "b.cc:2: FAILED:",
                       "c.cc(3): error: in \"s\": no",
                       "ValueError: bad",
                       "Exception in thread \"main\" java.x",
                       "it is an error: so",
                       "files differ"};
  for (size_t i = 0; i < kinds.size(); ++i) {
    std::string output;
    for (size_t j = kinds.size(); j-- > i;) output += kinds[j] + "\n\n";
    EXPECT_EQ(FailureMessage(output + "last line\n"), kinds[i]);
  }
}

TEST(LinesForLists, EndInsideNoCharacterAndAtTheirWidth) {
  EXPECT_EQ(Headline("abcdef", 6), "abcdef");
  EXPECT_EQ(Headline("abcdefg", 6), "abcdef…");
  EXPECT_EQ(Headline("ab\xe2\x82\xac", 4), "ab…");
  EXPECT_EQ(Headline("ab\xe2\x82\xac", 5), "ab\xe2\x82\xac");
  EXPECT_EQ(Headline("\t a \r\n b  "), "a b");
  EXPECT_EQ(Headline("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(Headline(std::string(101, 'x')).size(), 100u + std::string("…").size());
  EXPECT_EQ(MessageLine("a.cc:3:\n  what it is"), "a.cc:3: what it is") << "one colon";
}

TEST(JUnitReports, StatesOfEveryDialect) {
  const auto cases = Parsed(
      "<testsuite><testcase name='a' status='fail'/><testcase name='b' result='suppressed'/><testcase name='c' "
      "status='disabled'/>"
      "<testcase name='d' result='skipped'/><testcase name='e' status='run'/>"
      "<testcase name='f' status='notrun'><skipped message='gone'/></testcase>"
      "<testcase name='g'><failure message='first'/><skipped message='second'/></testcase>"
      "<testcase name='h'><skipped/></testcase><testcase name='i' result='skipped'/></testsuite>");
  std::string states;
  for (const JUnitCase& one : cases) states += std::to_string(static_cast<int>(one.state));
  EXPECT_EQ(states, "133203122") << "passed 0, failed 1, skipped 2, not run 3";
  EXPECT_EQ(cases[6].message, "first") << "what is said first stays";
}

TEST(JUnitReports, OnlyTheFirstFailureOfEachCaseIsKept) {
  const auto cases = Parsed(
      "<testsuite name='S'><testcase name='a'><failure message='1' type='t1'>one</failure><error message='2' "
      "type='t2'>two</error></testcase>"
      "<testcase name='b'><error message='3' type='t3'>three</error></testcase>"
      "<error message='4' type='t4'>four</error><error message='5'>five</error></testsuite>");
  std::string told;
  for (const JUnitCase& one : cases)
    told += fmt::format("{} {} {} {}; ", FullName(one), one.message, one.type, one.text);
  EXPECT_EQ(told, "a 1 t1 one; b 3 t3 three; S 4 t4 four; S 5  five; ");
}

TEST(JUnitReports, TextsBelongToTheirElement) {
  const auto cases = Parsed(
      "<testsuite><system-out>of the suite</system-out>between<testcase "
      "name='a'>inside<failure>text<b>inner</b>more</failure>"
      "after<system-out>out</system-out><system-err>err</system-err></testcase><system-err>of the "
      "suite</system-err></testsuite>");
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].text, "textmore");
  EXPECT_EQ(cases[0].output, "outerr");
}

TEST(JUnitReports, TheInnermostSuiteCounts) {
  const auto cases = Parsed(
      "<testsuites><testsuite name='out'><testsuite name='in'><testcase name='a'/></testsuite><testcase "
      "name='b'/></testsuite></testsuites>");
  EXPECT_EQ(cases.at(0).suite, "in");
  EXPECT_EQ(cases.at(1).suite, "out");
  EXPECT_EQ(Parsed("<testcase name='a'/>").at(0).suite, "") << "a case alone is a report";
  EXPECT_EQ(FullName(Parsed("<testcase classname='c'/>").at(0)), "c");
  EXPECT_EQ(FullName(Parsed("<testcase classname='c' name='c'/>").at(0)), "c");
  EXPECT_EQ(FullName(Parsed("<testcase name='n'/>").at(0)), "n");
}

TEST(JUnitReports, NumbersThatAreNoneAreNothing) {
  const auto cases = Parsed(
      "<testsuite><testcase name='a' line='x' time='soon'/><testcase name='b' line='99999999999999999999' "
      "time='1.5'/></testsuite>");
  EXPECT_EQ(cases.at(0).line, 0u);
  EXPECT_EQ(cases.at(0).seconds, 0);
  EXPECT_EQ(cases.at(1).line, 0u);
  EXPECT_EQ(cases.at(1).seconds, 1.5);
}

TEST(JUnitReports, DepthIsTakenUpToItsLimit) {
  const auto nested = [](uint32_t depth) {
    std::string xml;
    for (uint32_t i = 0; i < depth; ++i) xml += "<testsuite>";
    for (uint32_t i = 0; i < depth; ++i) xml += "</testsuite>";
    return xml;
  };
  EXPECT_TRUE(ParseJUnit(nested(kMaxJUnitDepth)).ok());
  const auto deeper = ParseJUnit("\n" + nested(kMaxJUnitDepth + 1));
  ASSERT_FALSE(deeper.ok());
  EXPECT_EQ(deeper.error().code, ErrorCode::kLimit);
  EXPECT_EQ(deeper.error().message, "line 2: elements are nested more than 128 deep");
}

TEST(JUnitReports, TextsAreCutAtTheirLimit) {
  const std::string text(limits::kMaxTextBytes + 100, 'x');
  const auto cases = Parsed("<testsuite><testcase name='a'><failure>" + text + "</failure><system-out>" + text +
                            "</system-out><system-err>e</system-err></testcase></testsuite>");
  EXPECT_EQ(cases.at(0).text.size(), limits::kMaxTextBytes);
  EXPECT_EQ(cases.at(0).output.size(), limits::kMaxTextBytes);
}

// The tests of a listing, of which the first has these properties.
Result<std::vector<CTestTest>> Listed(const std::string& properties) {
  return ParseCTestTests(R"({"kind":"ctestInfo","tests":[{"name":"a","properties":[)" + properties + "]}]}");
}

TEST(ListsOfTests, TruthIsABooleanANumberOrAWord) {
  for (const char* value : {"true", "1", "2.5", "\"ON\"", "\"TRUE\"", "\"YES\"", "\"1\"", "\"Y\""}) {
    const auto tests =
        Listed(fmt::format(R"({{"name":"WILL_FAIL","value":{0}}},{{"name":"RUN_SERIAL","value":{0}}})", value));
    ASSERT_TRUE(tests.ok());
    EXPECT_TRUE(tests->front().will_fail && tests->front().alone) << value;
  }
  for (const char* value : {"false", "0", "\"OFF\"", "\"\"", "\"yes?\"", "null", "[true]"}) {
    const auto tests =
        Listed(fmt::format(R"({{"name":"WILL_FAIL","value":{0}}},{{"name":"RUN_SERIAL","value":{0}}})", value));
    ASSERT_TRUE(tests.ok());
    EXPECT_FALSE(tests->front().will_fail || tests->front().alone) << value;
  }
}

TEST(ListsOfTests, WhatMakesATestAloneIsNotTakenBack) {
  EXPECT_TRUE(Listed(R"({"name":"RESOURCE_LOCK","value":["db"]},{"name":"RUN_SERIAL","value":false})")->front().alone);
  EXPECT_TRUE(Listed(R"({"name":"RUN_SERIAL","value":true},{"name":"RESOURCE_LOCK","value":[]})")->front().alone);
  EXPECT_FALSE(Listed(R"({"name":"RESOURCE_LOCK","value":[]})")->front().alone);
}

TEST(ListsOfTests, ValuesOfAnotherKindArePassedOver) {
  const auto tests = Listed(
      R"({"name":"TIMEOUT","value":"9"},{"name":"SKIP_RETURN_CODE","value":"77"},{"name":"WORKING_DIRECTORY","value":7},
      {"name":"PASS_REGULAR_EXPRESSION","value":"one"},{"name":"ENVIRONMENT","value":["A=1",7]},{"name":"FIXTURES_SETUP","value":["s"]},
      {"name":"FIXTURES_CLEANUP","value":["c"]},{"name":"FIXTURES_REQUIRED","value":["r"]})");
  ASSERT_TRUE(tests.ok()) << tests.error().message;
  const CTestTest& test = tests->front();
  EXPECT_EQ(test.timeout_s, std::nullopt);
  EXPECT_EQ(test.skip_return_code, std::nullopt);
  EXPECT_EQ(test.working_directory, "");
  EXPECT_EQ(test.pass_regexes, Words{"one"});
  EXPECT_EQ(test.environment, Words{"A=1"});
  EXPECT_EQ(test.fixtures_setup, Words{"s"});
  EXPECT_EQ(test.fixtures_cleanup, Words{"c"});
  EXPECT_EQ(test.fixtures_required, Words{"r"});
}

TEST(ListsOfTests, EachFaultIsNamed) {
  const auto message = [](const std::string& json) {
    const auto tests = ParseCTestTests(json);
    return tests.ok() ? "none" : tests.error().message;
  };
  const std::string head = R"({"kind":"ctestInfo","tests":)";
  EXPECT_EQ(message(head + "[{}]}"), "a test without a name");
  EXPECT_EQ(message(head + R"([{"name":"a","properties":{}}]})"), "test a: its properties are no list");
  for (const char* property : {"1", R"({"value":1})", R"({"name":1,"value":1})", R"({"name":"X"})"}) {
    EXPECT_EQ(message(head + R"([{"name":"a","properties":[)" + property + "]}]}"),
              "test a: a property without name and value")
        << property;
  }
  EXPECT_EQ(message(R"({"kind":"ctestInfo","version":{"major":2},"tests":[]})"),
            "ctest prints version 2 of its list of tests; version 1 is known");
  EXPECT_EQ(message(R"({"kind":"ctestInfo","version":{"minor":2},"tests":[]})"), "none");
  EXPECT_EQ(message(R"({"kind":"other","tests":[]})"), "not what ctest --show-only=json-v1 prints");
}

TEST(ListsOfTests, ACleanUpIsNoOneOfItself) {
  std::vector<CTestTest> all(3);
  all[0].name = "both";
  all[0].fixtures_required = all[0].fixtures_cleanup = all[0].fixtures_setup = {"F"};
  all[1].name = "setup";
  all[1].fixtures_setup = {"F", "G"};
  all[2].name = "cleanup";
  all[2].fixtures_cleanup = {"G"};
  ASSERT_EQ(SetupsOf(all[0], all).size(), 1u) << "a test does not set itself up";
  EXPECT_EQ(SetupsOf(all[0], all)[0]->name, "setup");
  ASSERT_EQ(CleanupsOf(all[0], all).size(), 1u) << "what the set-up set up besides is cleaned up, too";
  EXPECT_EQ(CleanupsOf(all[0], all)[0]->name, "cleanup");
}

TEST(TestOutcomes, ReasonsOfExpressions) {
  CTestTest rules;
  rules.fail_regexes = {"bad"};
  rules.pass_regexes = {"good"};
  TestEnd end;
  end.output = "bad and good";
  EXPECT_EQ(Reason(end, &rules), "the output has what FAIL_REGULAR_EXPRESSION forbids");
  end.output = "neither";
  EXPECT_EQ(Reason(end, &rules), "the output lacks what PASS_REGULAR_EXPRESSION asks for");
  end.output = "good";
  EXPECT_EQ(Reason(end, &rules), "");
  CTestTest plain;
  end.exit_code = 4;
  EXPECT_EQ(Reason(end, &plain), "exit code 4");
  end.timed_out = true;
  end.seconds = 1.23456;
  EXPECT_EQ(Reason(end, &plain), "timed out after 1.23 s") << "rules without a time-out";
  end = {};
  end.signal = 200;
  EXPECT_EQ(Reason(end, &plain), "signal 200");
  plain.skip_return_code = 4;
  end = {};
  end.exit_code = 4;
  EXPECT_EQ(TestOutcomeOf(end, &plain), TestOutcome::kSkipped);
  EXPECT_EQ(Reason(end, &plain), "");
  end.signal = SIGTERM;
  EXPECT_EQ(TestOutcomeOf(end, &plain), TestOutcome::kFailed) << "a signal is no exit code";
}

TEST(Annotations, RootItselfAndRelativePlaces) {
  const auto of = [](const char* file, uint64_t line) {
    return GitHubAnnotation(AnnotationLevel::kError, "t", "m", SourcePlace{file, line}, "/src");
  };
  EXPECT_EQ(of("/src/./a/../b.cc", 2), "::error file=b.cc,line=2,title=t::m");
  EXPECT_EQ(of("a/../../b.cc", 2), "::error title=t::m");
  EXPECT_EQ(of("/source/b.cc", 2), "::error title=t::m") << "a name that only begins as the root does";
}

TEST(CTestCommands, EveryOtherModeIsRefused) {
  for (const char* word : {"-S",
                           "--script",
                           "-SP",
                           "--script-new-process",
                           "-D",
                           "--dashboard",
                           "-M",
                           "--test-model",
                           "--build-and-test",
                           "-N",
                           "--show-only",
                           "--print-labels",
                           "--list-presets",
                           "--help",
                           "-h",
                           "-H",
                           "--version",
                           "-version",
                           "/V",
                           "--script=x"}) {
    const auto command = CTestCommand::Parse({"ctest", "-j2", word});
    ASSERT_FALSE(command.ok()) << word;
    EXPECT_NE(command.error().message.find(word), std::string::npos);
  }
  EXPECT_FALSE(CTestCommand::Parse({}).ok());
  EXPECT_TRUE(CTestCommand::Parse({"ctest", "-Ssomething"}).ok())
      << "an option with one dash takes no value in its own word";
}

TEST(CTestCommands, OptionsWithTheirValuesInOneWord) {
  const CTestCommand command = *CTestCommand::Parse(
      {"ctest3", "--output-junit=mine.xml", "--output-log=l", "--quiet", "-O", "x", "--output-log", "y", "-R", "a"});
  EXPECT_EQ(command.own_report(), "mine.xml");
  EXPECT_EQ(command.DryRun(), (Words{"ctest3", "-R", "a", "-N"}));
  EXPECT_EQ(command.Version(), (Words{"ctest3", "--version"}));
  EXPECT_EQ(CTestCommand::Parse({"ctest", "--output-junit"})->own_report(), std::nullopt) << "no value follows";
}

TEST(CTestCommands, VersionsAroundTheFirstWithReports) {
  for (const char* text : {"ctest version 3.21", "ctest version 3.100.1", "ctest version 4.0", "ctest version 10.1"})
    EXPECT_TRUE(WritesReports(text)) << text;
  for (const char* text :
       {"ctest version 3.20", "ctest version 3.2", "ctest version 2.99", "ctest version 4", "ctest version x.30", ""})
    EXPECT_FALSE(WritesReports(text)) << text;
  EXPECT_EQ(ParseLastTestsFailed("1:a\r\n2:\n:b"), (Words{"a", "b"}));
  EXPECT_EQ(BuildDirectory("Test project /b\r\nrest"), "/b");
  EXPECT_EQ(BuildDirectory("a Test project /b\n"), std::nullopt);
}

TEST(RerunCommands, BracesThatAreDoubledAreOrdinary) {
  JUnitCase one;
  one.name = "n";
  one.suite = "s";
  EXPECT_EQ(RerunCommand::Parse("run {{{name}}} {suite}")->For(one), (Words{"run", "{n}", "s"}));
  EXPECT_EQ(RerunCommand::Parse("run {name} }")->For(one), (Words{"run", "n", "}"}));
  EXPECT_EQ(*SplitWords(R"("a\b" a\)"), (Words{R"(a\b)", R"(a\)"})) << "a backslash at the end is itself";
  EXPECT_EQ(*SplitWords(R"("\$\`\\" '')"), (Words{"$`\\", ""}));
}

TEST(TestEnvironments, ANameAloneUnsetsAndAnEmptyListHasNoSeparator) {
  Environment environment = {"A=1", "E=", "AB=2"};
  ASSERT_TRUE(ModifyEnvironment(environment, {"A"},
                                {"E=path_list_append:/x", "N=cmake_list_prepend:y", "R=set:1", "R=reset:", "AB=reset:"})
                  .ok());
  EXPECT_EQ(GetVariable(environment, "A"), std::nullopt);
  EXPECT_EQ(GetVariable(environment, "E"), "/x");
  EXPECT_EQ(GetVariable(environment, "N"), "y");
  EXPECT_EQ(GetVariable(environment, "R"), std::nullopt) << "it was not there before";
  EXPECT_EQ(GetVariable(environment, "AB"), "2");
  EXPECT_EQ(GetVariable({"AB=2", "A"}, "A"), std::nullopt);
}

class ReportFiles : public testing::Test {
 protected:
  ReportFiles() {
    std::string name = testing::TempDir() + "oscope-reports-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~ReportFiles() override { std::filesystem::remove_all(directory_); }
  void Write(const char* name, std::string_view text) const { std::ofstream(directory_ + "/" + name) << text; }
  std::string Told(std::string_view output = "") const {
    const FailingCases cases = ReadReports(directory_, output);
    std::string told = fmt::format("{} {}:", FrameworkName(cases.framework), cases.cases_run);
    for (const JUnitCase& one : cases.failing) told += " " + CaseName(cases.framework, one);
    return told;
  }
  std::string directory_;
};

TEST_F(ReportFiles, AllOfThemCountInTheOrderOfTheirNames) {
  Write("b.xml", "<testsuite><testcase classname='S' name='b'><failure/></testcase><testcase name='ok'/></testsuite>");
  Write("a.xml",
        "<testsuite><testcase classname='S' name='a'><failure/></testcase><testcase "
        "name='skipped'><skipped/></testcase></testsuite>");
  Write("c.txt", "<testsuite><testcase classname='S' name='c'><failure/></testcase></testsuite>");
  Write("d.xml", "<testsuite/>");
  EXPECT_EQ(Told("[ RUN      ] S.d\n"), "GoogleTest 3: S.a S.b");
}

TEST_F(ReportFiles, OfBoostHasPaths) {
  Write("boost.xml",
        "<testsuite><testcase classname='a.b' name='c'><failure/></testcase><testcase "
        "name='top'><error/></testcase></testsuite>");
  EXPECT_EQ(Told(), "Boost.Test 2: a/b/c top");
}

TEST_F(ReportFiles, WhatWasPrintedCountsWithoutThem) {
  EXPECT_EQ(Told("[ RUN      ] S.a\nwords\n[       OK ] S.a (0 ms)\n[ RUN      ] S.b\n[  SKIPPED ] S.b (0 ms)\n[ RUN   "
                 "   ] S.c\n[  FAILED  ] S.c (1 ms)\n"
                 "[  FAILED  ] S.listed\n[ RUN      ] S.d\n[       OK ] S.other (0 ms)\nlast words"),
            "GoogleTest 0: S.c S.d");
  const FailingCases cases = ReadReports(directory_,
                                         "noise\n[ RUN      ] S.a\none\n[       OK ] S.a\nnoise\n[ RUN      ] "
                                         "S.b\ntwo\n[  FAILED  ] S.b\nnoise\n[ RUN      ] C\nthree");
  ASSERT_EQ(cases.failing.size(), 2u);
  EXPECT_EQ(cases.failing[0].text, "two\n");
  EXPECT_EQ(cases.failing[0].state, CaseState::kFailed);
  EXPECT_EQ(cases.failing[1].text, "three\n");
  EXPECT_EQ(CaseName(cases.framework, cases.failing[1]), "C");
}

TEST_F(ReportFiles, TheUsersLoggerOfBoostStays) {
  const TestInvocation asked = AskForReports(
      {{"t", "--gtest_outputs=x", "-gtest_output=json:y"}, {"BOOST_TEST_LOGGER=mine", "GTEST_OUTPUT=z"}}, "/d");
  EXPECT_EQ(asked.command, (Words{"t", "--gtest_outputs=x", "--gtest_output=xml:/d/"}));
  EXPECT_EQ(asked.environment, (Words{"BOOST_TEST_LOGGER=mine", "GTEST_OUTPUT=xml:/d/"}));
  const TestInvocation plain = AskForReports({{"t"}, {}}, "/d");
  EXPECT_EQ(plain.command, Words{"t"}) << "the variable is enough";
  EXPECT_EQ(plain.environment,
            (Words{"GTEST_OUTPUT=xml:/d/", "BOOST_TEST_LOGGER=HRF,error,stdout:JUNIT,error,/d/boost.xml"}));
}

TEST_F(ReportFiles, ACaseAloneNeedsNoShardAndNothingOfAnUnknownFramework) {
  JUnitCase one;
  one.classname = "S";
  one.name = "C";
  const TestInvocation google =
      OnlyCase({{"t"}, {"GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX=0", "GTEST_SHARD_STATUS_FILE=f", "GTEST_FILTER=x"}},
               Framework::kGoogleTest, one);
  EXPECT_EQ(google.environment, Words{"GTEST_FILTER=S.C"});
  const TestInvocation unknown =
      OnlyCase({{"t", "-t", "--gtest_filter=a"}, {"GTEST_FILTER=x"}}, Framework::kUnknown, one);
  EXPECT_EQ(unknown.command, (Words{"t", "-t", "--gtest_filter=a"}));
  EXPECT_EQ(unknown.environment, Words{"GTEST_FILTER=x"});
  EXPECT_EQ(OnlyCase({{"-t", "a", "-t", "b", "c"}, {}}, Framework::kBoostTest, one).command, (Words{"-t", "a", "c"}))
      << "the program's name is no option";
}

}  // namespace
}  // namespace oscope
