#include "query/similarity/method_name.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(MethodName, LeavesTemplateArgumentsOut) {
  EXPECT_EQ(MethodName("std::vector<int>::push_back"), "std::vector::push_back");
  EXPECT_EQ(MethodName("std::map<int, std::pair<char const, long> >::find"), "std::map::find");
  EXPECT_EQ(MethodName("quill::Visit<quill::Json&>"), "quill::Visit");
  EXPECT_EQ(MethodName("Cache<int>::Entry<char>::Touch<long>"), "Cache::Entry::Touch");
  EXPECT_EQ(MethodName("Apply<decltype (x->y)>::Call"), "Apply::Call");
}

TEST(MethodName, KeepsOperators) {
  EXPECT_EQ(MethodName("Date::operator<"), "Date::operator<");
  EXPECT_EQ(MethodName("operator< <char>"), "operator<");
  EXPECT_EQ(MethodName("operator<< <char, std::char_traits<char> >"), "operator<<");
  EXPECT_EQ(MethodName("Set<int>::operator<=><long>"), "Set::operator<=>");
  EXPECT_EQ(MethodName("Pointer<int>::operator->"), "Pointer::operator->");
  EXPECT_EQ(MethodName("Pointer<int>::operator()<char>"), "Pointer::operator()");
  EXPECT_EQ(MethodName("operator==<int>"), "operator==");
  EXPECT_EQ(MethodName("operator> <int>"), "operator>");
  EXPECT_EQ(MethodName("my_operator<int>"), "my_operator");
}

TEST(MethodName, KeepsNamesInAngleBrackets) {
  EXPECT_EQ(MethodName("shop.Cart.<init>"), "shop.Cart.<init>");
  EXPECT_EQ(MethodName("<module>"), "<module>");
  EXPECT_EQ(MethodName("app.py:<lambda>"), "app.py:<lambda>");
}

TEST(MethodName, LeavesTheRestAlone) {
  EXPECT_EQ(MethodName(""), "");
  EXPECT_EQ(MethodName("main"), "main");
  EXPECT_EQ(MethodName("broken<int"), "broken<int");
  EXPECT_EQ(MethodName("a>b"), "a>b");
  EXPECT_EQ(MethodName("(anonymous namespace)::Parse"), "(anonymous namespace)::Parse");
  EXPECT_EQ(MethodName("<"), "<");
  EXPECT_EQ(MethodName("operator"), "operator");
  EXPECT_EQ(MethodName(std::string(5000, '<')), std::string(5000, '<'));
}

}  // namespace
}  // namespace oscope
