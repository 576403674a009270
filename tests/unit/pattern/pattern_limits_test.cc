#include <gtest/gtest.h>

#include "tests/unit/pattern/pattern_sample.h"

namespace oscope::bql {
namespace {

// "begin-end: message" for each diagnostic.
std::string Errors(std::string_view text, PatternLimits limits = {}, uint32_t offset = 0) {
  std::vector<Diagnostic> diagnostics;
  const auto pattern = ParsePattern(text, limits, offset, diagnostics);
  std::string out;
  bool failed = false;
  for (const Diagnostic& diagnostic : diagnostics) {
    failed = failed || diagnostic.severity == Severity::kError;
    EXPECT_LE(diagnostic.span.begin, diagnostic.span.end);
    EXPECT_GE(diagnostic.span.begin, offset);
    EXPECT_LE(diagnostic.span.end, offset + text.size());
    out += fmt::format("{}-{}: {}\n", diagnostic.span.begin, diagnostic.span.end, diagnostic.message);
  }
  EXPECT_EQ(pattern == nullptr, failed) << text;
  return out;
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(PatternErrors, AreLocated) {
  EXPECT_EQ(Errors(""), "0-0: an empty pattern: '.' is any event\n");
  EXPECT_EQ(Errors("a | ", {}, 10), "10-14: expected an event at the end\n");
  EXPECT_EQ(Errors("| a"), "0-1: expected an event before '|'\n");
  EXPECT_EQ(Errors("(a"), "0-1: unclosed parenthesis\n");
  EXPECT_EQ(Errors("a)"), "1-2: ')' without '('\n");
  EXPECT_EQ(Errors("()"), "1-2: empty parentheses\n");
  EXPECT_EQ(Errors("*a"), "0-1: nothing to repeat: '*', '+' and '?' come after an event; '.' is any event\n");
  EXPECT_EQ(Errors("a -> "), "2-4: expected an event after '->'\n");
  EXPECT_EQ(Errors("-> a"), "0-2: expected an event before '->'\n");
  EXPECT_EQ(Errors("a `b"), "2-3: unclosed backquote\n");
  EXPECT_EQ(Errors("a /b"), "2-3: unclosed regular expression: it begins and ends with '/'\n");
  EXPECT_EQ(Errors("a /(/"), "2-5: regular expression: missing ): (\n");
  EXPECT_EQ(Errors("a<b"), "1-2: unclosed '<': put a name with odd characters in backquotes\n");
  EXPECT_EQ(Errors("a \\"), "2-3: '\\' cannot be part of a plain event name: put the name in backquotes\n");
  EXPECT_EQ(Errors("^* a"), "1-2: an anchor cannot be repeated\n");
  EXPECT_EQ(Errors(".a"), "0-1: a dot before a name: write '. name' for any event and then the name\n");
  EXPECT_EQ(Errors("net::"), "0-5: a name cannot end in a separator\n");
  EXPECT_EQ(Errors("net::*"), "0-6: '*' repeats an event: write the glob in backquotes: `net::*`\n");
  EXPECT_EQ(Errors("org/a/*"), "0-7: '*' repeats an event: write the glob in backquotes: `org/a/*`\n");
  EXPECT_EQ(Errors("a$ b"),
            "0-4: no trace can match: '^' can only come before the first event, '$' only after the last\n");
}

TEST(PatternErrors, SeveralAtOnce) {
  EXPECT_EQ(Errors("a{3} )"),
            "1-4: a counted repetition is not part of the language: write 'a -> a -> a', 'a+' or 'a*'\n5-6: ')' "
            "without '('\n");
}

TEST(PatternErrors, RepeatingEmptyParenthesesIsOne) { EXPECT_EQ(Errors("()*"), "1-2: empty parentheses\n"); }

TEST(PatternErrors, ACountedRepetitionIsNotInTheLanguage) {
  for (const char* text : {"a{1000}{1000}", "(a){3}", "a {1,5}", "a{2", "a*{2}"}) {
    EXPECT_NE(Errors(text).find("counted repetition"), std::string::npos) << text << Errors(text);
  }
}

TEST(PatternErrors, AStarAfterADotIsWarnedAbout) {
  std::vector<Diagnostic> diagnostics;
  EXPECT_NE(ParsePattern("org.apache.*", {}, 0, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].severity, Severity::kWarning);
}

TEST(PatternLimits, EachNamesItselfAndHowToRaiseIt) {
  EXPECT_NE(Errors(std::string(1 << 20, 'a')).find("pattern of 1048576 bytes, more than 16384: --max-pattern-bytes"),
            std::string::npos);
  EXPECT_NE(Errors(Repeat("a ", 4000)).find("--max-pattern-states"), std::string::npos);
  EXPECT_EQ(Errors(Repeat("a ", 1300)), "");
  EXPECT_EQ(Errors(Repeat("(", 200) + "a" + Repeat(")", 200)), "");
  EXPECT_NE(Errors(Repeat("(", 201) + "a" + Repeat(")", 201)).find("nested deeper than 200"), std::string::npos);
  EXPECT_NE(Errors(Repeat("a? -> ", 1300) + "a").find("automaton edges"), std::string::npos);
}

// Row 22 of the faults: hostile patterns end soon, with an error or an automaton, on the usual stack.
TEST(PatternLimits, HostilePatternsEndSoon) {
  const PatternLimits wide{.bytes = 4 << 20, .states = 4096, .depth = 1 << 20};
  EXPECT_EQ(Errors("(a*)*b"), "");
  EXPECT_EQ(Errors(Repeat("(", 100000) + "a" + Repeat(")*", 100000), wide), "");
  EXPECT_EQ(Errors(Repeat("(", 100000) + "a" + Repeat(")+?", 100000), wide), "");
  EXPECT_NE(Errors(Repeat("(", 100000), wide).find("unclosed parenthesis"), std::string::npos);
  EXPECT_NE(Errors(Repeat("<", 1 << 20), wide), "");
  EXPECT_NE(Errors(Repeat("{", 1 << 20), wide), "");
  EXPECT_NE(Errors(Repeat("a{", 1 << 20), wide), "");
  EXPECT_NE(Errors(Repeat("`", (1 << 20) + 1), wide), "");
  EXPECT_NE(Errors(Repeat("|", 1 << 20), wide), "");
  EXPECT_EQ(Errors("a" + Repeat("*+?", 100000), wide), "");
  EXPECT_NE(Errors("(" + Repeat("a|", 1300) + "b)*").find("automaton edges"), std::string::npos);
}

TEST(PatternLimits, AlternativesUnderAStarShareOneState) {
  std::string text = "^(/0/";
  for (int i = 1; i < 2000; ++i) text += fmt::format("|/{}/", i);
  std::vector<Diagnostic> diagnostics;
  const auto pattern = ParsePattern(text + ")*$", {.bytes = 1 << 20, .states = 4096, .depth = 10}, 0, diagnostics);
  ASSERT_NE(pattern, nullptr);
  EXPECT_EQ(pattern->states, 1u);
  EXPECT_EQ(pattern->edges.size(), 2000u);
}

}  // namespace
}  // namespace oscope::bql
