#include "tracer/harness/ctest_tests.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

std::string Listing(const std::string& tests) {
  return R"({"kind":"ctestInfo","version":{"major":1,"minor":0},"tests":[)" + tests + "]}";
}

TEST(CTestTests, Properties) {
  const auto tests = ParseCTestTests(Listing(R"({"name":"a","command":["/bin/x","y z"],"properties":[
      {"name":"ENVIRONMENT","value":["A=1","B=x y"]}, {"name":"ENVIRONMENT_MODIFICATION","value":["PATH=path_list_prepend:/x"]},
      {"name":"TIMEOUT","value":2.5}, {"name":"WILL_FAIL","value":true}, {"name":"DISABLED","value":"ON"},
      {"name":"PASS_REGULAR_EXPRESSION","value":["p"]}, {"name":"FAIL_REGULAR_EXPRESSION","value":["f","g"]},
      {"name":"SKIP_REGULAR_EXPRESSION","value":["s"]}, {"name":"SKIP_RETURN_CODE","value":77}, {"name":"LABELS","value":["l"]},
      {"name":"RESOURCE_LOCK","value":["db"]}, {"name":"WORKING_DIRECTORY","value":"/w"}, {"name":"SOMETHING_NEW","value":{}}]},
      {"name":"gone","properties":[]})"));
  ASSERT_TRUE(tests.ok()) << tests.error().message;
  ASSERT_EQ(tests->size(), 2u);
  const CTestTest& test = tests->front();
  EXPECT_EQ(test.name, "a");
  EXPECT_EQ(test.command, (std::vector<std::string>{"/bin/x", "y z"}));
  EXPECT_EQ(test.environment, (std::vector<std::string>{"A=1", "B=x y"}));
  EXPECT_EQ(test.environment_modification, std::vector<std::string>{"PATH=path_list_prepend:/x"});
  EXPECT_EQ(test.timeout_s, 2.5);
  EXPECT_TRUE(test.will_fail && test.alone);
  EXPECT_EQ(test.pass_regexes, std::vector<std::string>{"p"});
  EXPECT_EQ(test.fail_regexes, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(test.skip_regexes, std::vector<std::string>{"s"});
  EXPECT_EQ(test.skip_return_code, 77);
  EXPECT_EQ(test.working_directory, "/w");
  EXPECT_TRUE(tests->back().command.empty());
}

TEST(CTestTests, ComplaintsBeforeTheListAreSkipped) {
  const auto tests =
      ParseCTestTests("RegularExpression::compile(): Unmatched parentheses.\n" + Listing(R"({"name":"a"})"));
  ASSERT_TRUE(tests.ok());
  EXPECT_EQ(tests->size(), 1u);
}

TEST(CTestTests, WrongTextsAreErrors) {
  for (const char* text : {"", "[]", "{}", "null", R"({"kind":"ctestInfo"})", R"({"kind":7,"tests":[]})",
                           R"({"kind":"ctestInfo","tests":{}})", R"({"kind":"ctestInfo","tests":[1]})",
                           R"({"kind":"ctestInfo","tests":[{"name":1}]})",
                           R"({"kind":"ctestInfo","tests":[{"name":"a","properties":[{"name":"X"}]}]})"}) {
    EXPECT_FALSE(ParseCTestTests(text).ok()) << text;
  }
  const auto later = ParseCTestTests(R"({"kind":"ctestInfo","version":{"major":2},"tests":[]})");
  ASSERT_FALSE(later.ok());
  EXPECT_EQ(later.error().code, ErrorCode::kUnsupported);
}

std::vector<std::string> Names(const std::vector<const CTestTest*>& tests) {
  std::vector<std::string> names;
  for (const CTestTest* test : tests) names.push_back(test->name);
  return names;
}

TEST(CTestTests, FixturesRunInTheirOrder) {
  std::vector<CTestTest> all(6);
  const char* names[] = {"stop", "fill", "start", "uses", "other", "drop"};
  for (size_t i = 0; i < all.size(); ++i) all[i].name = names[i];
  all[0].fixtures_cleanup = {"Server"};
  all[1].fixtures_setup = {"Data"};
  all[1].fixtures_required = {"Server"};
  all[2].fixtures_setup = {"Server"};
  all[3].fixtures_required = {"Data"};
  all[5].fixtures_cleanup = {"Data"};
  EXPECT_EQ(Names(SetupsOf(all[3], all)), (std::vector<std::string>{"start", "fill"}));
  EXPECT_EQ(Names(CleanupsOf(all[3], all)), (std::vector<std::string>{"stop", "drop"}));
  EXPECT_TRUE(SetupsOf(all[4], all).empty());
  // Two that need each other: CTest would not run them, and we must not run forever.
  all[2].fixtures_required = {"Data"};
  EXPECT_EQ(SetupsOf(all[3], all).size(), 2u);
}

}  // namespace
}  // namespace oscope
