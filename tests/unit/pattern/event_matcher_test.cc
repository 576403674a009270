#include "bql/pattern/event_matcher.h"

#include <gtest/gtest.h>

#include "bql/pattern/glob.h"
#include "tracer/model/event.h"

namespace oscope::bql {
namespace {

bool MethodMatches(std::string_view name, std::string_view event) { return EventMatcher::Method(name).Matches(event); }
bool ScopeMatches(std::string_view name, std::string_view event) { return EventMatcher::Scope(name).Matches(event); }
bool GlobMatches(std::string_view glob, std::string_view event) { return EventMatcher::Glob(glob).Matches(event); }

TEST(EventMatcher, AnyMatchesAll) {
  for (const char* event : {"f", "", "S f: x", "I MOV", "C a"}) EXPECT_TRUE(EventMatcher::Any().Matches(event));
}

TEST(EventMatcher, AMethodByItsLastPartOrALongerForm) {
  const std::string event = "org.apache.commons.ConfigurationUtils.copy";
  for (const char* name :
       {"copy", "copy()", "ConfigurationUtils.copy", "ConfigurationUtils::copy", "commons/ConfigurationUtils.copy()",
        "org.apache.commons.ConfigurationUtils.copy", "org/apache/commons/ConfigurationUtils::copy"}) {
    EXPECT_TRUE(MethodMatches(name, event)) << name;
  }
  for (const char* name :
       {"opy", "Utils.copy", "ConfigurationUtils", "org", "x.org.apache.commons.ConfigurationUtils.copy", "copy.", ".",
        "", "()", "Copy", "copy(int)"}) {
    EXPECT_FALSE(MethodMatches(name, event)) << name;
  }
}

TEST(EventMatcher, NamesWithOddCharacters) {
  EXPECT_TRUE(MethodMatches("~Socket", "net::Socket::~Socket"));
  EXPECT_TRUE(MethodMatches("<init>", "org.apache.LazyDynaBean.<init>"));
  EXPECT_TRUE(MethodMatches("LazyDynaBean.<init>", "org.apache.LazyDynaBean.<init>"));
  EXPECT_TRUE(MethodMatches("at", "std::map<a::b, c>::at"));
  EXPECT_TRUE(MethodMatches("map<a::b, c>::at", "std::map<a::b, c>::at"));
  EXPECT_TRUE(MethodMatches("map<a.b, c>.at", "std::map<a::b, c>::at"));
  EXPECT_FALSE(MethodMatches("b, c>::at", "std::map<a::b, c>::at"));
  EXPECT_TRUE(MethodMatches("Outer$Inner.run", "a.Outer$Inner.run"));
  EXPECT_TRUE(MethodMatches("operator()", "f::{lambda(int)#1}::operator()"));
  EXPECT_TRUE(MethodMatches("operator()()", "f::{lambda(int)#1}::operator()"));
  EXPECT_FALSE(MethodMatches("operator", "f::{lambda(int)#1}::operator()"));
  EXPECT_TRUE(MethodMatches("{lambda(int)#1}::operator()", "f::{lambda(int)#1}::operator()"));
  EXPECT_TRUE(MethodMatches("operator/", "a::V::operator/"));
  EXPECT_TRUE(MethodMatches("::main", "main"));
}

TEST(EventMatcher, ACallSuffixIsNotAnOperators) {
  EXPECT_TRUE(HasCallSuffix("copy()"));
  EXPECT_TRUE(HasCallSuffix("my_operator()"));
  EXPECT_TRUE(HasCallSuffix("operator()()"));
  EXPECT_FALSE(HasCallSuffix("operator()"));
  EXPECT_FALSE(HasCallSuffix("A::operator()"));
  EXPECT_FALSE(HasCallSuffix("()"));
  EXPECT_FALSE(HasCallSuffix("copy"));
}

TEST(EventMatcher, AScopeIsTheClassOrThePackage) {
  const std::string method = "org.apache.commons.Utils.copy";
  for (const char* name : {"Utils", "commons.Utils", "commons", "apache/commons", "org.apache.commons.Utils"}) {
    EXPECT_TRUE(ScopeMatches(name, method)) << name;
    EXPECT_TRUE(ScopeMatches(name, StatementEvent(method, "x = 1;"))) << name;
    EXPECT_TRUE(ScopeMatches(name, BlockEvent(method, 3))) << name;
    EXPECT_TRUE(ScopeMatches(name, "C org.apache.commons.Utils")) << name;
  }
  for (const char* name : {"copy", "org", "apache", "Util", "commons.Utils.copy"})
    EXPECT_FALSE(ScopeMatches(name, method)) << name;
  EXPECT_TRUE(ScopeMatches("commons", "P org.apache.commons"));
  EXPECT_FALSE(ScopeMatches("apache", "P org.apache.commons"));
  EXPECT_FALSE(ScopeMatches("MOV", "I MOV"));
  EXPECT_FALSE(ScopeMatches("main", "main"));
}

TEST(EventMatcher, StatementsBlocksAndInstructions) {
  const std::string statement = "S net::Socket::read: n = recv(fd_, p);";
  for (const char* name : {"read", "Socket::read", "n = recv(fd_, p);", "S net::Socket::read: n = recv(fd_, p);",
                           "net.Socket.read: n = recv(fd_, p);"}) {
    EXPECT_TRUE(MethodMatches(name, statement)) << name;
  }
  EXPECT_FALSE(MethodMatches("recv", statement));
  EXPECT_TRUE(MethodMatches("read", "B net::Socket::read: 3 taken"));
  EXPECT_TRUE(MethodMatches("MOV", "I MOV rax, rbx"));
  EXPECT_TRUE(MethodMatches("MOV rax, rbx", "I MOV rax, rbx"));
  EXPECT_FALSE(MethodMatches("rax", "I MOV rax, rbx"));
  EXPECT_TRUE(MethodMatches("MOV", "M I MOV") == false);
  EXPECT_FALSE(MethodMatches("Socket", "C net::Socket"));
}

TEST(EventMatcher, GlobsSpanTheWholeTextAndCrossSeparators) {
  EXPECT_TRUE(GlobMatches("org/apache/*", "org.apache.commons.lang.X.f"));
  EXPECT_TRUE(GlobMatches("net::*", "net::Socket::read"));
  EXPECT_TRUE(GlobMatches("net.*", "S net::Socket::read: x"));
  EXPECT_TRUE(GlobMatches("S net.*", "S net::Socket::read: x"));
  EXPECT_TRUE(GlobMatches("*read*", "net::Socket::read_all"));
  EXPECT_TRUE(GlobMatches("*", ""));
  EXPECT_FALSE(GlobMatches("net::*", "my::net::f"));
  EXPECT_FALSE(GlobMatches("read", "net::Socket::read"));
  EXPECT_TRUE(GlobMatches("*operator\\*", "V::operator*"));
  EXPECT_FALSE(GlobMatches("*operator\\*", "V::operator*="));
}

// The definition itself.
bool SlowGlob(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') return SlowGlob(glob.substr(1), text) || (!text.empty() && SlowGlob(glob, text.substr(1)));
  return !text.empty() && glob[0] == text[0] && SlowGlob(glob.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithItsDefinition) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string glob(random() % 7, ' '), text(random() % 9, ' ');
    for (char& c : glob) c = "ab*"[random() % 3];
    for (char& c : text) c = "ab"[random() % 2];
    EXPECT_EQ(MatchesGlob(glob, text), SlowGlob(glob, text)) << glob << " on " << text;
  }
}

TEST(EventMatcher, RegularExpressions) {
  const auto matcher = EventMatcher::Regex("^parse_|::read$");
  ASSERT_TRUE(matcher.ok());
  EXPECT_TRUE(matcher->Matches("parse_int"));
  EXPECT_TRUE(matcher->Matches("S parse_int: x"));
  EXPECT_TRUE(matcher->Matches("net::Socket::read"));
  EXPECT_FALSE(matcher->Matches("reparse_int"));
  EXPECT_EQ(EventMatcher::Regex("(").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(EventMatcher::Regex("((a{500}){500}){500}").error().code, ErrorCode::kLimit);
  EXPECT_EQ(EventMatcher::Regex("a{2000}").error().code, ErrorCode::kLimit);
}

TEST(EventMatcher, ACopyIsEqual) {
  const EventMatcher matcher = EventMatcher::Regex("x").value();
  const EventMatcher copy = matcher;
  EXPECT_EQ(copy, matcher);
  EXPECT_TRUE(copy.Matches("x"));
  EXPECT_FALSE(EventMatcher::Method("x") == EventMatcher::Scope("x"));
}

}  // namespace
}  // namespace oscope::bql
