#include "base/suggest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace oscope {
namespace {

using Names = std::vector<std::string>;

TEST(Suggest, FindsTheNearest) {
  const Names names = {"import", "export", "query", "Query", "store"};
  EXPECT_EQ(Suggest("improt", names), Names{"import"});
  EXPECT_EQ(Suggest("qurey", names), (Names{"query", "Query"}));
  EXPECT_EQ(Suggest("Qurey", names), (Names{"Query", "query"}));
  EXPECT_EQ(Suggest("Qurey", names, 1), Names{"Query"});
  EXPECT_EQ(Suggest("QUERY", names), (Names{"Query", "query"}));
  EXPECT_EQ(Suggest("inport", names), (Names{"import", "export"}));
  EXPECT_EQ(Suggest("zzz", names), Names{});
  EXPECT_EQ(Suggest("", names), Names{});
}

// The distance as its definition has it.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cells(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& cell = cells[i][j] = i + j;
      if (i > 0) cell = std::min(cell, cells[i - 1][j] + 1);
      if (j > 0) cell = std::min(cell, cells[i][j - 1] + 1);
      if (i > 0 && j > 0) cell = std::min(cell, cells[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cell = std::min(cell, cells[i - 2][j - 2] + 1);
    }
  }
  return cells[a.size()][b.size()];
}

// Distances are worked out only as far as they count.
TEST(Suggest, FindsWhatTheWholeTableOfDistancesSays) {
  std::mt19937 random(1);
  const auto word = [&] {
    std::string letters(random() % 14, 'a');
    for (char& letter : letters) letter = static_cast<char>('a' + random() % 3);
    return letters;
  };
  for (int round = 0; round < 300; ++round) {
    const std::string name = word();
    Names names;
    for (int i = 0; i < 40; ++i) names.push_back(word());
    std::vector<std::pair<size_t, size_t>> near;
    for (size_t i = 0; i < names.size(); ++i) {
      const size_t distance = Distance(name, names[i]);
      if (distance <= std::max<size_t>(1, name.size() / 3)) near.emplace_back(distance, i);
    }
    std::sort(near.begin(), near.end());
    Names expected;
    for (const auto& [distance, place] : near) expected.push_back(names[place]);
    EXPECT_EQ(Suggest(name, names, names.size()), expected) << name;
  }
}

TEST(Suggest, HugeNamesCostNothing) {
  const Names names = {std::string(10'000'000, 'a'), "b"};
  EXPECT_EQ(Suggest(std::string(10'000'000, 'b'), names), Names{});
  EXPECT_EQ(Suggest("a", names), Names{"b"});
}

TEST(Suggest, ReadsAsASentence) {
  EXPECT_EQ(DidYouMean({}), "");
  EXPECT_EQ(DidYouMean(Names{"x"}), "did you mean 'x'?");
  EXPECT_EQ(DidYouMean(Names{"x", "y"}), "did you mean 'x' or 'y'?");
  EXPECT_EQ(DidYouMean(Names{"x", "y", "z"}), "did you mean 'x', 'y' or 'z'?");
}

TEST(Suggest, NearIsAThirdOfTheLengthAndOneAtLeast) {
  EXPECT_EQ(Suggest("ab", Names{"ax"}), Names{"ax"});
  EXPECT_EQ(Suggest("ab", Names{"xy"}), Names{}) << "two edits of a short name";
  EXPECT_EQ(Suggest("abcde", Names{"abcxy"}), Names{}) << "two edits of five";
  EXPECT_EQ(Suggest("abcdef", Names{"abcdxy"}), Names{"abcdxy"}) << "two edits of six";
  EXPECT_EQ(Suggest("abcdef", Names{"abcxyz"}), Names{});
  EXPECT_EQ(Suggest("abcdef", Names{"abcdefgh"}), Names{"abcdefgh"}) << "two letters more";
  EXPECT_EQ(Suggest("abcdef", Names{"abcdefghi"}), Names{});
  EXPECT_EQ(Suggest("abcdef", Names{"abcd"}), Names{"abcd"});
  EXPECT_EQ(Suggest("abcdef", Names{"abc"}), Names{});
  EXPECT_EQ(Suggest("abcd", Names{"abdc"}), Names{"abdc"}) << "a swap is one edit";
}

TEST(Suggest, ThreeAtMostUnlessTold) {
  const Names names = {"aa", "ab", "ac", "ad"};
  EXPECT_EQ(Suggest("a", names), (Names{"aa", "ab", "ac"}));
  EXPECT_EQ(Suggest("a", names, 4), names);
  EXPECT_EQ(Suggest("a", names, 0), Names{});
}

TEST(Suggest, NamesOfTheLongestLengthAreStillLookedFor) {
  EXPECT_EQ(Suggest(std::string(256, 'a'), Names{std::string(255, 'a')}).size(), 1u);
  EXPECT_EQ(Suggest(std::string(257, 'a'), Names{std::string(257, 'a')}).size(), 0u);
}

}  // namespace
}  // namespace oscope
