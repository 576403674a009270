#include "tracer/harness/ctest_command.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Words = std::vector<std::string>;

CTestCommand Parsed(Words words) {
  Result<CTestCommand> command = CTestCommand::Parse(std::move(words));
  EXPECT_TRUE(command.ok()) << command.error().message;
  return *std::move(command);
}

TEST(CTestCommand, OnlyAReportIsAdded) {
  const CTestCommand command = Parsed({"/usr/bin/ctest", "--test-dir", "build", "-j4", "-R", "foo"});
  EXPECT_EQ(command.Reporting("/tmp/r.xml"),
            (Words{"/usr/bin/ctest", "--test-dir", "build", "-j4", "-R", "foo", "--output-junit", "/tmp/r.xml"}));
  EXPECT_EQ(command.Listing(),
            (Words{"/usr/bin/ctest", "--test-dir", "build", "-j4", "-R", "foo", "--show-only=json-v1"}));
}

TEST(CTestCommand, TheUsersReportStays) {
  const CTestCommand command = Parsed({"ctest", "--output-junit", "mine.xml", "-O", "log.txt", "-Q", "--preset", "x"});
  EXPECT_EQ(command.own_report(), "mine.xml");
  EXPECT_EQ(command.Reporting("/tmp/r.xml"), command.words());
  // A second call writes over neither of the user's files.
  EXPECT_EQ(command.Listing(), (Words{"ctest", "--preset", "x", "--show-only=json-v1"}));
  EXPECT_EQ(command.DryRun(), (Words{"ctest", "--preset", "x", "-N"}));
}

TEST(CTestCommand, TimeOut) {
  EXPECT_EQ(Parsed({"ctest", "--timeout", "2.5"}).timeout_s(), 2.5);
  EXPECT_EQ(Parsed({"ctest", "--timeout=9"}).timeout_s(), 9);
  EXPECT_EQ(Parsed({"ctest", "--timeout", "soon"}).timeout_s(), std::nullopt);
  EXPECT_EQ(Parsed({"ctest"}).timeout_s(), std::nullopt);
}

TEST(CTestCommand, OtherProgramsAreRefusedWithAWayOut) {
  for (const Words& words :
       {Words{"make", "test"}, Words{"cmake", "--build", "b", "--target", "test"}, Words{"./ctests.d/run"}}) {
    const Result<CTestCommand> command = CTestCommand::Parse(words);
    ASSERT_FALSE(command.ok());
    EXPECT_NE(command.error().message.find("--junit"), std::string::npos);
    EXPECT_NE(command.error().message.find("oscope trace"), std::string::npos);
  }
}

TEST(CTestCommand, WhatRunsNoTestsIsRefused) {
  for (const char* word : {"-S", "-D", "-N", "--show-only=json-v1", "--build-and-test", "--version", "--help"}) {
    EXPECT_FALSE(CTestCommand::Parse({"ctest", word}).ok()) << word;
  }
}

TEST(CTestCommand, Versions) {
  EXPECT_TRUE(WritesReports("ctest version 3.25.1\n"));
  EXPECT_TRUE(WritesReports("ctest version 3.21.0"));
  EXPECT_TRUE(WritesReports("ctest3 version 4.0.2-rc1"));
  EXPECT_FALSE(WritesReports("ctest version 3.20.6"));
  EXPECT_FALSE(WritesReports("ctest version 2.8"));
  EXPECT_FALSE(WritesReports("?"));
  EXPECT_FALSE(WritesReports("version "));
}

TEST(CTestCommand, BuildDirectory) {
  EXPECT_EQ(BuildDirectory("Internal ctest changing into directory: /a b/c\nTest project /a b/c\n  Test #1: x\n"),
            "/a b/c");
  EXPECT_EQ(BuildDirectory("No tests were found!!!\n"), std::nullopt);
}

TEST(CTestCommand, LastTestsFailed) {
  EXPECT_EQ(ParseLastTestsFailed("2:fail a;b\n13:a:b\r\n\nx\n7:"), (Words{"fail a;b", "a:b"}));
}

TEST(CTestCommand, NotRunIsAFailureUnlessItSkips) {
  JUnitCase one;
  one.state = CaseState::kNotRun;
  EXPECT_FALSE(FailedForCTest(one));  // disabled
  one.message = "SKIP_RETURN_CODE=77";
  EXPECT_FALSE(FailedForCTest(one));
  one.message = "Unable to find executable";
  EXPECT_TRUE(FailedForCTest(one));
  one.state = CaseState::kPassed;
  EXPECT_FALSE(FailedForCTest(one));
}

}  // namespace
}  // namespace oscope
