#include "tracer/harness/junit.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

std::vector<JUnitCase> Parsed(std::string_view xml) {
  Result<std::vector<JUnitCase>> cases = ParseJUnit(xml);
  EXPECT_TRUE(cases.ok()) << cases.error().message;
  return cases.ok() ? *std::move(cases) : std::vector<JUnitCase>{};
}

ErrorCode CodeOf(std::string_view xml) {
  const Result<std::vector<JUnitCase>> cases = ParseJUnit(xml);
  EXPECT_FALSE(cases.ok()) << xml.substr(0, 100);
  return cases.ok() ? ErrorCode::kBusy : cases.error().code;
}

TEST(JUnit, GoogleTest) {
  const auto cases = Parsed(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" name="AllTests"><testsuite name="Suite">
  <testcase name="Ok" file="/x/g.cc" line="2" status="run" result="completed" time="0.25" classname="Suite" />
  <testcase name="Bad" file="/x/g.cc" line="3" status="run" result="completed" time="0" classname="Suite">
    <failure message="/x/g.cc:3&#x0A;m &amp; &lt;x&gt;" type=""><![CDATA[/x/g.cc:3
m & <x>]]></failure>
    <failure message="second" type="other"><![CDATA[more]]></failure>
  </testcase>
  <testcase name="Skipped" status="run" result="skipped" classname="Suite"><skipped message="why"/></testcase>
  <testcase name="DISABLED_X" status="notrun" result="suppressed" classname="Suite" />
</testsuite></testsuites>)");
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[0].state, CaseState::kPassed);
  EXPECT_EQ(cases[0].seconds, 0.25);
  EXPECT_EQ(FullName(cases[1]), "Suite.Bad");
  EXPECT_EQ(cases[1].suite, "Suite");
  EXPECT_EQ(cases[1].state, CaseState::kFailed);
  EXPECT_EQ(cases[1].file, "/x/g.cc");
  EXPECT_EQ(cases[1].line, 3u);
  EXPECT_EQ(cases[1].message, "/x/g.cc:3\nm & <x>");
  EXPECT_EQ(cases[1].text, "/x/g.cc:3\nm & <x>");
  EXPECT_EQ(cases[2].state, CaseState::kSkipped);
  EXPECT_EQ(cases[2].message, "why");
  EXPECT_EQ(cases[3].state, CaseState::kNotRun);
}

TEST(JUnit, CTest) {
  const auto cases = Parsed(R"xml(<testsuite name="(empty)" tests="3">
	<testcase name="fail a;b" classname="fail a;b" time="0.5" status="fail"><failure message=""/><system-out>hi
</system-out></testcase>
	<testcase name="gone" classname="gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
	<testcase name="dis" classname="dis" time="0" status="disabled"><system-out>Disabled</system-out></testcase>
</testsuite>)xml");
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(FullName(cases[0]), "fail a;b");
  EXPECT_EQ(cases[0].state, CaseState::kFailed);
  EXPECT_EQ(cases[0].output, "hi\n");
  EXPECT_EQ(cases[1].state, CaseState::kNotRun);
  EXPECT_EQ(cases[1].message, "Unable to find executable");
  EXPECT_EQ(cases[2].state, CaseState::kNotRun);
}

