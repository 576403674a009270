// The query that is remembered for a test, of its project and of its runs.
#include "query/similar/remembered_query.h"

#include <gtest/gtest.h>

#include "tests/bql/case_store.h"
#include "tracer/model/test_identity.h"

namespace oscope {
namespace {

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
