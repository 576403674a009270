// What `oscope test` tells of each failed test: texts, annotations and JSON, whole.
#include "cli/testing/test_report.h"

#include <gtest/gtest.h>

#include "cli/options/options.h"

namespace oscope::cli {
namespace {

class ReportOfTests : public testing::Test {
 protected:
  // What is printed when the results are added and the report is finished.
  std::string Told(std::vector<TestResult> results, bool annotate = false, size_t left = 0, bool finish = true) {
    testing::internal::CaptureStdout();
    TestReport report(context_, annotate);
    for (TestResult& result : results) report.Add(std::move(result));
    if (finish) report.Finish(8, left);
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout();
  }
  std::string ToldOf(TestResult result, bool annotate = false) {
    std::vector<TestResult> results;
    results.push_back(std::move(result));
    return Told(std::move(results), annotate, 0, false);
  }
  Json AsJson(std::vector<TestResult> results, size_t left = 0) {
    context_.options.json = true;
    TestReport report(context_, false);
    for (TestResult& result : results) report.Add(std::move(result));
    return report.AsJson(8, left);
  }

  static TestResult Recorded(const std::string& test, const std::string& fingerprint = "") {
    TestResult result{.test = test, .verdict = TestVerdict::kRecorded, .message = "1 is not 2"};
    result.fingerprint = fingerprint;
    result.events = 3;
    return result;
  }
  static TestResult WithBug(const std::string& id, const std::string& fingerprint = "") {
    TestResult result = Recorded("t" + id, fingerprint);
    result.bug = RunDecision{.fate = RunFate::kJoined, .bug = {"demo", id}};
    return result;
  }
  static SimilarAnswer Finds(const std::string& id, std::optional<uint64_t> distance) {
    SimilarAnswer answer;
    SimilarBug& bug = answer.bugs.emplace_back();
    bug.report.key = {"demo", id};
    bug.distance = distance;
    return answer;
  }

