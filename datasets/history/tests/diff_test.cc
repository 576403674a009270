#include <gtest/gtest.h>

#include "quill/diff/patch.h"
#include "quill/text/strings.h"

namespace quill::diff {
namespace {

Lines Numbers(int first, int last) {
  Lines lines;
  for (int i = first; i <= last; ++i) lines.push_back("line " + std::to_string(i));
  return lines;
}

Lines Joined(std::initializer_list<Lines> parts) {
  Lines lines;
  for (const Lines& part : parts) lines.insert(lines.end(), part.begin(), part.end());
  return lines;
}

TEST(Diff, FindsTheShortestWay) {
  const std::vector<Edit> edits = Compare({"a", "b", "c", "d"}, {"a", "c", "x", "d"});
  const std::vector<Edit> wanted = {{Change::kKeep, "a"},
                                    {Change::kRemove, "b"},
                                    {Change::kKeep, "c"},
                                    {Change::kAdd, "x"},
                                    {Change::kKeep, "d"}};
  EXPECT_EQ(edits, wanted);
}

TEST(Diff, EqualTextsHaveNoHunks) {
  EXPECT_TRUE(MakeHunks(Compare(Numbers(1, 9), Numbers(1, 9))).empty());
}

TEST(Diff, FarChangesHaveHunksOfTheirOwn) {
  Lines after = Numbers(1, 40);
  after[4] = "changed";
  after[30] = "changed too";
  const std::vector<Hunk> hunks = MakeHunks(Compare(Numbers(1, 40), after));
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(hunks[0].before_begin, 2u);
  EXPECT_EQ(hunks[0].before_count, 7u);
  EXPECT_EQ(hunks[1].after_begin, 28u);
}

TEST(Diff, NearChangesShareAHunk) {
  Lines after = Numbers(1, 20);
  after[5] = "changed";
  after[11] = "changed too";
  EXPECT_EQ(MakeHunks(Compare(Numbers(1, 20), after)).size(), 1u);
}

TEST(Diff, LinesBeforeEverything) {
  const Lines lines = Numbers(1, 15);
  const std::vector<Hunk> middle =
      MakeHunks(Compare(lines, Joined({Numbers(1, 8), {"new"}, Numbers(9, 15)})));
  ASSERT_EQ(middle.size(), 1u);
  EXPECT_EQ(middle[0].before_begin, 6u);
  const std::vector<Hunk> hunks = MakeHunks(Compare({}, lines));
  ASSERT_EQ(hunks.size(), 1u);
  EXPECT_EQ(hunks[0].before_begin, 0u);
  EXPECT_EQ(hunks[0].after_begin, 1u);
}

TEST(Diff, ALetterBeforeEverything) {
  const Lines letter = {"Dear Ann,", "the parcel came today.", "Thank you!", "Bob"};
  Lines longer = letter;
  longer.insert(longer.begin() + 3, {"All is well here.", "Yours,"});
  const std::vector<Hunk> inserted = MakeHunks(Compare(letter, longer));
  ASSERT_EQ(inserted.size(), 1u);
  EXPECT_EQ(inserted[0].before_begin, 1u);
  const std::vector<Hunk> hunks = MakeHunks(Compare({}, longer));
  ASSERT_EQ(hunks.size(), 1u);
  EXPECT_EQ(hunks[0].before_begin, 0u);
  EXPECT_EQ(hunks[0].after_count, 6u);
}

TEST(Patch, WritesUnifiedText) {
  const Patch patch = Patch::Between({"a", "b", "c"}, {"a", "B", "c"});
  EXPECT_EQ(patch.ToText("old", "new"), "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
}

TEST(Patch, AppliesForwardAndBack) {
  Lines after = Numbers(1, 30);
  after.erase(after.begin() + 3);
  after.insert(after.begin() + 20, "new");
  const Patch patch = Patch::Between(Numbers(1, 30), after);
  EXPECT_EQ(patch.Apply(Numbers(1, 30)), after);
  EXPECT_EQ(patch.Reversed().Apply(after), Numbers(1, 30));
  EXPECT_EQ(Patch::FromText(patch.ToText("a", "b")).Apply(Numbers(1, 30)), after);
}

TEST(Patch, RefusesWhatDoesNotFit) {
  const Patch patch = Patch::Between({"a", "b", "c"}, {"a", "c"});
  EXPECT_THROW(patch.Apply({"x", "y", "z"}), PatchError);
  EXPECT_THROW(Patch::FromText("@@ -1,3 +1,2 @@\n a\n"), PatchError);
  EXPECT_THROW(Patch::FromText("@@ nonsense @@\n a\n"), PatchError);
}

TEST(Patch, WritesAnAdditionToNothing) {
  std::string wanted = "--- a\n+++ b\n@@ -0,0 +1,30 @@\n";
  for (const std::string& line : Numbers(1, 30)) wanted += "+" + line + "\n";
  EXPECT_EQ(Patch::Between({}, Numbers(1, 30)).ToText("a", "b"), wanted);
}

TEST(Patch, LinesWithoutContextGoWhereTheyBelong) {
  const Lines before = Numbers(1, 6);
  Lines after = before;
  after.insert(after.begin() + 3, "inserted");
  const Patch patch = Patch::Between(before, after, 0);
  EXPECT_EQ(Patch::FromText(patch.ToText("a", "b")).Apply(before), after);
}

TEST(Patch, LaterHunksMoveWithTheFirst) {
  Lines after = Numbers(1, 60);
  after[9] = "changed";
  after[49] = "changed too";
  const Patch patch = Patch::Between(Numbers(1, 60), after);
  const Lines more =
      Joined({Numbers(100, 114), Numbers(1, 20), Numbers(200, 214), Numbers(21, 60)});
  Lines wanted = more;
  wanted[24] = "changed";
  wanted[79] = "changed too";
  EXPECT_EQ(patch.Apply(more), wanted);
}

TEST(Patch, ThreeHunksMoveWithTheFirst) {
  Lines after = Numbers(1, 90);
  after[4] = "fifth";
  after[44] = "in the middle";
  after.erase(after.begin() + 84);
  const Patch patch = Patch::Between(Numbers(1, 90), after);
  const Lines more =
      Joined({Numbers(500, 511), Numbers(1, 20), Numbers(600, 617), Numbers(21, 90)});
  Lines wanted = more;
  wanted[16] = "fifth";
  wanted[74] = "in the middle";
  wanted.erase(wanted.begin() + 114);
  EXPECT_EQ(patch.Apply(more), wanted);
}

TEST(Patch, RepeatedLinesArePatchedWhereTheyMovedTo) {
  const Lines block = {"begin", "  work", "end"};
  const Lines before = Joined({{"head"}, block, block, block, {"tail"}});
  Lines after = before;
  after[0] = "new head";
  after[8] = "  rest";
  const Patch patch = Patch::Between(before, after, 1);
  const Lines shifted = Joined({{"a note", "of three", "lines"}, before});
  Lines wanted = shifted;
  wanted[3] = "new head";
  wanted[11] = "  rest";
  EXPECT_EQ(patch.Apply(shifted), wanted);
}

TEST(Patch, RemovedLinesMayLookLikeAHead) {
  const Lines before = {"create table t (id int);", "insert into t values (1);", "-- the old way",
                        "select 1 from t;",         "select 2 from t;",          "-- done"};
  Lines after = before;
  after.erase(after.begin() + 2);
  const std::string text = Patch::Between(before, after).ToText("a.sql", "b.sql");
  EXPECT_EQ(Patch::FromText(text).Apply(before), after);
}

TEST(Patch, RemovedCommentsMayLookLikeAHead) {
  const Lines before = {"module Main where",   "-- what it says", "greeting = \"hello\"",
                        "-- to be translated", "main = do",       "  putStrLn greeting",
                        "  putStrLn \"bye\"",  "  return ()"};
  Lines after = before;
  after.erase(after.begin() + 3);
  after.erase(after.begin() + 1);
  after.back() = "  exitSuccess";
  const std::string text = Patch::Between(before, after).ToText("Main.hs", "Main.hs");
  EXPECT_EQ(Patch::FromText(text).Apply(before), after);
}

TEST(Patch, AddedLinesMayLookLikeAHead) {
  Lines after = Numbers(1, 12);
  after.insert(after.begin() + 6, {"++ counter;", "++ i;"});
  const Patch patch = Patch::FromText(Patch::Between(Numbers(1, 12), after, 2).ToText("x", "y"));
  ASSERT_EQ(patch.hunks().size(), 1u);
  EXPECT_EQ(patch.hunks()[0].edits.size(), 6u);
  EXPECT_EQ(patch.Reversed().Apply(after), Numbers(1, 12));
}

}  // namespace
}  // namespace quill::diff
