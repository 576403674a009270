// The usual search: what is near, what follows, how many, and why.
#include "query/similar/similar_search.h"

#include "tests/unit/similar/similar_fixture.h"

namespace oscope {
namespace {

const BugKey kFirst{"P", "1"};
constexpr const char* kNothingNear = "no bug's runs end like this; these ran similar methods last";

class SimilarSearchTest : public SimilarTest {
 protected:
  // Bug 1, one at 2 edits, one at 5, one that shares 40 of 50 methods, one that shares none.
  void MakeFive() {
    Make({RunLine(1, "1", Events(50)) + RunLine(2, "2", Events(50, {0, 1})),
          RunLine(3, "3", Events(50, {0, 1, 2, 3, 4})) + RunLine(4, "4", Events(50, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})) +
              RunLine(5, "5", Names(50, "unlike"))});
  }
};

TEST_F(SimilarSearchTest, GivesWhatIsNearByEditsThenTheRestByMethods) {
  MakeFive();
  Session session = Open();
  const Result<SimilarAnswer> answer = FindSimilar(session, kFirst, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  ASSERT_EQ(Ids(answer), (Names{"2", "3", "4"})) << "neither itself, nor what has nothing in common, nor one twice";
  EXPECT_EQ(Bugs(answer)[0], "2:2 levenshtein");
  EXPECT_EQ(Bugs(answer)[1], "3:5 levenshtein") << "a tenth of the events is near";
  EXPECT_EQ(answer->bugs[2].distance_of, DistanceOf::kMethods);
  EXPECT_EQ(answer->notes, Names{}) << "something is near";
  EXPECT_EQ(answer->kind, TraceKind::kExecution);
  EXPECT_EQ(answer->query, "");
}

TEST_F(SimilarSearchTest, TellsWhyEachIsSimilar) {
  MakeFive();
  Session session = Open();
  const SimilarAnswer answer = *FindSimilar(session, kFirst, {});
  const SimilarBug &near = answer.bugs.at(0), &far = answer.bugs.at(2);
  ASSERT_TRUE(near.alignment);
  EXPECT_FALSE(near.methods);
  EXPECT_EQ(near.alignment->Count(EditKind::kKeep), 48u);
  EXPECT_EQ(near.alignment->ours, Events(50));
  EXPECT_EQ(near.ours->run, RunOf(1));
  EXPECT_EQ(near.theirs->run, RunOf(2));
  ASSERT_TRUE(far.methods);
  EXPECT_FALSE(far.alignment);
  EXPECT_EQ(far.methods->both.size(), 40u);
  EXPECT_EQ(far.methods->only_theirs.size(), 10u);
}

TEST_F(SimilarSearchTest, SaysThatNothingIsNear) {
  Make({RunLine(1, "1", Events(50)) + RunLine(2, "2", Events(50, {0, 10, 20, 30, 40, 45}))});
  Session session = Open();
  const Result<SimilarAnswer> answer = FindSimilar(session, kFirst, {});
  EXPECT_EQ(Ids(answer), Names{"2"});
  EXPECT_EQ(answer->notes, Names{kNothingNear});
}

TEST_F(SimilarSearchTest, SaysNothingWhereNothingFollows) {
  Make({RunLine(1, "1", Events(50)) + RunLine(2, "2", Names(50, "unlike"))});
  Session session = Open();
  const Result<SimilarAnswer> answer = FindSimilar(session, kFirst, {});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->empty());
  EXPECT_EQ(answer->notes, Names{});
}

// Two edits of six events are within five edits, and yet not near.
TEST_F(SimilarSearchTest, OfShortTracesATenthIsNearToo) {
  Make({RunLine(1, "1", Events(6)) + RunLine(2, "2", Events(6, {1, 2}))});
  Session session = Open();
  const Result<SimilarAnswer> answer = FindSimilar(session, kFirst, {});
  ASSERT_EQ(Ids(answer), Names{"2"});
  EXPECT_EQ(answer->bugs[0].distance_of, DistanceOf::kMethods);
  EXPECT_EQ(answer->notes, Names{kNothingNear});
}

TEST_F(SimilarSearchTest, StopsAtTheLimit) {
  MakeFive();
  Session session = Open();
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 1})), Names{"2"});
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 2})), (Names{"2", "3"})) << "full by edits";
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 3})), (Names{"2", "3", "4"})) << "full by methods";
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 0})), (Names{"2", "3", "4"}));
}

// What is near is found by methods too, before the others: the limit of that search leaves room for them.
TEST_F(SimilarSearchTest, WhatFollowsIsNotPushedOutByWhatIsNear) {
  Make({RunLine(1, "1", Events(50)) + RunLine(2, "2", Events(50, {0})) + RunLine(3, "3", Events(50, {1})) +
        RunLine(4, "4", Events(50, {0, 1, 2, 3, 4, 5, 6, 7}))});
  Session session = Open();
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 3})), (Names{"2", "3", "4"}));
}

TEST_F(SimilarSearchTest, WithADistanceOfItsOwnIsByEditsOnly) {
  MakeFive();
  Session session = Open();
  EXPECT_EQ(Bugs(FindSimilar(session, kFirst, {.distance = {.any = false, .edits = 2}})), Names{"2:2 levenshtein"});
  EXPECT_EQ(Bugs(FindSimilar(session, kFirst, {.distance = {.any = false, .edits = 10}})),
            (Names{"2:2 levenshtein", "3:5 levenshtein", "4:10 levenshtein"}));
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.distance = {.any = false, .edits = 1}})), Names{});
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.distance = {.any = true, .edits = {}}})), (Names{"2", "3", "4"}))
      << "all that share an event";
}

