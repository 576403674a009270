// Which query is asked about a failing run, and what is remembered of it.
#include "query/similar/failing_run.h"

#include "query/similar/remembered_query.h"
#include "tests/unit/similar/similar_fixture.h"

namespace oscope {
namespace {

class FailingRunTest : public SimilarTest {
 protected:
  // Bugs 1 and 2 end alike, and the run at hand like both of them. The saved query `other` finds bug 2 alone.
  void SetUp() override {
    Make({RunLine(1, "1", Events(50)) + RunLine(2, "2", Events(50)) + RunLine(9, "", Events(50))});
    session_.emplace(Open());
    run_.id = RunOf(9);
    run_.project = "P";
    run_.test = "t";
    Execute(
        "CREATE QUERY other(bug) AS SELECT b FROM ALL WHERE SUBSET?(:bug.failing[50], b.failing[50], 5) && b.id = 2");
  }
  void Execute(const std::string& statement) {
    const StatementResult done = session_->Execute(statement);
    ASSERT_TRUE(done.ok()) << done.error->message;
  }
  FailingRunAnswer Answer(std::string_view query, const SimilarOptions& options = {}) {
    return AnswerFailingRun([this]() -> Result<Session*> { return &*session_; }, *store_, run_, query, options);
  }
  std::string Remembered() const { return *RememberedQuery(*store_, run_); }

