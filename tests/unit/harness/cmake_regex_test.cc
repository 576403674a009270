#include "tracer/harness/cmake_regex.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

bool Found(std::string_view regex, std::string_view text) { return CMakeRegex(regex).FoundIn(text); }

TEST(CMakeRegex, FindsAnywhere) {
  EXPECT_TRUE(Found("ERROR", "one ERROR two"));
  EXPECT_FALSE(Found("error", "one ERROR two"));
  EXPECT_TRUE(Found("a|b+c", "xbbc"));
  EXPECT_TRUE(Found("(ab)?c", "c"));
}

TEST(CMakeRegex, AnchorsAreTheEndsOfTheText) {
  EXPECT_TRUE(Found("^one", "one\ntwo"));
  EXPECT_FALSE(Found("^two", "one\ntwo"));
  EXPECT_FALSE(Found("one$", "one\ntwo"));
  EXPECT_TRUE(Found("one.two", "one\ntwo"));
}

TEST(CMakeRegex, BackslashTakesTheNextAsItIs) {
  EXPECT_TRUE(Found(R"(1\.5)", "1.5"));
  EXPECT_FALSE(Found(R"(1\.5)", "1x5"));
  EXPECT_TRUE(Found(R"(\d)", "d"));
  EXPECT_FALSE(Found(R"(\d)", "7"));
}

TEST(CMakeRegex, BracesAreOrdinary) {
  EXPECT_TRUE(Found("a{2}", "a{2}"));
  EXPECT_FALSE(Found("a{2}", "aa"));
}

TEST(CMakeRegex, Brackets) {
  EXPECT_TRUE(Found("[0-9]+ failed", "12 failed"));
  EXPECT_TRUE(Found("[]x]", "]"));
  EXPECT_TRUE(Found("[^]x]", "y"));
  EXPECT_FALSE(Found("[^]x]", "]x"));
  EXPECT_TRUE(Found(R"([\]z)", R"(\z)"));
  EXPECT_TRUE(Found("[[]", "["));
}

TEST(CMakeRegex, MalformedIsNeverFound) {
  for (const char* regex : {"(", "a**", "[", "(?i)a", "*a", ")"}) EXPECT_FALSE(Found(regex, "(a*[(?i)")) << regex;
}

TEST(CMakeRegex, AnyBytes) {
  EXPECT_TRUE(Found("a.b", std::string_view("a\xff"
                                            "b")));
  EXPECT_TRUE(Found("ü+", "Süd"));
}

}  // namespace
}  // namespace oscope
