#include "base/suggest.h"

#include <gtest/gtest.h>

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