  std::optional<Session> session_;
  RunHeader run_;
};

TEST_F(FailingRunTest, WithoutAQueryIsAnsweredByTheUsualSearch) {
  const FailingRunAnswer answer = Answer("");
  EXPECT_EQ(Ids(answer.similar), (Names{"1", "2"}));
  EXPECT_EQ(answer.similar->query, "");
  EXPECT_FALSE(answer.by_memory);
  EXPECT_EQ(Remembered(), "");
}

TEST_F(FailingRunTest, IsAnsweredByTheQueryThatIsNamedAndThenRemembered) {
  const FailingRunAnswer named = Answer("other");
  EXPECT_EQ(Ids(named.similar), Names{"2"});
  EXPECT_EQ(named.similar->query, "other");
  EXPECT_FALSE(named.by_memory) << "somebody named it";
  EXPECT_EQ(Remembered(), "other");
  const FailingRunAnswer again = Answer("");
  EXPECT_EQ(Ids(again.similar), Names{"2"});
  EXPECT_EQ(again.similar->query, "other");
  EXPECT_TRUE(again.by_memory);
  EXPECT_TRUE(again.memory_unusable.ok());
  EXPECT_TRUE(again.memory_unchanged.ok());
}

TEST_F(FailingRunTest, AQueryIsRememberedForItsTestOnly) {
  ASSERT_TRUE(Answer("other").similar.ok());
  run_.test = "u";
  EXPECT_EQ(Ids(Answer("").similar), (Names{"1", "2"}));
}

TEST_F(FailingRunTest, AQueryThatIsNamedCountsForMoreThanTheOneThatIsRemembered) {
  ASSERT_TRUE(Answer("other").similar.ok());
  EXPECT_EQ(Ids(Answer("suffix(tbug, d => 0)").similar), (Names{"1", "2"}));
  EXPECT_EQ(Remembered(), "suffix(tbug, d => 0)");
}

TEST_F(FailingRunTest, UsualForgetsWhateverIsSavedUnderThatName) {
  Execute("CREATE QUERY usual(bug) AS SELECT b FROM ALL WHERE SUBSET?(:bug.failing[50], b.failing[50], 5) && b.id = 2");
  ASSERT_TRUE(Answer("other").similar.ok());
  const FailingRunAnswer usual = Answer("usual");
  EXPECT_EQ(Ids(usual.similar), (Names{"1", "2"}));
  EXPECT_EQ(usual.similar->query, "");
  EXPECT_TRUE(usual.memory_unchanged.ok());
  EXPECT_EQ(Remembered(), "");
}

TEST_F(FailingRunTest, AQueryThatIsRememberedAndGoneIsToldAndTheUsualSearchFollows) {
  ASSERT_TRUE(Answer("other").similar.ok());
  Execute("DROP QUERY other");
  const FailingRunAnswer answer = Answer("");
  EXPECT_EQ(Ids(answer.similar), (Names{"1", "2"}));
  EXPECT_FALSE(answer.by_memory);
  ASSERT_FALSE(answer.memory_unusable.ok());
  EXPECT_EQ(answer.memory_unusable.error().message, "there is no saved query 'other'");
  EXPECT_EQ(Remembered(), "other") << "it may be made again";
}

TEST_F(FailingRunTest, AQueryThatIsNamedAndGoneIsAnErrorAndNotRemembered) {
  const FailingRunAnswer answer = Answer("nothing");
  ASSERT_FALSE(answer.similar.ok());
  EXPECT_EQ(answer.similar.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(answer.memory_unusable.ok());
  EXPECT_EQ(Remembered(), "");
}

TEST_F(FailingRunTest, AQueryThatFailsIsNotRemembered) {
  session_->options().limits.rows = 0;
  ASSERT_FALSE(Answer("other").similar.ok());
  EXPECT_EQ(Remembered(), "");
}

TEST_F(FailingRunTest, WhatASessionThatCannotBeOpenedStillForgets) {
  ASSERT_TRUE(Answer("other").similar.ok());
  const GetSession none = []() -> Result<Session*> { return Corrupt("damaged"); };
  EXPECT_EQ(AnswerFailingRun(none, *store_, run_, "", {}).similar.error().message, "damaged");
  EXPECT_EQ(AnswerFailingRun(none, *store_, run_, "suffix", {}).similar.error().message, "damaged");
  EXPECT_EQ(Remembered(), "other");
  EXPECT_EQ(AnswerFailingRun(none, *store_, run_, "usual", {}).similar.error().message, "damaged");
  EXPECT_EQ(Remembered(), "");
}

TEST_F(FailingRunTest, TheRunIsOursOnWhicheverSideOfTheQueryItStands) {
  Execute("CREATE QUERY turned(bug) AS SELECT b FROM ALL WHERE SUBSET?(b.failing[50], :bug.failing[50], 5)");
  for (const char* query : {"other", "turned"}) {
    const SimilarAnswer answer = *Answer(query).similar;
    ASSERT_FALSE(answer.bugs.empty()) << query;
    EXPECT_EQ(answer.bugs.back().ours->run, run_.id) << query;
    EXPECT_EQ(answer.bugs.back().theirs->run, RunOf(2)) << query;
    ASSERT_TRUE(answer.bugs.back().alignment) << query;
  }
}

TEST_F(FailingRunTest, AnswersAreLimitedAndAlignedAsIsAsked) {
  const SimilarAnswer answer = *Answer("suffix", {.suffix = 20, .distance = {}, .limit = 1}).similar;
  ASSERT_EQ(answer.bugs.size(), 1u);
  EXPECT_EQ(answer.bugs[0].alignment->length(), 20u);
}

TEST_F(FailingRunTest, RowsOfSeveralBugsStayRows) {
  Execute("CREATE QUERY pairs AS SELECT a, b FROM ALL WHERE INTERSECT?(a, b, any)");
  const SimilarAnswer answer = *Answer("pairs").similar;
  EXPECT_TRUE(answer.bugs.empty());
  ASSERT_TRUE(answer.rows);
  EXPECT_EQ(answer.rows->rows.size(), 1u);
  EXPECT_FALSE(answer.empty());
}

// The steps of a call are the session's own; its note comes with the answer.
TEST_F(FailingRunTest, ACallOfSuffixWidensAndSaysSo) {
  ASSERT_TRUE(cases_->Add(RunLine(10, "", Events(50, {0, 1, 2}))).ok());
  run_.id = RunOf(10);
  const SimilarAnswer answer = *Answer("suffix(tbug, d => 1)").similar;
  EXPECT_EQ(Bugs(answer), (Names{"1:3 levenshtein", "2:3 levenshtein"}));
  EXPECT_EQ(answer.notes, Names{"nothing within 1 edits: widened to 4"});
}

TEST_F(FailingRunTest, AQueryIsCheckedWithoutAskingIt) {
  for (const char* good : {"", "usual", "other", "suffix", "suffix(tbug, d => 20)"})
    EXPECT_TRUE(CheckQueryForRuns(*store_, good).ok()) << good;
  EXPECT_EQ(CheckQueryForRuns(*store_, "othre").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(CheckQueryForRuns(*store_, "stack").error().code, ErrorCode::kInvalid) << "d is missing";
}

}  // namespace
}  // namespace oscope
