#include "bql/diagnostic.h"

#include <gtest/gtest.h>

namespace oscope::bql {
namespace {

Diagnostic At(uint32_t begin, uint32_t end, std::string message, Severity severity = Severity::kError) {
  return {severity, {begin, end}, std::move(message)};
}

TEST(Diagnostic, LocatesByLinesAndCodePoints) {
  const std::string_view text = "ab\ncäd";
  EXPECT_EQ(Locate(text, 0).line, 1u);
  EXPECT_EQ(Locate(text, 4).line, 2u);
  EXPECT_EQ(Locate(text, 6).column, 3u);  // d: ä has two bytes
  EXPECT_EQ(Locate(text, 100).column, 4u);
}

TEST(Diagnostic, ShowsACaretUnderTheSpan) {
  EXPECT_EQ(RenderDiagnostics("SELECT b FROM Rhin", {At(14, 18, "unknown project 'Rhin'")}),
            "1:15: unknown project 'Rhin'\n"
            "  SELECT b FROM Rhin\n"
            "                ^~~~\n");
}

TEST(Diagnostic, ShowsALineOnceForAllItsErrorsInOrder) {
  EXPECT_EQ(RenderDiagnostics("one two", {At(4, 7, "second", Severity::kWarning), At(0, 3, "first")}),
            "1:1: first\n"
            "1:5: warning: second\n"
            "  one two\n"
            "  ^~~ ^~~\n");
}

TEST(Diagnostic, GivesOverlappingSpansRowsOfTheirOwn) {
  EXPECT_EQ(RenderDiagnostics("abcdef", {At(0, 6, "all"), At(2, 4, "part")}),
            "1:1: all\n"
            "1:3: part\n"
            "  abcdef\n"
            "  ^~~~~~\n"
            "    ^~\n");
}

TEST(Diagnostic, ShowsEachLineOfALongerText) {
  EXPECT_EQ(RenderDiagnostics("a\nbb\r\nc", {At(0, 1, "x"), At(3, 4, "y"), At(7, 7, "z")}),
            "1:1: x\n  a\n  ^\n2:2: y\n  bb\n   ^\n3:2: z\n  c\n   ^\n");
}

TEST(Diagnostic, PointsBehindTheEnd) {
  EXPECT_EQ(RenderDiagnostics("ab", {At(2, 2, "more")}), "1:3: more\n  ab\n    ^\n");
  EXPECT_EQ(RenderDiagnostics("", {At(0, 0, "empty")}), "1:1: empty\n  \n  ^\n");
  EXPECT_EQ(RenderDiagnostics("ab", {At(90, 99, "far")}), "1:3: far\n  ab\n    ^\n");
}

TEST(Diagnostic, CountsWideAndEscapedCharactersByTheColumnsTheyTake) {
  EXPECT_EQ(RenderDiagnostics("\x1b\t漢 x", {At(6, 7, "here")}),
            "1:5: here\n"
            "  \\x1b 漢 x\n"
            "          ^\n");
}

TEST(Diagnostic, CutsALongLineAroundTheSpan) {
  const std::string text = std::string(300, 'a') + "X" + std::string(300, 'b');
  const std::string rendered = RenderDiagnostics(text, {At(300, 301, "here")});
  EXPECT_EQ(rendered, "1:301: here\n  …" + std::string(30, 'a') + "X" + std::string(65, 'b') + "…\n  " +
                          std::string(31, ' ') + "^\n");
}

TEST(Diagnostic, ShowsFarErrorsOfOneLineApart) {
  const std::string text(400, 'a');
  const std::string rendered = RenderDiagnostics(text, {At(0, 1, "near"), At(399, 400, "far")});
  EXPECT_NE(rendered.find("1:1: near\n  aaa"), std::string::npos) << rendered;
  EXPECT_NE(rendered.find("1:400: far\n  …aaa"), std::string::npos) << rendered;
}

TEST(Diagnostic, CutsOnlyWhatIsWiderThanTheWindow) {
  const std::string fits(96, 'a'), over(97, 'a');
  EXPECT_EQ(RenderDiagnostics(fits, {At(95, 96, "end")}),
            "1:96: end\n  " + fits + "\n  " + std::string(95, ' ') + "^\n");
  EXPECT_EQ(RenderDiagnostics(over, {At(0, 1, "begin")}), "1:1: begin\n  " + fits + "…\n  ^\n");
  // What ends within the window keeps the line's beginning; what does not is shown after some of what stands before it.
  EXPECT_EQ(RenderDiagnostics(over, {At(94, 95, "in")}),
            "1:95: in\n  " + fits + "…\n  " + std::string(94, ' ') + "^\n");
  EXPECT_EQ(RenderDiagnostics(over, {At(95, 96, "out")}),
            "1:96: out\n  …" + std::string(32, 'a') + "\n  " + std::string(31, ' ') + "^\n");
  EXPECT_EQ(RenderDiagnostics(over, {At(20, 97, "long")}),
            "1:21: long\n  " + fits + "…\n  " + std::string(20, ' ') + "^" + std::string(76, '~') + "\n");
}

TEST(Diagnostic, ErrorsShareALineWhileOneWindowShowsThem) {
  const std::string text(96, 'a');
  EXPECT_EQ(RenderDiagnostics(text, {At(0, 1, "x"), At(65, 66, "y")}),
            "1:1: x\n1:66: y\n  " + text + "\n  ^" + std::string(64, ' ') + "^\n");
  EXPECT_EQ(RenderDiagnostics(text, {At(0, 1, "x"), At(66, 67, "y")}),
            "1:1: x\n  " + text + "\n  ^\n1:67: y\n  " + text + "\n  " + std::string(66, ' ') + "^\n");
  EXPECT_EQ(RenderDiagnostics("ab", {At(0, 1, "x"), At(1, 2, "y")}), "1:1: x\n1:2: y\n  ab\n  ^^\n");
}

TEST(Diagnostic, ASpanEndsWithItsLine) {
  EXPECT_EQ(RenderDiagnostics("ab\ncd", {At(1, 5, "over")}), "1:2: over\n  ab\n   ^\n");
  EXPECT_EQ(RenderDiagnostics("ab\ncd", {At(2, 3, "at the break")}), "1:3: at the break\n  ab\n    ^\n");
  EXPECT_EQ(RenderDiagnostics("ab\ncd", {At(3, 5, "second")}), "2:1: second\n  cd\n  ^~\n");
  EXPECT_EQ(RenderDiagnostics("\r\nx", {At(0, 1, "blank")}), "1:1: blank\n  \n  ^\n");
}

TEST(Diagnostic, RendersShortInOneLineEach) {
  EXPECT_EQ(RenderShort("ab\nc", {At(3, 4, "y"), At(0, 1, "x", Severity::kWarning)}), "1:1: warning: x\n2:1: y\n");
}

TEST(Diagnostic, KnowsErrorsFromWarnings) {
  EXPECT_FALSE(HasErrors({At(0, 1, "x", Severity::kWarning)}));
  EXPECT_TRUE(HasErrors({At(0, 1, "x", Severity::kWarning), At(0, 1, "y")}));
}

}  // namespace
}  // namespace oscope::bql
