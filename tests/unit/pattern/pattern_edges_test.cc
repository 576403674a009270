// Patterns at their limits: exactly so many states, bytes and errors; names, globs and texts that end in the middle.
#include <gtest/gtest.h>

#include "bql/pattern/event_matcher.h"
#include "bql/pattern/glob.h"
#include "tests/unit/pattern/pattern_sample.h"

namespace oscope::bql {
namespace {

std::string Errors(std::string_view text, PatternLimits limits = {}) {
  std::vector<Diagnostic> diagnostics;
  const auto pattern = ParsePattern(text, limits, 0, diagnostics);
  EXPECT_EQ(pattern == nullptr, HasErrors(diagnostics)) << text;
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics)
    out += fmt::format("{}-{}: {}\n", diagnostic.span.begin, diagnostic.span.end, diagnostic.message);
  return out;
}

size_t CountErrors(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  EXPECT_EQ(ParsePattern(text, {}, 0, diagnostics), nullptr);
  return diagnostics.size();
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(PatternEdges, LimitsHoldExactly) {
  // The start, any events at both ends, any events between, and each name as a method and as a scope.
  EXPECT_EQ(Errors("a b", {.states = 8}), "");
  EXPECT_EQ(Errors("a b", {.states = 7}),
            "0-3: pattern needs 8 automaton states, more than 7: --max-pattern-states raises the limit\n");
  EXPECT_EQ(Errors("a() -> . -> /x/", {.states = 6}), "");
  EXPECT_NE(Errors("a() -> . -> /x/", {.states = 5}), "");
  EXPECT_EQ(Errors("a b", {.bytes = 3}), "");
  EXPECT_EQ(Errors("a b", {.bytes = 2}),
            "0-3: pattern of 3 bytes, more than 2: --max-pattern-bytes raises the limit\n");
  EXPECT_EQ(Errors("((a))", {.depth = 2}), "");
  EXPECT_EQ(Errors("((a))", {.depth = 1}), "1-2: parentheses nested deeper than 1\n");
  EXPECT_EQ(Errors("((a b) | c", {.depth = 1}), "1-2: parentheses nested deeper than 1\n");
}

TEST(PatternEdges, SoManyErrorsAreToldAndNoMore) {
  EXPECT_EQ(CountErrors("a" + Repeat(" )", 20)), 20u);
  EXPECT_EQ(CountErrors("a" + Repeat(" )", 30)), 20u);
  EXPECT_EQ(CountErrors("a" + Repeat(" \\", 19)), 19u);
  EXPECT_EQ(CountErrors("a" + Repeat(" \\", 30)), 20u);
  EXPECT_EQ(CountErrors("a" + Repeat(" /(/", 19)), 19u);
  EXPECT_EQ(CountErrors("a" + Repeat(" /(/", 30)), 20u);
}

TEST(PatternEdges, EmptyPartsAreErrors) {
  EXPECT_EQ(Errors("a //"), "2-4: an empty regular expression: '.' is any event\n");
  EXPECT_EQ(Errors("a ``"), "2-4: an empty name\n");
  EXPECT_EQ(Errors("(a | ) b"), "5-6: expected an event before ')'\n");
  EXPECT_EQ(Errors("(a ->) b"), "3-5: expected an event after '->'\n");
  EXPECT_EQ(Errors("a -> | b"), "2-4: expected an event after '->'\n");
  EXPECT_EQ(Errors("a -> -> b"), "5-7: expected an event before '->'\n");
  EXPECT_EQ(Errors("a (-> b)"), "3-5: expected an event before '->'\n");
}

// Texts are cut out of longer ones: what lies behind them is not theirs.
TEST(PatternEdges, NothingBehindTheTextIsRead) {
  EXPECT_EQ(Errors(std::string_view("a<b>").substr(0, 3)),
            "1-2: unclosed '<': put a name with odd characters in backquotes\n");
  EXPECT_EQ(Errors(std::string_view("`a\\``").substr(0, 3)).substr(0, 22), "0-1: unclosed backquot");
  EXPECT_EQ(Errors(std::string_view("/a\\//").substr(0, 3)).substr(0, 18), "0-1: unclosed regu");
  EXPECT_EQ(MustParse(std::string_view("ab").substr(0, 1))->names, std::vector<std::string>{"a"});
  EXPECT_EQ(MustParse(std::string_view("a()").substr(0, 1))->names, std::vector<std::string>{"a"});
  EXPECT_EQ(MustParse(std::string_view("a.b").substr(0, 2))->names, std::vector<std::string>{"a"});
  EXPECT_EQ(WithoutEscapes(std::string_view("a\\b").substr(0, 2)), "a\\");
  EXPECT_EQ(WithoutEscapes("a\\b\\\\"), "ab\\");
  EXPECT_EQ(WithOneSeparator(std::string_view("a::b").substr(0, 2)), "a:");
  EXPECT_EQ(WithOneSeparator("a::b/c.d:e"), "a.b.c.d:e");
  EXPECT_FALSE(IsGlob(std::string_view("ab*").substr(0, 2)));
  EXPECT_FALSE(IsGlob("a\\*"));
  EXPECT_TRUE(IsGlob("a\\**"));
  EXPECT_TRUE(MatchesGlob(std::string_view("a\\b").substr(0, 2), "a\\"));
  EXPECT_FALSE(MatchesGlob(std::string_view("a*").substr(0, 1), "ab"));
  EXPECT_FALSE(MatchesGlob(std::string_view("ab").substr(0, 1), "ab"));
}

TEST(PatternEdges, WhereNamesEnd) {
  EXPECT_TRUE(Takes("^a.->b$", {"a", "q", "b"}));
  EXPECT_TRUE(Takes("^a.-b$", {"a.-b"}));
  EXPECT_TRUE(Takes("^V.operator*$", {"V.operator*"}));
  EXPECT_TRUE(Takes("^V/operator->$", {"V.operator->"}));
  EXPECT_TRUE(Takes("^V::operator*$", {"V::operator*"}));
  EXPECT_TRUE(Takes("^Outer$operator*$", {}));  // a star: `$` begins no part of a name
  EXPECT_TRUE(Takes("^myoperator*$", {}));
  EXPECT_TRUE(Takes("^operator<=>$", {"V::operator<=>"}));
  EXPECT_TRUE(Takes("^f.{lambda()#1}$", {"f.{lambda()#1}"}));
  EXPECT_TRUE(Takes("^a-> b$", {"a", "b"}));
  EXPECT_TRUE(Takes("^map<a->b>::at$", {"map<a->b>::at"}));
  EXPECT_TRUE(Takes("^a[b]<c<d>>$", {"a[b]<c<d>>"}));
  EXPECT_TRUE(Takes("^/^x\\d$/$", {"x5"}));
  EXPECT_FALSE(Takes("^/^x\\d$/$", {"xd"}));
  EXPECT_TRUE(Takes("^`a\\\\b`$", {"a\\b"}));
}

TEST(PatternEdges, NoEdgeIsThereTwice) {
  for (const char* text : {"(a|a) b", "a* a*", "(a|b|a)*", "((a)+)+", "(a?|b?)* c", "A -> A", "^(a|(a|a))$"}) {
    const auto pattern = MustParse(text);
    EXPECT_EQ(std::adjacent_find(pattern->edges.begin(), pattern->edges.end()), pattern->edges.end()) << text;
  }
}

TEST(EventMatcherEdges, WhatComesBeforeOperator) {
  for (const char* name : {"my9operator()", "my$operator()", "MZoperator()", "mzoperator()", "m_operator()",
                           "\xc3\xa4operator()", "Aoperator()", "a0operator()"})
    EXPECT_TRUE(HasCallSuffix(name)) << name;
  for (const char* name : {"a.operator()", "a/operator()", ":operator()", "~operator()", "operator()", "a operator()",
                           "`operator()", "[operator()", "@operator()", "{operator()"}) {
    EXPECT_FALSE(HasCallSuffix(name)) << name;
  }
}

TEST(EventMatcherEdges, SeparatorsInsideAPartAreTheSameTheRestIsNot) {
  const auto matches = [](std::string_view name, std::string_view event) {
    return EventMatcher::Method(name).Matches(event);
  };
  EXPECT_TRUE(matches("map<a.b>::at", "std::map<a::b>::at"));
  EXPECT_FALSE(matches("map<a.b>::at", "std::map<c::d>::at"));
  EXPECT_FALSE(matches("map<a.b>::at", "std::map<a::bc>::at"));
  EXPECT_FALSE(matches("map<a::b>::at", "std::map<ab>::at"));
}

TEST(EventMatcherEdges, ARegularExpressionOfSoManyStepsIsTooLarge) {
  EXPECT_TRUE(EventMatcher::Regex(Repeat("a{1000}", 5)).ok());
  EXPECT_EQ(EventMatcher::Regex(Repeat("a{1000}", 150)).error().code, ErrorCode::kLimit);
}

TEST(EventMatcherEdges, ABadRegularExpressionIsNotLogged) {
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(EventMatcher::Regex("a(b").ok());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace oscope::bql