TEST(JUnit, PytestMavenAndCatch2) {
  const auto cases = Parsed(R"(<testsuites><testsuite name="pytest">
<testcase classname="tests.test_a" name="test_x[1-a]" file="tests/test_a.py" line="4" time="0.001">
<failure message="assert 1 == 2">def test_x(): ...</failure></testcase></testsuite>
<testsuite name="org.A"><properties><property name="a" value="b"/></properties>
<testcase name="t" classname="org.A" time="1,002.5"><error type="java.lang.NullPointerException">at org.A.t(A.java:3)</error>
<system-out>o</system-out><system-err>e</system-err></testcase>
<testcase name="flaky" classname="org.A"><flakyFailure message="m">s</flakyFailure></testcase></testsuite>
<testsuite name="bin"><testcase classname="bin.global" name="a case"><failure message="a == b" type="REQUIRE">
FAILED:
at x.cc:12
</failure></testcase></testsuite></testsuites>)");
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(FullName(cases[0]), "tests.test_a.test_x[1-a]");
  EXPECT_EQ(cases[0].message, "assert 1 == 2");
  EXPECT_EQ(cases[0].line, 4u);
  EXPECT_EQ(cases[1].type, "java.lang.NullPointerException");
  EXPECT_EQ(cases[1].text, "at org.A.t(A.java:3)");
  EXPECT_EQ(cases[1].output, "oe");
  EXPECT_EQ(cases[2].state, CaseState::kPassed);  // it passed in the end
  EXPECT_EQ(cases[3].type, "REQUIRE");
}

TEST(JUnit, ASuiteThatFailedAsAWhole) {
  const auto cases =
      Parsed(R"(<testsuite name="S"><error message="no set-up">text</error><testcase name="a"/></testsuite>)");
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(FullName(cases[0]), "S");
  EXPECT_EQ(cases[0].state, CaseState::kFailed);
  EXPECT_EQ(cases[0].text, "text");
  EXPECT_EQ(cases[1].state, CaseState::kPassed);
}

TEST(JUnit, OtherEncodings) {
  EXPECT_EQ(
      Parsed("<?xml version='1.0' encoding='ISO-8859-1'?><testsuite><testcase name='\xfc'/></testsuite>").at(0).name,
      "ü");
}

TEST(JUnit, WhatIsNoReport) {
  for (const char* xml : {"", "x", "<html/>", "<testsuite>", "<testsuite></testcase>", "<testsuite/><testsuite/>",
                          "<testsuite a=1/>", "<testsuite>\x01</testsuite>", "<testsuite>&unknown;</testsuite>"}) {
    EXPECT_EQ(CodeOf(xml), ErrorCode::kInvalid) << xml;
  }
}

TEST(JUnit, EveryTruncationIsAnError) {
  const std::string xml =
      "<testsuites><testsuite name='S'><testcase name='a'><failure message='m'><![CDATA[t]]></failure>"
      "<system-out>o</system-out></testcase></testsuite></testsuites>";
  ASSERT_EQ(Parsed(xml).size(), 1u);
  for (size_t size = 0; size < xml.size(); ++size) EXPECT_FALSE(ParseJUnit(xml.substr(0, size)).ok()) << size;
}

// "Billion laughs" and files of the machine: both need a document type.
TEST(JUnit, EntitiesAreNotExpanded) {
  EXPECT_EQ(CodeOf("<!DOCTYPE t [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]><testsuite>&b;</testsuite>"),
            ErrorCode::kInvalid);
  EXPECT_EQ(
      CodeOf("<!DOCTYPE t [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><testsuite><testcase name='&f;'/></testsuite>"),
      ErrorCode::kInvalid);
  const Result<std::vector<JUnitCase>> told = ParseJUnit("\n<!DOCTYPE t>\n<testsuite/>");
  EXPECT_EQ(told.error().message, "line 2: a document type declaration is not allowed");
}

TEST(JUnit, DepthIsBounded) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<testsuite>";
  EXPECT_EQ(CodeOf(deep), ErrorCode::kLimit);
}

TEST(JUnit, ALongReportComesInPieces) {
  std::string xml = "<testsuite name='S'>";
  while (xml.size() < (size_t{3} << 20))
    xml += "<testcase classname='S' name='case' time='0.5'><failure message='m'>text</failure></testcase>\n";
  xml += "</testsuite>";
  const auto cases = Parsed(xml);
  EXPECT_GT(cases.size(), 30'000u);
  for (const JUnitCase& one : cases) ASSERT_TRUE(one.text == "text" && one.name == "case" && one.message == "m");
}

}  // namespace
}  // namespace oscope
