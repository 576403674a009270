#include "tracer/symbols/source_text.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/symbols/built_program.h"

namespace oscope {
namespace {

constexpr int64_t kLater = int64_t{1} << 62;

TEST(SourceText, IsTrimmedAndFolded) {
  BuildDirectory build;
  const std::string file = build.Write("a.c", "int main(void) {\r\n\t  return\t\t x  +  1 ;  \n\n}\n last");
  SourceText text;
  EXPECT_EQ(text.Line(file, 1, kLater), "int main(void) {");
  EXPECT_EQ(text.Line(file, 2, kLater), "return x + 1 ;");
  EXPECT_EQ(text.Line(file, 3, kLater), std::nullopt);  // blank
  EXPECT_EQ(text.Line(file, 4, kLater), "}");
  EXPECT_EQ(text.Line(file, 5, kLater), "last");
  EXPECT_EQ(text.Line(file, 0, kLater), std::nullopt);
  EXPECT_EQ(text.Line(file, 6, kLater), std::nullopt);
}

TEST(SourceText, IsNoneWithoutTheFile) {
  BuildDirectory build;
  SourceText text;
  EXPECT_EQ(text.Line(build.Path("none.c"), 1, kLater), std::nullopt);
  EXPECT_EQ(text.Line(build.Path(""), 1, kLater), std::nullopt);
  EXPECT_EQ(text.Line("", 1, kLater), std::nullopt);
}

TEST(SourceText, IsNoneWhereTheFileIsNewerThanTheObject) {
  BuildDirectory build;
  const std::string file = build.Write("a.c", "x\n");
  const auto written = std::filesystem::last_write_time(file);
  const int64_t written_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::file_clock::to_sys(written).time_since_epoch())
          .count();
  SourceText text;
  EXPECT_EQ(text.Line(file, 1, written_ns), "x");
  EXPECT_EQ(text.Line(file, 1, written_ns - 1), std::nullopt);
}

TEST(SourceText, LongLinesAreCutBetweenCharacters) {
  BuildDirectory build;
  std::string umlauts = "x";
  for (int i = 0; i < 2000; ++i) umlauts += "\xc3\xa4";
  const std::string file = build.Write("a.c", std::string(5000, 'y') + "\n" + umlauts + "\n");
  SourceText text;
  EXPECT_EQ(text.Line(file, 1, kLater), std::string(SourceText::kMaxBytes, 'y'));
  EXPECT_EQ(text.Line(file, 2, kLater), umlauts.substr(0, SourceText::kMaxBytes - 1));
}

TEST(SourceText, IsCutExactlyAtItsLimit) {
  BuildDirectory build;
  const std::string most(SourceText::kMaxBytes, 'y');
  const std::string shorter = most.substr(3);
  const std::string file = build.Write(
      "a.c",
      fmt::format("{0}\n{0}z\n{1} z\n{2}\xe2\x82\xac\n{2}\xf0\x9f\x98\x80\n{0}   \n", most, most.substr(1), shorter));
  SourceText text;
  EXPECT_EQ(text.Line(file, 1, kLater), most);
  EXPECT_EQ(text.Line(file, 2, kLater), most);
  EXPECT_EQ(text.Line(file, 3, kLater), most.substr(1)) << "no space is left at the cut";
  EXPECT_EQ(text.Line(file, 4, kLater), shorter + "\xe2\x82\xac");
  EXPECT_EQ(text.Line(file, 5, kLater), shorter) << "a character of four bytes of which three would fit";
  EXPECT_EQ(text.Line(file, 6, kLater), most);
}

TEST(SourceText, IsThatOfTheFirstTime) {
  BuildDirectory build;
  const std::string file = build.Write("a.c", "first\n");
  SourceText text;
  EXPECT_EQ(text.Line(file, 1, kLater), "first");
  build.Write("a.c", "second\n");
  EXPECT_EQ(text.Line(file, 1, kLater), "first") << "a file is read once";
  const std::string later = build.Path("b.c");
  EXPECT_EQ(text.Line(later, 1, kLater), std::nullopt);
  build.Write("b.c", "there now\n");
  EXPECT_EQ(text.Line(later, 1, kLater), std::nullopt) << "nor is one that was not there asked for again";
}

}  // namespace
}  // namespace oscope
