#include "tracer/harness/framework_cases.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/subprocess.h"
#include "tracer/harness/failure_message.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

class FrameworkCases : public testing::Test {
 protected:
  FrameworkCases() {
    std::string name = testing::TempDir() + "oscope-cases-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~FrameworkCases() override { std::filesystem::remove_all(directory_); }

  // Runs the sample as it was asked for, by env(1), which sets the variables.
  SubprocessOutput Run(const TestInvocation& invocation) {
    SubprocessOptions options;
    options.argv = {"env", "-i"};
    options.argv.insert(options.argv.end(), invocation.environment.begin(), invocation.environment.end());
    options.argv.insert(options.argv.end(), invocation.command.begin(), invocation.command.end());
    options.timeout = std::chrono::seconds(30);
    Result<SubprocessOutput> output = RunSubprocess(options);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return *std::move(output);
  }

  static Words Names(const FailingCases& cases) {
    Words names;
    for (const JUnitCase& one : cases.failing) names.push_back(CaseName(cases.framework, one));
    return names;
  }

  std::string directory_;
};

TEST_F(FrameworkCases, AReportTellsTheCases) {
  const TestInvocation sample{{OSCOPE_SAMPLE_CASES, "--gtest_filter=-Zcrash.*"}, {}};
  const SubprocessOutput output = Run(AskForReports(sample, directory_));
  const FailingCases cases = ReadReports(directory_, "");
  EXPECT_EQ(cases.framework, Framework::kGoogleTest);
  EXPECT_EQ(cases.cases_run, 5u);
  ASSERT_EQ(Names(cases), (Words{"Sample.Expects", "Sample.Throws", "Two/Numbers.Even/1"}));
  EXPECT_NE(cases.failing[0].message.find("a <b> & c"), std::string::npos);
  // Its own output is enough, too.
  EXPECT_EQ(Names(ReadReports(directory_ + "/none", output.out)), Names(cases));

  // Each alone, in place of the filter that was there.
  for (const JUnitCase& one : cases.failing) {
    const SubprocessOutput alone = Run(OnlyCase(sample, cases.framework, one));
    EXPECT_EQ(alone.exit_code, 1);
    EXPECT_NE(alone.out.find("Running 1 test from"), std::string::npos) << alone.out;
    EXPECT_NE(alone.out.find("[  FAILED  ] " + FullName(one)), std::string::npos) << alone.out;
  }
}

TEST_F(FrameworkCases, ACrashLeavesNoReport) {
  const TestInvocation sample{{OSCOPE_SAMPLE_CASES, "--gtest_output=xml:" + directory_ + "/mine/"}, {}};
  const SubprocessOutput output = Run(AskForReports(sample, directory_));
  EXPECT_EQ(output.signal, SIGABRT);
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/mine"));  // the user's own report is not written again
  const FailingCases cases = ReadReports(directory_, output.out);
  EXPECT_EQ(cases.framework, Framework::kGoogleTest);
  ASSERT_EQ(Names(cases), (Words{"Sample.Expects", "Sample.Throws", "Zcrash.Aborts"}));
  EXPECT_EQ(cases.failing.back().text, "about to abort\n");
  EXPECT_EQ(Run(OnlyCase(sample, cases.framework, cases.failing.back())).signal, SIGABRT);
}

TEST_F(FrameworkCases, AProgramOfNoFramework) {
  const FailingCases cases = ReadReports(directory_, "FAILED\n[  FAILED  ] x\n");
  EXPECT_EQ(cases.framework, Framework::kUnknown);
  EXPECT_TRUE(cases.failing.empty());
}

TEST_F(FrameworkCases, AReportThatIsNoneIsAsIfItWereNotThere) {
  std::ofstream(directory_ + "/a.xml") << "<testsuites><testsuite";
  EXPECT_EQ(ReadReports(directory_, "").framework, Framework::kUnknown);
}

TEST_F(FrameworkCases, OptionsOnTheCommandLineAreReplaced) {
  JUnitCase one;
  one.classname = "S";
  one.name = "C/0";
  TestInvocation google{{"--gtest_filter=program", "-gtest_filter=a", "--gtest_filter=b", "--gtest_filterx=c", "d"},
                        {"GTEST_TOTAL_SHARDS=4", "GTEST_SHARD_INDEX=1"}};
  google = OnlyCase(google, Framework::kGoogleTest, one);
  EXPECT_EQ(google.command, (Words{"--gtest_filter=program", "--gtest_filterx=c", "d"}));
  EXPECT_EQ(google.environment, Words{"GTEST_FILTER=S.C/0"});

  one.classname = "outer.inner";
  one.name = "case";
  TestInvocation boost{{"t", "--run_test=x", "-t", "y", "--run_test", "z", "--log_level=all"}, {}};
  boost = OnlyCase(boost, Framework::kBoostTest, one);
  EXPECT_EQ(boost.command, (Words{"t", "--log_level=all"}));
  EXPECT_EQ(boost.environment, Words{"BOOST_TEST_RUN_FILTERS=outer/inner/case"});
}

TEST_F(FrameworkCases, BoostTest) {
  const TestInvocation sample{{OSCOPE_SAMPLE_BOOST_CASES, "--run_test=*"}, {}};
  Run(AskForReports(sample, directory_));
  const FailingCases cases = ReadReports(directory_, "");
  EXPECT_EQ(cases.framework, Framework::kBoostTest);
  EXPECT_EQ(cases.cases_run, 3u);
  ASSERT_EQ(Names(cases), (Words{"outer/inner/bad", "throws"}));
  EXPECT_EQ(FailureMessage(cases.failing[0]), "check 1 == 2 has failed [1 != 2]");
  EXPECT_EQ(FailureMessage(cases.failing[1]), "std::runtime_error: thrown");
  for (const JUnitCase& one : cases.failing) {
    const SubprocessOutput alone = Run(OnlyCase(sample, cases.framework, one));
    EXPECT_EQ(alone.exit_code, 201);
    EXPECT_NE(alone.out.find("Running 1 test case"), std::string::npos) << alone.out;
  }
}

}  // namespace
}  // namespace oscope
