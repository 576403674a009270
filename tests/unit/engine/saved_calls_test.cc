// How saved queries are called about the bug at hand.
#include <gtest/gtest.h>

#include "query/run/saved_queries.h"

namespace oscope {
namespace {

TEST(CallAboutBugAtHand, PutsTheBugFirst) {
  const std::vector<bql::SavedQuery> saved = {{"near", {{"bug", {}}, {"d", "3"}}, "SELECT …", false},
                                              {"mine", {}, "SELECT …", false},
                                              {"two", {{"bug", {}}, {"d", {}}}, "SELECT …", false}};
  EXPECT_EQ(*CallAboutBugAtHand(saved, "near"), "CALL near(tbug)");
  EXPECT_EQ(*CallAboutBugAtHand(saved, "NEAR"), "CALL near(tbug)");
  EXPECT_EQ(*CallAboutBugAtHand(saved, "suffix"), "CALL suffix(tbug)");
  EXPECT_EQ(*CallAboutBugAtHand(saved, "mine"), "CALL mine");
  EXPECT_EQ(*CallAboutBugAtHand(saved, "suffix(tbug, d => 20)"), "CALL suffix(tbug, d => 20)");
  EXPECT_EQ(CallAboutBugAtHand(saved, "nera").error().message, "there is no saved query 'nera': did you mean 'near'?");
  EXPECT_EQ(CallAboutBugAtHand(saved, "nera(tbug)").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(CallAboutBugAtHand(saved, "two").error().message, "query two: 'd' is missing: two(bug, d)");
  for (const char* wrong : {"two(tbug", "near(tbug, x => 3)", "near(tbug); DROP QUERY near", "near() SELECT"}) {
    EXPECT_EQ(CallAboutBugAtHand(saved, wrong).error().code, ErrorCode::kInvalid) << wrong;
  }
}

}  // namespace
}  // namespace oscope