  Options root_;
  Context context_{root_};
};

TEST_F(ReportOfTests, WhatWasNotRecordedSaysWhy) {
  EXPECT_EQ(ToldOf({.test = "t\x1b", .verdict = TestVerdict::kNotRun, .why = "no \x1b\nprogram"}),
            "\nt\\x1b: not run\n  no \\x1b\n  program\n");
  EXPECT_EQ(ToldOf({.test = "t", .verdict = TestVerdict::kFlaky, .why = "it passes", .message = "1 is\nnot 2"}),
            "\nt: flaky\n  it passes\n  1 is\n  not 2\n");
  EXPECT_EQ(ToldOf({.test = "t", .verdict = TestVerdict::kNotReproduced}), "\nt: not reproduced under the recorder\n");
  TestResult noted{.test = "t", .verdict = TestVerdict::kNotRun};
  noted.notes = {"one", "two"};
  EXPECT_EQ(ToldOf(std::move(noted)), "\nt: not run\n  one\n  two\n");
}

TEST_F(ReportOfTests, WhatWasRecordedSaysWhereItIs) {
  EXPECT_EQ(ToldOf(Recorded("t")), "\nt: recorded, not kept, 3 events\n  1 is not 2\n");
  TestResult file = Recorded("t");
  file.file = "runs/t.osct";
  file.events = 1;
  file.notes = {"a note"};
  EXPECT_EQ(ToldOf(std::move(file)), "\nt: runs/t.osct, 1 event\n  1 is not 2\n  a note\n");
  TestResult made = WithBug("1");
  made.file = "not told";
  made.bug->fate = RunFate::kNew;
  EXPECT_EQ(ToldOf(std::move(made)),
            "\nt1: demo-1 (new), 3 events\n  1 is not 2\n`oscope show bug demo-1` and `oscope similar demo-1 "
            "--explain` tell more\n");
  TestResult reopened = WithBug("1");
  reopened.bug->fate = RunFate::kReopened;
  reopened.bug->resolved = BugKey{"demo", "9"};
  EXPECT_EQ(ToldOf(std::move(reopened)),
            "\nt1: demo-1 (reopened), 3 events\n  1 is not 2\n"
            "  demo-9 had this failure and is resolved: is it back? `oscope bug reopen demo-9`, or --reopen next time\n"
            "`oscope show bug demo-1` and `oscope similar demo-1 --explain` tell more\n");
}

TEST_F(ReportOfTests, ThePlaceIsToldUnlessTheMessageHasIt) {
  TestResult placed = Recorded("t");
  placed.place = SourcePlace{"a.cc", 3};
  EXPECT_EQ(ToldOf(std::move(placed)), "\nt: recorded, not kept, 3 events\n  a.cc:3\n  1 is not 2\n");
  TestResult said = Recorded("t");
  said.place = SourcePlace{"a.cc", 3};
  said.message = "a.cc:3: 1 is not 2";
  EXPECT_EQ(ToldOf(std::move(said)), "\nt: recorded, not kept, 3 events\n  a.cc:3: 1 is not 2\n");
  TestResult without_line = Recorded("t");
  without_line.place = SourcePlace{"a.cc", 0};
  EXPECT_EQ(ToldOf(std::move(without_line)), "\nt: recorded, not kept, 3 events\n  a.cc\n  1 is not 2\n");
}

TEST_F(ReportOfTests, WhatCouldNotBeKeptIsTold) {
  TestResult lost = Recorded("t");
  lost.error = IoError(ENOSPC, "write", "x");
  EXPECT_EQ(Told({}), "");
  std::vector<TestResult> results;
  results.push_back(lost);
  EXPECT_EQ(Told(results),
            "\nt: recorded, not kept, 3 events\n  1 is not 2\n  not kept: write x: No space left on device\n\n1 "
            "recorded (1 of them not kept)\n");
  TestReport report(context_, false);
  EXPECT_EQ(report.not_kept(), 0u);
  testing::internal::CaptureStdout();
  report.Add(lost);
  report.Add(Recorded("u"));
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(report.not_kept(), 1u);
}

TEST_F(ReportOfTests, SimilarBugsAreShown) {
  TestResult result = WithBug("1");
  result.similar = Finds("7", 2);
  result.similar->bugs[0].report.title = "An old one";
  const std::string told = ToldOf(std::move(result));
  EXPECT_NE(told.find("demo-7"), std::string::npos) << told;
  EXPECT_NE(told.find("An old one"), std::string::npos) << told;
}

TEST_F(ReportOfTests, Annotations) {
  EXPECT_EQ(ToldOf({.test = "t", .verdict = TestVerdict::kFlaky, .why = "it passes"}, true),
            "\nt: flaky\n  it passes\n::warning title=t::flaky: it passes\n");
  EXPECT_EQ(ToldOf({.test = "t", .verdict = TestVerdict::kNotRun, .why = "no program"}, true),
            "\nt: not run\n  no program\n::error title=t::not run: no program\n");
  EXPECT_EQ(ToldOf(Recorded("t"), true),
            "\nt: recorded, not kept, 3 events\n  1 is not 2\n::error title=t::1 is not 2\n");
  TestResult placed = WithBug("1");
  placed.place = SourcePlace{"a.cc", 3};
  EXPECT_EQ(ToldOf(std::move(placed), true),
            "\nt1: demo-1, 3 events\n  a.cc:3\n  1 is not 2\n`oscope show bug demo-1` and `oscope similar demo-1 "
            "--explain` tell more\n"
            "::error file=a.cc,line=3,title=t1 (demo-1)::1 is not 2\n");
}

TEST_F(ReportOfTests, TheEndCounts) {
  std::vector<TestResult> results;
  results.push_back(Recorded("a"));
  results.push_back({.test = "b", .verdict = TestVerdict::kFlaky});
  results.push_back({.test = "c", .verdict = TestVerdict::kFlaky});
  results.push_back({.test = "d", .verdict = TestVerdict::kNotReproduced});
  results.push_back({.test = "e", .verdict = TestVerdict::kNotRun});
  const std::string told = Told(results, false, 4);
  EXPECT_TRUE(told.ends_with(
      "\n1 recorded, 2 flaky, 1 not reproduced under the recorder, 1 not run, 4 left out (--max-failures)\n"))
      << told;
  EXPECT_EQ(Told({}, false, 1), "\n0 recorded, 1 left out (--max-failures)\n");
}

TEST_F(ReportOfTests, FilesAreToldHowToImport) {
  for (const auto& [file, words] : {std::pair{"runs/t.osct", "runs"}, std::pair{"my runs/t.osct", "'my runs'"},
                                    std::pair{"it's/t.osct", "'it'\\''s'"}}) {
    std::vector<TestResult> results;
    results.push_back(Recorded("a"));
    results.push_back(Recorded("t"));
    results[1].file = file;
    const std::string told = Told(std::move(results));
    EXPECT_TRUE(told.ends_with(fmt::format("\n2 recorded\n`oscope import {}/*.osct` takes them into a store\n", words)))
        << told;
  }
}

std::string LastLine(std::string text) {
  text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

TEST_F(ReportOfTests, WhatFailsAlikeIsTold) {
  std::vector<TestResult> same;
  for (const char* id : {"1", "2", "3"}) same.push_back(WithBug(id, std::string(id) == "2" ? "other" : "f"));
  EXPECT_EQ(LastLine(Told(same)), "2 of these fail alike: demo-1, demo-3");
  // Without a fingerprint nothing is alike, and what was not recorded is not counted.
  std::vector<TestResult> none;
  none.push_back(Recorded("a"));
  none.push_back(Recorded("b"));
  none.push_back(Recorded("c", "f"));
  none.push_back({.test = "d", .verdict = TestVerdict::kFlaky});
  none.back().fingerprint = "f";
  EXPECT_EQ(LastLine(Told(none)), "3 recorded, 1 flaky");
  // Without bugs the tests are named.
  std::vector<TestResult> files;
  files.push_back(Recorded("a", "f"));
  files.push_back(Recorded("b", "f"));
  EXPECT_EQ(LastLine(Told(files)), "2 of these fail alike: a, b");
}

TEST_F(ReportOfTests, AlikeByWhatTheSearchFinds) {
  for (const std::optional<uint64_t> distance :
       {std::optional<uint64_t>(0), std::optional<uint64_t>(1), std::optional<uint64_t>()}) {
    std::vector<TestResult> results;
    results.push_back(WithBug("1", "f"));
    results.push_back(WithBug("2", "g"));
    results[1].similar = Finds("1", distance);
    const Json alike = AsJson(results)["alike"];
    EXPECT_EQ(alike.size(), distance == 0u ? 1u : 0u);
    // The other way round: the first has found the second.
    std::vector<TestResult> turned;
    turned.push_back(WithBug("1", "f"));
    turned.push_back(WithBug("2", "g"));
    turned[0].similar = Finds("2", distance);
    EXPECT_EQ(AsJson(turned)["alike"].size(), distance == 0u ? 1u : 0u);
    turned[0].similar = Finds("3", distance);
    EXPECT_EQ(AsJson(turned)["alike"].size(), 0u);
  }
}

// The last is what two groups have in common.
TEST_F(ReportOfTests, TwoGroupsBecomeOne) {
  std::vector<TestResult> results;
  results.push_back(WithBug("1", "f"));
  results.push_back(WithBug("2", "g"));
  results.push_back(WithBug("3", "f"));
  results[2].similar = Finds("2", 0);
  const Json alike = AsJson(results)["alike"];
  ASSERT_EQ(alike.size(), 1u);
  EXPECT_EQ(alike[0]["tests"].size(), 3u);
  EXPECT_EQ(alike[0]["bugs"].dump(), R"(["demo-1","demo-2","demo-3"])");
}

TEST_F(ReportOfTests, TenAreNamed) {
  std::vector<TestResult> results;
  for (int i = 1; i <= 10; ++i) results.push_back(WithBug(std::to_string(i), "f"));
  EXPECT_EQ(LastLine(Told(results)),
            "10 of these fail alike: demo-1, demo-2, demo-3, demo-4, demo-5, demo-6, demo-7, demo-8, demo-9, demo-10");
  results.push_back(WithBug("11", "f"));
  EXPECT_EQ(
      LastLine(Told(results)),
      "11 of these fail alike: demo-1, demo-2, demo-3, demo-4, demo-5, demo-6, demo-7, demo-8, demo-9, demo-10, …");
}

TEST_F(ReportOfTests, JsonOfLittle) {
  EXPECT_EQ(AsJson({}, 2).dump(), R"({"exit_code":8,"left_out":2,"tests":[],"alike":[]})");
  std::vector<TestResult> results;
  results.push_back({.test = "t", .verdict = TestVerdict::kNotRun});
  EXPECT_EQ(AsJson(results)["tests"].dump(), R"([{"test":"t","verdict":"not-run","similar":[],"notes":[]}])");
}

TEST_F(ReportOfTests, JsonOfEverything) {
  TestResult result = WithBug("1", "f");
  result.why = "why";
  result.outcome = Outcome::kFailed;
  result.reason = "exit";
  result.place = SourcePlace{"a.cc", 3};
  result.run = RunId{};
  result.file = "x.osct";
  result.bug->fate = RunFate::kNew;
  result.bug->resolved = BugKey{"demo", "9"};
  result.notes = {"n"};
  result.error = IoError(ENOSPC, "write", "x");
  std::vector<TestResult> results;
  results.push_back(std::move(result));
  EXPECT_EQ(
      AsJson(std::move(results))["tests"][0].dump(),
      R"({"test":"t1","verdict":"recorded","why":"why","outcome":"failed","reason":"exit","message":"1 is not 2","place":{"file":"a.cc","line":3},)"
      R"("fingerprint":"f","run":"00000000000000000000000000000000","events":3,"file":"x.osct","bug":"demo-1","bug_is_new":true,"reopened":false,)"
      R"("resolved_bug":"demo-9","similar":[],"notes":["n"],"error":{"code":"io","message":"write x: No space left on device"}})");
  for (const auto& [verdict, name] :
       {std::pair{TestVerdict::kRecorded, "recorded"}, std::pair{TestVerdict::kFlaky, "flaky"},
        std::pair{TestVerdict::kNotReproduced, "not-reproduced"}, std::pair{TestVerdict::kNotRun, "not-run"}}) {
    EXPECT_EQ(TestVerdictName(verdict), name);
  }
}

// With --json nothing is told before the end, and then all of it.
TEST_F(ReportOfTests, JsonIsOneDocument) {
  context_.options.json = true;
  std::vector<TestResult> results;
  results.push_back({.test = "t", .verdict = TestVerdict::kFlaky, .why = "it passes"});
  EXPECT_EQ(Told(results, true, 0, false), "");
  const Json told = Json::parse(Told(results, true, 1));
  EXPECT_EQ(told["exit_code"], 8);
  EXPECT_EQ(told["left_out"], 1);
  EXPECT_EQ(told["tests"][0]["why"], "it passes");
}

}  // namespace
}  // namespace oscope::cli
