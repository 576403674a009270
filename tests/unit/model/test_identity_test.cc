#include "tracer/model/test_identity.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

RunHeader Of(std::vector<std::string> command, std::string test = "") {
  RunHeader run;
  run.command = std::move(command);
  run.test = std::move(test);
  return run;
}

TEST(TestIdentity, IsTheTestWhereThereIsOne) {
  const RunHeader run = Of({"./parser_test", "--all"}, "Parser.Nested");
  EXPECT_EQ(TestOf(run), "Parser.Nested");
  EXPECT_EQ(TestForPeople(run), "Parser.Nested");
  EXPECT_EQ(FormerTestOf(run), "Parser.Nested");
}

TEST(TestIdentity, IsElseTheProgramAndADigestOfItsArguments) {
  const RunHeader run = Of({"./build/parser_test", "--user=ada", "bad.txt"});
  const std::string test = TestOf(run);
  ASSERT_EQ(test.size(), std::string("parser_test 01234567").size()) << test;
  EXPECT_TRUE(test.starts_with("parser_test ")) << test;
  EXPECT_EQ(test.find("ada"), std::string::npos);
  EXPECT_EQ(TestForPeople(run), "parser_test");
  EXPECT_EQ(FormerTestOf(run), "./build/parser_test --user=ada bad.txt");
  EXPECT_EQ(TestOf(Of({"/other/parser_test", "--user=ada", "bad.txt"})), test) << "wherever it lies";
  EXPECT_NE(TestOf(Of({"./parser_test", "--user=bob", "bad.txt"})), test);
  EXPECT_NE(TestOf(Of({"./parser_test", "--user=ada bad.txt"})), test);
  EXPECT_NE(TestOf(Of({"./lexer_test", "--user=ada", "bad.txt"})), test);
}

TEST(TestIdentity, WithoutArgumentsItIsTheProgram) {
  EXPECT_EQ(TestOf(Of({"./parser_test"})), "parser_test");
  EXPECT_EQ(TestOf(Of({"parser_test"})), "parser_test");
  EXPECT_NE(TestOf(Of({"parser_test", ""})), "parser_test");
  EXPECT_EQ(TestOf(Of({})), "");
  EXPECT_EQ(TestForPeople(Of({})), "");
}

// Bugs are known by it.
TEST(TestIdentity, StaysFromReleaseToRelease) { EXPECT_EQ(TestOf(Of({"./a", "b", "c"})), "a d2348d7f"); }

}  // namespace
}  // namespace oscope
