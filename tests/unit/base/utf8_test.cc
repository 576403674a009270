#include "base/utf8.h"

#include <gtest/gtest.h>

#include "base/escape.h"

namespace oscope {
namespace {

TEST(Utf8, CutsBetweenCharacters) {
  const std::string text = "aé€𝄞b";  // 1, 2, 3, 4 and 1 bytes
  const std::pair<size_t, std::string> cuts[] = {{0, ""},      {1, "a"},   {2, "a"},   {3, "aé"},  {4, "aé"},
                                                 {5, "aé"},    {6, "aé€"}, {7, "aé€"}, {8, "aé€"}, {9, "aé€"},
                                                 {10, "aé€𝄞"}, {11, text}, {12, text}};
  for (const auto& [bytes, expected] : cuts) {
    EXPECT_EQ(CutToBytes(text, bytes), expected) << bytes;
    EXPECT_EQ(Utf8Cut(text, bytes), expected.size()) << bytes;
    EXPECT_TRUE(IsValidUtf8(CutToBytes(text, bytes)));
  }
  EXPECT_EQ(CutToBytes("", 5), "");
}

TEST(Utf8, WhatIsNoUtf8LosesThreeBytesAtMost) {
  const std::string bytes(100, '\x80');
  EXPECT_EQ(Utf8Cut(bytes, 50), 47u);
  EXPECT_EQ(Utf8Cut(bytes, 2), 0u);
  EXPECT_EQ(Utf8Cut(bytes, 100), 100u);
}

TEST(Utf8, WalksFromCharacterToCharacter) {
  const std::string_view text = "aé€b";
  EXPECT_EQ(Utf8CharacterEnd(text, 0), 1u);
  EXPECT_EQ(Utf8CharacterEnd(text, 1), 3u);
  EXPECT_EQ(Utf8CharacterEnd(text, 3), 6u);
  EXPECT_EQ(Utf8CharacterEnd(text, 6), 7u);
  EXPECT_EQ(Utf8CharacterEnd("\xe2\x82", 0), 2u) << "one that is cut off";
  EXPECT_TRUE(IsUtf8Continuation('\xbf'));
  EXPECT_FALSE(IsUtf8Continuation('\xc3'));
  EXPECT_FALSE(IsUtf8Continuation('a'));
}

}  // namespace
}  // namespace oscope
