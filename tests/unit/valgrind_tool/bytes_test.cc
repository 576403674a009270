// Patterns of names, and instructions by their bytes.
#include <gtest/gtest.h>

#include "tests/unit/valgrind_tool/tool_parts.h"

namespace {

// The rule once more, as it is said.
bool Fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') return Fits(pattern.substr(1), text) || (!text.empty() && Fits(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) && Fits(pattern.substr(1), text.substr(1));
}

TEST(ValgrindGlob, IsTheRuleForEveryShortPatternAndText) {
  constexpr std::string_view kLetters = "ab*?";
  std::vector<std::string> patterns = {""}, texts = {""};
  for (size_t i = 0; patterns[i].size() < 5; ++i) {
    for (const char c : kLetters) patterns.push_back(patterns[i] + c);
  }
  for (size_t i = 0; texts[i].size() < 5; ++i) {
    for (const char c : {'a', 'b'}) texts.push_back(texts[i] + c);
  }
  for (const std::string& pattern : patterns) {
    for (const std::string& text : texts)
      ASSERT_EQ(GlobFits(pattern.c_str(), text.c_str()) != 0, Fits(pattern, text)) << pattern << " " << text;
  }
  EXPECT_FALSE(GlobFits("a*b*c", "aXXbXX"));
  EXPECT_TRUE(GlobFits("a*bc", "abXbc")) << "a star takes more when less did not do";
}

using Code = std::vector<unsigned char>;

bool Jumps(const Code& code) { return IsConditionalJump(code.data(), static_cast<unsigned>(code.size())) != 0; }
bool Divides(const Code& code) { return IsDivision(code.data(), static_cast<unsigned>(code.size())) != 0; }

TEST(ValgrindJumps, AreKnownByTheirFirstByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool expected = (byte >= 0x70 && byte <= 0x7f) || (byte >= 0xe0 && byte <= 0xe3);
    EXPECT_EQ(Jumps({static_cast<unsigned char>(byte), 0x10}), expected) << std::hex << byte;
    // Behind 0x0f those of a word.
    EXPECT_EQ(Jumps({0x0f, static_cast<unsigned char>(byte), 0, 0, 0, 0}), byte >= 0x80 && byte <= 0x8f)
        << std::hex << byte;
  }
}

TEST(ValgrindJumps, MayHavePrefixes) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool is_rex = byte >= 0x40 && byte <= 0x4f;
    const bool is_prefix = is_rex || byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == 0x3e ||
                           (byte >= 0x64 && byte <= 0x67) || byte == 0xf2 || byte == 0xf3;
    const bool is_jump = (byte >= 0x70 && byte <= 0x7f) || (byte >= 0xe0 && byte <= 0xe3);
    EXPECT_EQ(Jumps({static_cast<unsigned char>(byte), 0x74, 0x10}), is_prefix || is_jump) << std::hex << byte;
    const bool is_division = byte == 0xf6 || byte == 0xf7;
    EXPECT_EQ(Divides({static_cast<unsigned char>(byte), 0xf7, 0xf1}), is_prefix || is_division) << std::hex << byte;
  }
  EXPECT_TRUE(Jumps({0x2e, 0x66, 0x75, 0x10}));
}

TEST(ValgrindJumps, EndWithTheInstruction) {
  EXPECT_FALSE(IsConditionalJump(Code{0x74}.data(), 0));
  const Code code = {0x2e, 0x0f, 0x84};
  EXPECT_FALSE(IsConditionalJump(code.data(), 1)) << "a prefix alone";
  EXPECT_FALSE(IsConditionalJump(code.data(), 2)) << "the first byte of two";
  EXPECT_TRUE(IsConditionalJump(code.data(), 3));
  const Code division = {0x48, 0xf7, 0xf9};
  EXPECT_FALSE(IsDivision(division.data(), 2));
  EXPECT_TRUE(IsDivision(division.data(), 3));
}

TEST(ValgrindDivisions, AreKnownByTheirSecondByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const unsigned operation = byte >> 3 & 7;  // TEST, TEST, NOT, NEG, MUL, IMUL, DIV, IDIV
    EXPECT_EQ(Divides({0xf6, static_cast<unsigned char>(byte)}), operation >= 6) << std::hex << byte;
    EXPECT_EQ(Divides({0xf7, static_cast<unsigned char>(byte)}), operation >= 6) << std::hex << byte;
  }
  EXPECT_FALSE(Divides({0xf5, 0xf1}));
  EXPECT_FALSE(Divides({0xf8, 0xf1}));
}

}  // namespace
