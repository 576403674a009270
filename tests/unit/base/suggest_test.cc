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

}  // namespace
}  // namespace oscope
