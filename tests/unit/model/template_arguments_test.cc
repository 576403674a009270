#include <gtest/gtest.h>

#include "tracer/model/event.h"

namespace oscope {
namespace {

TEST(WithoutTemplateArguments, LeavesTemplateArgumentsOut) {
  EXPECT_EQ(WithoutTemplateArguments("std::vector<int>::push_back"), "std::vector::push_back");
  EXPECT_EQ(WithoutTemplateArguments("std::map<int, std::pair<char const, long> >::find"), "std::map::find");
  EXPECT_EQ(WithoutTemplateArguments("quill::Visit<quill::Json&>"), "quill::Visit");
  EXPECT_EQ(WithoutTemplateArguments("Cache<int>::Entry<char>::Touch<long>"), "Cache::Entry::Touch");
  EXPECT_EQ(WithoutTemplateArguments("Apply<decltype (x->y)>::Call"), "Apply::Call");
}

TEST(WithoutTemplateArguments, KeepsOperators) {
  EXPECT_EQ(WithoutTemplateArguments("Date::operator<"), "Date::operator<");
  EXPECT_EQ(WithoutTemplateArguments("operator< <char>"), "operator<");
  EXPECT_EQ(WithoutTemplateArguments("operator<< <char, std::char_traits<char> >"), "operator<<");
  EXPECT_EQ(WithoutTemplateArguments("Set<int>::operator<=><long>"), "Set::operator<=>");
  EXPECT_EQ(WithoutTemplateArguments("Pointer<int>::operator->"), "Pointer::operator->");
  EXPECT_EQ(WithoutTemplateArguments("Pointer<int>::operator()<char>"), "Pointer::operator()");
  EXPECT_EQ(WithoutTemplateArguments("operator==<int>"), "operator==");
  EXPECT_EQ(WithoutTemplateArguments("operator> <int>"), "operator>");
  EXPECT_EQ(WithoutTemplateArguments("my_operator<int>"), "my_operator");
}

TEST(WithoutTemplateArguments, KeepsNamesInAngleBrackets) {
  EXPECT_EQ(WithoutTemplateArguments("shop.Cart.<init>"), "shop.Cart.<init>");
  EXPECT_EQ(WithoutTemplateArguments("<module>"), "<module>");
  EXPECT_EQ(WithoutTemplateArguments("app.py:<lambda>"), "app.py:<lambda>");
}

TEST(WithoutTemplateArguments, LeavesTheRestAlone) {
  EXPECT_EQ(WithoutTemplateArguments(""), "");
  EXPECT_EQ(WithoutTemplateArguments("main"), "main");
  EXPECT_EQ(WithoutTemplateArguments("broken<int"), "broken<int");
  EXPECT_EQ(WithoutTemplateArguments("a>b"), "a>b");
  EXPECT_EQ(WithoutTemplateArguments("(anonymous namespace)::Parse"), "(anonymous namespace)::Parse");
  EXPECT_EQ(WithoutTemplateArguments("<"), "<");
  EXPECT_EQ(WithoutTemplateArguments("operator"), "operator");
  EXPECT_EQ(WithoutTemplateArguments("f::{lambda(std::vector<int>)#1}::operator()"),
            "f::{lambda(std::vector<int>)#1}::operator()");
  EXPECT_EQ(WithoutTemplateArguments("S a: if (i<n && n>0) return;"), "S a: if (i<n && n>0) return;");
  EXPECT_EQ(WithoutTemplateArguments(std::string(5000, '<')), std::string(5000, '<'));
}

}  // namespace
}  // namespace oscope
