#include "tracer/harness/test_environment.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(TestEnvironment, VariablesStandOnce) {
  Environment environment = {"A=1", "AB=2"};
  SetVariable(environment, "A", "x=y");
  EXPECT_EQ(GetVariable(environment, "A"), "x=y");
  EXPECT_EQ(GetVariable(environment, "AB"), "2");
  EXPECT_EQ(environment.size(), 2u);
  UnsetVariable(environment, "A");
  EXPECT_EQ(GetVariable(environment, "A"), std::nullopt);
}

TEST(TestEnvironment, EveryModification) {
  Environment environment = {"P=/b", "S=b", "L=b", "GONE=1", "SET=1", "AGAIN=old"};
  const Status status =
      ModifyEnvironment(environment, {"NEW=1", "AGAIN=given"},
                        {"P=path_list_prepend:/a", "P=path_list_append:/c", "S=string_append:c", "S=string_prepend:a",
                         "L=cmake_list_prepend:a", "L=cmake_list_append:c", "GONE=unset:", "SET=set:x:y",
                         "EMPTY=path_list_append:/z", "AGAIN=set:changed", "AGAIN=reset:"});
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(GetVariable(environment, "P"), "/a:/b:/c");
  EXPECT_EQ(GetVariable(environment, "S"), "abc");
  EXPECT_EQ(GetVariable(environment, "L"), "a;b;c");
  EXPECT_EQ(GetVariable(environment, "GONE"), std::nullopt);
  EXPECT_EQ(GetVariable(environment, "SET"), "x:y");
  EXPECT_EQ(GetVariable(environment, "EMPTY"), "/z");
  EXPECT_EQ(GetVariable(environment, "NEW"), "1");
  EXPECT_EQ(GetVariable(environment, "AGAIN"), "given");
}

TEST(TestEnvironment, WrongModificationsAreNamed) {
  for (const char* one : {"A", "A=set", "A=turn:1"}) {
    Environment environment;
    const Status status = ModifyEnvironment(environment, {}, {one});
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find(one), std::string::npos);
  }
}

}  // namespace
}  // namespace oscope
