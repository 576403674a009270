// The methods that ran last on both sides, and on one only.
#include "query/similar/common_methods.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Names = std::vector<std::string>;

TEST(CommonMethods, AreTheLatestFirstAsOursRanThem) {
  const CommonMethods common = CommonMethods::Of({"open", "read", "parse", "fail"}, {"parse", "open", "close", "stop"});
  EXPECT_EQ(common.both, (Names{"parse", "open"}));
  EXPECT_EQ(common.only_ours, (Names{"fail", "read"}));
  EXPECT_EQ(common.only_theirs, (Names{"stop", "close"}));
  EXPECT_EQ(common.all(), 6u);
}

TEST(CommonMethods, CountAMethodOnceWhereItRanLast) {
  const CommonMethods common = CommonMethods::Of({"read", "parse", "read"}, {"x", "x"});
  EXPECT_EQ(common.only_ours, (Names{"read", "parse"}));
  EXPECT_EQ(common.only_theirs, Names{"x"});
}

TEST(CommonMethods, AreTheSameWithOtherTemplateArguments) {
  const CommonMethods common = CommonMethods::Of({"list<int>::push"}, {"list<char>::push"});
  EXPECT_EQ(common.both, Names{"list::push"});
  EXPECT_EQ(common.all(), 1u);
}

TEST(CommonMethods, OfNothingAreNone) {
  EXPECT_EQ(CommonMethods::Of({}, {}).all(), 0u);
  EXPECT_EQ(CommonMethods::Of({"a"}, {}).only_ours, Names{"a"});
}

}  // namespace
}  // namespace oscope