TEST_F(SimilarSearchTest, ComparesTheLastEventsOnly) {
  MakeFive();
  Session session = Open();
  const SimilarAnswer answer = *FindSimilar(session, kFirst, {.suffix = 30, .distance = {.any = false, .edits = 0}});
  EXPECT_EQ(Bugs(answer), (Names{"2:0 levenshtein", "3:0 levenshtein", "4:0 levenshtein"}));
  EXPECT_EQ(answer.bugs[0].alignment->length(), 30u);
}

TEST_F(SimilarSearchTest, OfARunFindsTheBugsOfOthers) {
  MakeFive();
  ASSERT_TRUE(cases_->Add(RunLine(9, "", Events(50))).ok());
  Session session = Open();
  EXPECT_EQ(Ids(FindSimilar(session, RunOf(9), {})), (Names{"1", "2", "3", "4"}));
  EXPECT_EQ(Ids(FindSimilar(session, RunOf(2), {})), (Names{"1", "3", "4"})) << "its own bug is no answer";
}

TEST_F(SimilarSearchTest, SeesWhatWasCommittedSince) {
  MakeFive();
  Session session = Open();
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 2})), (Names{"2", "3"}));
  ASSERT_TRUE(cases_->Add(RunLine(6, "6", Events(50)) + RunLine(7, "", Events(50))).ok());
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.limit = 2})), (Names{"6", "2"}));
  ASSERT_TRUE(cases_->Add(RunLine(8, "", Events(50))).ok());
  EXPECT_EQ(Ids(FindSimilar(session, RunOf(8), {.limit = 2})), (Names{"1", "6"})) << "the run at hand may be new too";
}

TEST_F(SimilarSearchTest, ComparesStacksWholeByTheirWords) {
  const Names stack = {"main", "server::run", "parser::read", "parser::fail"};
  Make({RunLine(1, "1", stack, "stack") + RunLine(2, "2", {"main", "server::run", "parser::write"}, "stack") +
        RunLine(3, "3", {"begin", "other"}, "stack") + RunLine(4, "4", stack)});
  Session session = Open();
  const Result<SimilarAnswer> answer = FindSimilar(session, kFirst, {.suffix = 1});
  ASSERT_EQ(Ids(answer), Names{"2"}) << "neither what has no frame in common, nor an execution";
  EXPECT_EQ(answer->bugs[0].distance_of, DistanceOf::kWords);
  EXPECT_EQ(answer->kind, TraceKind::kStack);
  ASSERT_TRUE(answer->bugs[0].alignment);
  EXPECT_EQ(answer->bugs[0].alignment->length(), 4u) << "whatever the suffix is";
  EXPECT_EQ(Bugs(FindSimilar(session, kFirst, {.distance = {.any = false, .edits = 3}})), Names{"2:2 levenshtein"});
}

TEST_F(SimilarSearchTest, ComparesExecutionsFirstUnlessItIsAskedForStacks) {
  const Names stack = {"main", "fail"};
  Make({RunLine(1, "1", Events(50)) + RunLine(11, "1", stack, "stack") + RunLine(2, "2", Events(50)) +
        RunLine(3, "3", stack, "stack")});
  Session session = Open();
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {})), Names{"2"});
  EXPECT_EQ(Ids(FindSimilar(session, kFirst, {.first = CompareFirst::kStacks})), Names{"3"});
  EXPECT_EQ(Ids(FindSimilar(session, BugKey{"P", "2"}, {.first = CompareFirst::kStacks})), Names{"1"})
      << "it has no stack";
}

TEST_F(SimilarSearchTest, OfWhatHasNoFailingTraceIsNotFound) {
  Make(
      {R"({"type":"bug","project":"P","id":"1"})"
       "\n"
       R"({"type":"run","id":"00000000000000000000000000000002","project":"P","outcome":"passed","traces":[{"events":["a"]}]})"
       "\n"});
  Session session = Open();
  const Result<SimilarAnswer> bug = FindSimilar(session, kFirst, {});
  ASSERT_FALSE(bug.ok());
  EXPECT_EQ(bug.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(bug.error().message, "bug P-1: no failing run of it has a trace to compare");
  const Result<SimilarAnswer> run = FindSimilar(session, RunOf(2), {});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(run.error().message, "run 000000000000: it has no trace of a failure to compare");
}

TEST_F(SimilarSearchTest, LeavesTheSessionAsItWas) {
  MakeFive();
  Session session = Open();
  session.options().default_limit = 7;
  ASSERT_TRUE(FindSimilar(session, kFirst, {.limit = 1}).ok());
  EXPECT_TRUE(session.parameters().empty());
  EXPECT_EQ(session.options().default_limit, 7u);
  session.SetParameter("tbug", "P-2");
  ASSERT_TRUE(FindSimilar(session, kFirst, {.limit = 0}).ok());
  EXPECT_EQ(session.parameters().at("tbug"), "P-2");
  EXPECT_EQ(session.options().default_limit, 7u);
}

}  // namespace
}  // namespace oscope
