#include "query/clusters/decisions.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

Bug BugWith(std::map<std::string, std::string> custom) {
  Bug bug;
  bug.key = {"Ini", "2"};
  bug.custom = std::move(custom);
  return bug;
}

TEST(Decisions, AreSortedTextInCustomFields) {
  Bug bug = BugWith({{"component", "parser"}});
  WriteDecisions({.with = {"9", "10", "2", "9"}, .apart = {"a-1"}, .id = "2"}, bug);
  EXPECT_EQ(bug.custom,
            (std::map<std::string, std::string>{
                {"cluster_apart", "a-1"}, {"cluster_id", "2"}, {"cluster_with", "10 9"}, {"component", "parser"}}));
  EXPECT_EQ(ReadDecisions(bug), (Decisions{.with = {"10", "9"}, .apart = {"a-1"}, .id = "2"}));
  WriteDecisions({}, bug);
  EXPECT_EQ(bug, BugWith({{"component", "parser"}}));
}

TEST(Decisions, WhatIsNoIdIsLeftOut) {
  const Bug bug =
      BugWith({{"cluster_with", "  7 ../x 2 \x1b[31m 3,4 8"}, {"cluster_apart", ""}, {"cluster_id", "two words"}});
  EXPECT_EQ(ReadDecisions(bug), (Decisions{.with = {"7", "8"}, .apart = {}, .id = ""}));
  EXPECT_TRUE(ReadDecisions(BugWith({})).empty());
}

}  // namespace
}  // namespace oscope
