#include "bql/pattern/pattern.h"

#include <gtest/gtest.h>

#include <regex>

#include "tests/unit/pattern/pattern_sample.h"

namespace oscope::bql {
namespace {

TEST(Pattern, ASequenceLetsOthersBetween) {
  EXPECT_TRUE(TakesLetters("a b", "ab"));
  EXPECT_TRUE(TakesLetters("a b", "xxaxxbxx"));
  EXPECT_FALSE(TakesLetters("a b", "ba"));
  EXPECT_FALSE(TakesLetters("a b", "a"));
}

TEST(Pattern, AnArrowDoesNot) {
  EXPECT_TRUE(TakesLetters("a -> b", "xabx"));
  EXPECT_TRUE(TakesLetters("a->b", "xabx"));
  EXPECT_FALSE(TakesLetters("a -> b", "axb"));
  EXPECT_TRUE(TakesLetters("a -> b c", "abxc"));
  EXPECT_FALSE(TakesLetters("a b -> c", "abxc"));
}

TEST(Pattern, AlternativesAndRepetitions) {
  EXPECT_TRUE(TakesLetters("^(a|b)$", "b"));
  EXPECT_FALSE(TakesLetters("^(a|b)$", "ab"));
  EXPECT_TRUE(TakesLetters("^a*$", ""));
  EXPECT_TRUE(TakesLetters("^a*$", "aaa"));
  EXPECT_FALSE(TakesLetters("^a*$", "aba"));
  EXPECT_FALSE(TakesLetters("^a+$", ""));
  EXPECT_TRUE(TakesLetters("^a+ -> b$", "aab"));
  EXPECT_TRUE(TakesLetters("^a? -> b$", "b"));
  EXPECT_FALSE(TakesLetters("^a? -> b$", "aab"));
  EXPECT_TRUE(TakesLetters("^. -> .$", "xy"));
  EXPECT_FALSE(TakesLetters("^. -> .$", "xyz"));
  EXPECT_TRUE(TakesLetters("^((a*)*)* -> b$", "aaaaaaaaaaaaab"));
  EXPECT_FALSE(TakesLetters("^((a*)*)* -> b$", std::string(5000, 'a')));
}

TEST(Pattern, AnchorsHoldWhereverTheyStand) {
  EXPECT_TRUE(TakesLetters("^a", "ab"));
  EXPECT_FALSE(TakesLetters("^a", "ba"));
  EXPECT_TRUE(TakesLetters("a$", "ba"));
  EXPECT_FALSE(TakesLetters("a$", "ab"));
  EXPECT_TRUE(TakesLetters("^a | b$", "xb"));
  EXPECT_TRUE(TakesLetters("^a | b$", "ax"));
  EXPECT_FALSE(TakesLetters("^a | b$", "xabx"));
  EXPECT_TRUE(TakesLetters("(^a | b) c", "acx"));
  EXPECT_FALSE(TakesLetters("(^a | b) c", "xac"));
  EXPECT_TRUE(TakesLetters("^$", ""));
  EXPECT_FALSE(TakesLetters("^$", "a"));
  EXPECT_TRUE(TakesLetters("^ a b $", "axxb"));
}

TEST(Pattern, AClassNameStandsForARunOfItsEvents) {
  EXPECT_TRUE(Takes("^PC -> escapeJava$", {"lang.PC.a", "lang.PC.b", "lang.PC.c", "Utils.escapeJava"}));
  EXPECT_FALSE(Takes("^PC -> escapeJava$", {"lang.PC.a", "x", "lang.PC.c", "Utils.escapeJava"}));
  EXPECT_TRUE(Takes("PC escapeJava", {"x", "lang.PC.a", "y", "Utils.escapeJava", "z"}));
  EXPECT_TRUE(Takes("^lang$", {"lang.PC.a", "lang.Other.b"}));
  EXPECT_FALSE(Takes("^PC()$", {"lang.PC.a"}));
  EXPECT_TRUE(Takes("^copy()$", {"A.copy"}));
  EXPECT_FALSE(Takes("^copy$", {"A.copy", "A.copy"}));  // a method does not repeat
}

TEST(Pattern, NamesAsTheyAreWritten) {
  EXPECT_TRUE(Takes("^net::Socket::~Socket$", {"net::Socket::~Socket"}));
  EXPECT_TRUE(Takes("^LazyDynaBean.<init> -> x$", {"org.LazyDynaBean.<init>", "x"}));
  EXPECT_TRUE(Takes("^std::map<int, a::b>::at$", {"std::map<int, a::b>::at"}));
  EXPECT_TRUE(Takes("^Outer$Inner.run$", {"a.Outer$Inner.run"}));
  EXPECT_TRUE(Takes("^$Proxy12.get$", {"com.sun.$Proxy12.get"}));
  EXPECT_TRUE(Takes("^f::{lambda(int)#1}::operator()$", {"f::{lambda(int)#1}::operator()"}));
  EXPECT_TRUE(Takes("^{lambda(int)#1}::operator()$", {"f::{lambda(int)#1}::operator()"}));
  EXPECT_TRUE(Takes("^operator* -> operator->$", {"V::operator*", "V::operator->"}));
  EXPECT_TRUE(Takes("^org/apache/X.m$", {"org.apache.X.m"}));
  EXPECT_TRUE(Takes("^a-b$", {"a-b"}));
  EXPECT_TRUE(Takes("^`operator new`$", {"operator new"}));
  EXPECT_TRUE(Takes("^`S f: x = \\`y\\`;`$", {"S f: x = `y`;"}));
  EXPECT_TRUE(Takes("^`operator\\*`$", {"V::operator*"}));
  EXPECT_FALSE(Takes("^`operator\\*`$", {"V::operatorX"}));
  EXPECT_TRUE(Takes("^copy(a|b)$", {"copy", "z", "b"}));
}

TEST(Pattern, GlobsAndRegularExpressions) {
  EXPECT_TRUE(Takes("^`net::*`$", {"net::Socket::read"}));
  EXPECT_FALSE(Takes("^`net::*`$", {"net::Socket::read", "net::f"}));
  EXPECT_TRUE(Takes("^`net::*`+$", {"net::Socket::read", "net::f"}));
  EXPECT_TRUE(Takes("^/^parse_/ -> /a\\/b|::x$/$", {"parse_int", "q::x"}));
  EXPECT_TRUE(Takes("^/a\\/b/$", {"M S a/b"}));
}

TEST(Pattern, ADotInANameBelongsToIt) {
  EXPECT_TRUE(Takes("^A.b$", {"x.A.b"}));
  EXPECT_FALSE(Takes("^A.b$", {"A", "q", "b"}));
  EXPECT_TRUE(Takes("^a . b$", {"a", "q", "b"}));
  EXPECT_FALSE(Takes("^a -> . -> b$", {"a", "b"}));
  EXPECT_TRUE(Takes("^a.*$", {"a", "q", "b"}));
}

TEST(Pattern, KeepsNamesAndTheShortestWord) {
  const auto pattern = MustParse("open (read|read|close)+ /x/ `y*` `z`");
  EXPECT_EQ(pattern->names, (std::vector<std::string>{"open", "read", "close", "z"}));
  EXPECT_EQ(pattern->shortest_word, 5u);
  EXPECT_EQ(pattern->text, "open (read|read|close)+ /x/ `y*` `z`");
  EXPECT_EQ(MustParse("a*")->shortest_word, 0u);
  EXPECT_EQ(MustParse("^a -> b")->shortest_word, 2u);
  EXPECT_EQ(MustParse("^a b$")->shortest_word, 2u);
  EXPECT_EQ(MustParse("^a -> b$")->shortest_word, UINT32_MAX);
  EXPECT_EQ(MustParse("^(a | b b b)$")->shortest_word, 3u);
}

TEST(Pattern, IsTrimmedAndSorted) {
  for (const char* text : {"a", "(a|b|c)*", "^a b$", "a? b? c?", "^(a -> b)+$", "PC escapeJava"}) {
    const auto pattern = MustParse(text);
    EXPECT_EQ(pattern->accepting.size(), pattern->states);
    EXPECT_TRUE(
        std::is_sorted(pattern->edges.begin(), pattern->edges.end(), [](const PatternEdge& a, const PatternEdge& b) {
          return std::tie(a.from, a.matcher, a.to) < std::tie(b.from, b.matcher, b.to);
        }));
    std::vector<bool> from_start(pattern->states), to_end(pattern->accepting);
    for (const uint32_t state : pattern->start) from_start[state] = true;
    for (uint32_t round = 0; round <= pattern->states; ++round) {
      for (const PatternEdge& edge : pattern->edges) {
        if (from_start[edge.from]) from_start[edge.to] = true;
        if (to_end[edge.to]) to_end[edge.from] = true;
      }
    }
    EXPECT_EQ(std::count(from_start.begin(), from_start.end(), false), 0) << text;
    EXPECT_EQ(std::count(to_end.begin(), to_end.end(), false), 0) << text;
  }
}

// Random patterns and the same as ECMAScript regular expressions over letters, which have another engine.
class RandomPattern {
 public:
  explicit RandomPattern(uint32_t seed) : random_(seed) {}

