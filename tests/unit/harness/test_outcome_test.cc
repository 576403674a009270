#include "tracer/harness/test_outcome.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/subprocess.h"
#include "tracer/harness/ctest_tests.h"
#include "tracer/harness/junit.h"

namespace oscope {
namespace {

TEST(TestOutcomes, ReasonsForPeople) {
  TestEnd end;
  EXPECT_EQ(Reason(end, nullptr), "");
  end.exit_code = 3;
  EXPECT_EQ(Reason(end, nullptr), "exit code 3");
  end.signal = SIGSEGV;
  EXPECT_EQ(Reason(end, nullptr), "SIGSEGV (Segmentation fault)");
  end = {};
  end.timed_out = true;
  end.seconds = 5;
  EXPECT_EQ(Reason(end, nullptr), "timed out after 5 s");
  CTestTest rules;
  rules.timeout_s = 1500;
  EXPECT_EQ(Reason(end, &rules), "timed out after 1500 s");
  rules.will_fail = true;
  EXPECT_EQ(Reason({}, &rules), "it passed, and WILL_FAIL says that it must not");
}

// CTest is the oracle: each script is run by it and by us, with each combination of properties.
struct Sample {
  std::string script, properties;
};

std::vector<Sample> Samples() {
  const char* scripts[] = {"echo good",     "echo good; exit 3", "echo bad; exit 0", "echo good; echo bad; exit 77",
                           "kill -SEGV $$", "sleep 20"};
  const char* properties[] = {"",
                              "WILL_FAIL 1",
                              "PASS_REGULAR_EXPRESSION good",
                              "PASS_REGULAR_EXPRESSION nothing",
                              "PASS_REGULAR_EXPRESSION \"x;^go+d\"",
                              "FAIL_REGULAR_EXPRESSION bad",
                              "FAIL_REGULAR_EXPRESSION bad PASS_REGULAR_EXPRESSION good",
                              "FAIL_REGULAR_EXPRESSION \"(bad\" PASS_REGULAR_EXPRESSION \"(good\"",
                              "FAIL_REGULAR_EXPRESSION bad WILL_FAIL 1",
                              "PASS_REGULAR_EXPRESSION nothing WILL_FAIL 1",
                              "SKIP_RETURN_CODE 77",
                              "SKIP_RETURN_CODE 77 WILL_FAIL 1",
                              "SKIP_RETURN_CODE 77 FAIL_REGULAR_EXPRESSION bad",
                              "SKIP_REGULAR_EXPRESSION good",
                              "SKIP_REGULAR_EXPRESSION good FAIL_REGULAR_EXPRESSION bad"};
  std::vector<Sample> samples;
  for (const char* script : scripts) {
    for (const char* property : properties) samples.push_back({script, property});
  }
  return samples;
}

class AgainstCTest : public testing::Test {
 protected:
  AgainstCTest() {
    std::string name = testing::TempDir() + "oscope-outcome-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~AgainstCTest() override { std::filesystem::remove_all(directory_); }

  SubprocessOutput Run(std::vector<std::string> argv, std::chrono::milliseconds timeout = std::chrono::seconds(50)) {
    SubprocessOptions options;
    options.argv = std::move(argv);
    options.working_directory = directory_;
    options.timeout = timeout;
    Result<SubprocessOutput> output = RunSubprocess(options);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return *std::move(output);
  }

  void WriteTests(const std::vector<Sample>& samples) {
    std::ofstream file(directory_ + "/CTestTestfile.cmake");
    for (size_t i = 0; i < samples.size(); ++i) {
      const std::string name = "t" + std::to_string(i);
      std::string script = samples[i].script;
      if (const size_t dollars = script.find("$$"); dollars != std::string::npos) script.replace(dollars, 2, "\\$\\$");
      file << "add_test(" << name << " sh -c \"" << script << "\")\n";
      const bool slow = samples[i].script.starts_with("sleep");
      if (slow || !samples[i].properties.empty()) {
        file << "set_tests_properties(" << name << " PROPERTIES " << (slow ? "TIMEOUT 1 " : "") << samples[i].properties
             << ")\n";
      }
    }
  }

  std::string directory_;
};

CaseState StateOf(TestOutcome outcome) {
  switch (outcome) {
    case TestOutcome::kPassed: return CaseState::kPassed;
    case TestOutcome::kFailed:
    case TestOutcome::kTimedOut: return CaseState::kFailed;
    case TestOutcome::kSkipped: return CaseState::kNotRun;
  }
  return CaseState::kSkipped;
}

TEST_F(AgainstCTest, TheSameOutcomes) {
  const std::vector<Sample> samples = Samples();
  WriteTests(samples);
  const std::string report = directory_ + "/report.xml";
  Run({OSCOPE_CTEST, "-j16", "--output-junit", report});
  std::stringstream xml;
  xml << std::ifstream(report).rdbuf();
  const Result<std::vector<JUnitCase>> theirs = ParseJUnit(xml.str());
  ASSERT_TRUE(theirs.ok()) << theirs.error().message;
  const Result<std::vector<CTestTest>> tests = ParseCTestTests(Run({OSCOPE_CTEST, "--show-only=json-v1"}).out);
  ASSERT_TRUE(tests.ok()) << tests.error().message;
  ASSERT_EQ(tests->size(), samples.size());
  ASSERT_EQ(theirs->size(), samples.size());

  std::map<CaseState, size_t> seen;
  for (size_t i = 0; i < samples.size(); ++i) {
    const CTestTest& test = (*tests)[i];
    TestEnd end;
    if (test.timeout_s) {
      end.timed_out = true;  // CTest waited for all of them; one second each is enough
    } else {
      const SubprocessOutput output = Run(test.command);
      end.exit_code = output.exit_code;
      end.signal = output.signal;
      end.output = output.out + output.err;
    }
    EXPECT_EQ(StateOf(TestOutcomeOf(end, &test)), (*theirs)[i].state)
        << samples[i].script << " | " << samples[i].properties;
    ++seen[(*theirs)[i].state];
  }
  EXPECT_EQ(seen.size(), 3u);
}

}  // namespace
}  // namespace oscope
