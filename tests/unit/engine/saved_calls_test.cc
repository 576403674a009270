// Saved queries that are asked about a failing run: how they are called, and that they are remembered for its test.
#include <gtest/gtest.h>

#include "query/run/remembered_query.h"
#include "query/run/saved_queries.h"
#include "tests/bql/case_store.h"
#include "tracer/model/test_identity.h"

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

class RememberedQueryTest : public ::testing::Test {
 protected:
  RememberedQueryTest() : cases_(*CaseStore::FromTexts({})), store_(*cases_.Open()) {}
  uint64_t version() const { return *store_.NewestVersion(); }

  CaseStore cases_;
  Store store_;
};

TEST_F(RememberedQueryTest, IsOfAProjectAndATest) {
  EXPECT_EQ(*RememberedQuery(store_, "P", "t"), "");
  ASSERT_TRUE(RememberQuery(store_, "P", "t", "near").ok());
  ASSERT_TRUE(RememberQuery(store_, "P", "u", "suffix(tbug, d => 20)").ok());
  ASSERT_TRUE(RememberQuery(store_, "Q", "t", "stack").ok());
  EXPECT_EQ(*RememberedQuery(store_, "P", "t"), "near");
  EXPECT_EQ(*RememberedQuery(*cases_.Open(), "Q", "t"), "stack");
  EXPECT_EQ(*RememberedQuery(store_, "Q", "u"), "");
  const std::vector<RememberedTest> all = {
      {"P", "t", "near"}, {"P", "u", "suffix(tbug, d => 20)"}, {"Q", "t", "stack"}};
  EXPECT_EQ(*RememberedQueries(store_), all);
}

TEST_F(RememberedQueryTest, MakesNoVersionWhenNothingChanges) {
  ASSERT_TRUE(RememberQuery(store_, "P", "t", "").ok());
  EXPECT_EQ(version(), 1u);
  ASSERT_TRUE(RememberQuery(store_, "P", "t", "near").ok());
  const uint64_t after = version();
  ASSERT_TRUE(RememberQuery(store_, "P", "t", "near").ok());
  EXPECT_EQ(version(), after);
  ASSERT_TRUE(RememberQuery(store_, "P", "t", "").ok());
  EXPECT_EQ(*RememberedQueries(store_), std::vector<RememberedTest>{});
}

TEST_F(RememberedQueryTest, TakesAnyBytesForATest) {
  const std::string odd("a \xff\"\n\0b", 8);
  ASSERT_TRUE(RememberQuery(store_, "P", odd, "near").ok());
  EXPECT_EQ(*RememberedQuery(*cases_.Open(), "P", odd), "near");
}

TEST_F(RememberedQueryTest, OfARunWithoutATestIsThatOfItsCommand) {
  RunHeader run;
  run.project = "P";
  run.command = {"./test", "-v"};
  ASSERT_TRUE(RememberQuery(store_, run, "near").ok());
  EXPECT_EQ(*RememberedQuery(store_, "P", TestOf(run)), "near");
  EXPECT_EQ(*RememberedQuery(store_, run), "near");
  run.command = {"./test", "-q"};
  EXPECT_EQ(*RememberedQuery(store_, run), "");
}

// Earlier releases remembered it under the command line.
TEST_F(RememberedQueryTest, OfACommandLineCountsUntilItIsReplacedOrForgotten) {
  RunHeader run;
  run.project = "P";
  run.command = {"./test", "-v"};
  ASSERT_TRUE(RememberQuery(store_, "P", "./test -v", "near").ok());
  EXPECT_EQ(*RememberedQuery(store_, run), "near");
  ASSERT_TRUE(RememberQuery(store_, run, "stack").ok());
  EXPECT_EQ(*RememberedQueries(store_), (std::vector<RememberedTest>{{"P", TestOf(run), "stack"}}));
  ASSERT_TRUE(RememberQuery(store_, "P", "./test -v", "near").ok());
  ASSERT_TRUE(RememberQuery(store_, run, "").ok());
  EXPECT_EQ(*RememberedQueries(store_), std::vector<RememberedTest>{});
}

}  // namespace
}  // namespace oscope