  std::pair<std::string, std::string> Make(int depth) {
    const auto pick = random_() % (depth == 0 ? 2 : 8);
    if (pick == 0) return {".", "[abc]"};
    if (pick == 1) {
      const std::string letter(1, "abc"[random_() % 3]);
      return {letter, letter};
    }
    const auto [p, r] = Make(depth - 1);
    const auto [q, s] = Make(depth - 1);
    if (pick == 2) return {"(" + p + " " + q + ")", "(?:" + r + "[abc]*" + s + ")"};
    if (pick == 3) return {"(" + p + "->" + q + ")", "(?:" + r + s + ")"};
    if (pick == 4) return {"(" + p + "|" + q + ")", "(?:" + r + "|" + s + ")"};
    const char repetition = "*+?"[pick - 5];
    return {"(" + p + ")" + repetition, "(?:" + r + ")" + repetition};
  }

 private:
  std::mt19937 random_;
};

TEST(Pattern, AgreesWithAnotherRegularExpressionEngine) {
  RandomPattern patterns(11);
  std::mt19937 random(12);
  for (int i = 0; i < 400; ++i) {
    auto [text, regex] = patterns.Make(3);
    const bool begin = random() % 2 != 0, end = random() % 2 != 0;
    const std::string pattern = (begin ? "^" : "") + text + (end ? "$" : "");
    const std::regex expected((begin ? "" : "[abc]*") + regex + (end ? "" : "[abc]*"));
    for (int j = 0; j < 20; ++j) {
      std::string trace(random() % 7, ' ');
      for (char& c : trace) c = "abc"[random() % 3];
      ASSERT_EQ(TakesLetters(pattern, trace), std::regex_match(trace, expected)) << pattern << " on '" << trace << "'";
    }
  }
}

}  // namespace
}  // namespace oscope::bql
