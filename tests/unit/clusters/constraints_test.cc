#include "query/clusters/constraints.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

Bug BugWith(const std::string& id, const Decisions& decisions) {
  Bug bug;
  bug.key = {"Ini", id};
  WriteDecisions(decisions, bug);
  return bug;
}

TEST(Constraints, TogetherGoesOnThroughResolvedBugs) {
  const std::vector<Bug> bugs = {BugWith("1", {.with = {"2"}, .apart = {}, .id = {}}), BugWith("2", {}),
                                 BugWith("3", {.with = {"2", "gone"}, .apart = {}, .id = {}}), BugWith("4", {})};
  const Constraints constraints = CloseDecisions(bugs, {0, std::nullopt, 2, 1});
  EXPECT_EQ(constraints.together, (std::vector<std::vector<uint32_t>>{{0, 2}}));
  EXPECT_TRUE(constraints.apart.empty());
}

TEST(Constraints, ApartHoldsForAllThatEitherIsWith) {
  const std::vector<Bug> bugs = {BugWith("1", {.with = {"2"}, .apart = {"3"}, .id = {}}), BugWith("2", {}),
                                 BugWith("3", {.with = {"4"}, .apart = {"2"}, .id = {}}), BugWith("4", {})};
  const Constraints constraints = CloseDecisions(bugs, {3, 2, 1, 0});
  EXPECT_EQ(constraints.apart, (std::vector<std::pair<uint32_t, uint32_t>>{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  EXPECT_TRUE(constraints.contradictions.empty());
}

TEST(Constraints, AContradictionIsReportedAndTogetherCounts) {
  const std::vector<Bug> bugs = {BugWith("1", {.with = {"2"}, .apart = {"3"}, .id = {}}),
                                 BugWith("2", {.with = {"3"}, .apart = {}, .id = {}}), BugWith("3", {})};
  const Constraints constraints = CloseDecisions(bugs, {0, 1, 2});
  EXPECT_EQ(constraints.together, (std::vector<std::vector<uint32_t>>{{0, 1, 2}}));
  EXPECT_TRUE(constraints.apart.empty());
  EXPECT_EQ(constraints.contradictions, (std::vector<Contradiction>{{{"Ini", "1"}, {"Ini", "3"}}}));
}

}  // namespace
}  // namespace oscope
