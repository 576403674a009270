// The ends of two traces step by step.
#include "query/similar/alignment.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Names = std::vector<std::string>;

// Each step as "ours/theirs".
Names Steps(const Alignment& alignment) {
  Names steps;
  for (const Edit& edit : alignment.edits) steps.push_back(alignment.Ours(edit) + "/" + alignment.Theirs(edit));
  return steps;
}

TEST(Alignment, HasAStepForEachEventOfEitherSide) {
  const Alignment made = *Alignment::Of({"a", "b", "c", "d"}, {"a", "x", "c", "d", "e"});
  EXPECT_EQ(Steps(made), (Names{"a/a", "b/x", "c/c", "d/d", "/e"}));
  EXPECT_EQ(made.Count(EditKind::kKeep), 3u);
  EXPECT_EQ(made.Count(EditKind::kReplace), 1u);
  EXPECT_EQ(made.Count(EditKind::kInsert), 1u);
  EXPECT_EQ(made.Count(EditKind::kDelete), 0u);
  EXPECT_EQ(made.length(), 5u);
}

TEST(Alignment, ToldFromTheOtherSideIsTheSameTurned) {
  const Alignment made = *Alignment::Of({"a", "b", "b"}, {"a"});
  EXPECT_EQ(made.Count(EditKind::kKeep), 1u);
  EXPECT_EQ(made.Count(EditKind::kDelete), 2u);
  EXPECT_EQ(made.length(), 3u);
  const Alignment turned = *Alignment::Of({"a"}, {"a", "b", "b"});
  EXPECT_EQ(turned.Count(EditKind::kInsert), 2u);
  EXPECT_EQ(turned.length(), 3u);
}

TEST(Alignment, OfNothingHasNoSteps) {
  const Alignment made = *Alignment::Of({}, {});
  EXPECT_TRUE(made.edits.empty());
  EXPECT_EQ(made.length(), 0u);
}

TEST(Alignment, ThatWouldBeTooLargeIsALimit) {
  const Names many(200'000, "a");
  const Result<Alignment> made = Alignment::Of(many, Names(200'000, "b"));
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
