// How a search that found too little looks further: which steps there are, and when they end.
#include "query/run/widening.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers Distances(const std::vector<WideningStep>& steps) {
  Numbers distances;
  for (const WideningStep& step : steps) distances.push_back(step.distance);
  return distances;
}

TEST(WiderEdits, DoubleUpToTheMost) {
  EXPECT_EQ(Distances(WiderEdits(5, 50)), (Numbers{10, 20, 40, 50}));
  EXPECT_EQ(Distances(WiderEdits(5, 40)), (Numbers{10, 20, 40})) << "the most is asked once";
  EXPECT_EQ(Distances(WiderEdits(3, 5)), (Numbers{5}));
  EXPECT_EQ(Distances(WiderEdits(1, 2)), (Numbers{2}));
}

TEST(WiderEdits, BeginWithTwoAfterNone) { EXPECT_EQ(Distances(WiderEdits(0, 5)), (Numbers{2, 4, 5})); }

TEST(WiderEdits, AreNoneWhereTheMostIsAskedAlready) {
  EXPECT_EQ(WiderEdits(50, 50), std::vector<WideningStep>{});
  EXPECT_EQ(WiderEdits(60, 50), std::vector<WideningStep>{});
  EXPECT_EQ(WiderEdits(0, 1), std::vector<WideningStep>{});
  EXPECT_EQ(WiderEdits(0, 0), std::vector<WideningStep>{});
}

TEST(WiderEdits, EndAlsoWhereTwiceAsManyIsNoNumber) {
  constexpr uint64_t kHalf = UINT64_MAX / 2;
  EXPECT_EQ(Distances(WiderEdits(kHalf + 1, UINT64_MAX)), (Numbers{UINT64_MAX}));
  EXPECT_EQ(Distances(WiderEdits(kHalf, UINT64_MAX)), (Numbers{UINT64_MAX - 1, UINT64_MAX}));
}

TEST(WiderEdits, TellWhatWasAskedFirstAndHowFarItWent) {
  const std::vector<WideningStep> steps = WiderEdits(10, 30);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].note, "nothing within 10 edits: widened to 20");
  EXPECT_EQ(steps[1].note, "nothing within 10 edits: widened to 30");
}

// What was found so far, as the distances that were asked.
struct Asked {
  Numbers distances;
  Result<Numbers> Until(size_t enough, uint64_t fails_at = 0) {
    const auto is_enough = [&](const Numbers& found) { return found.size() >= enough; };
    const auto ask = [&](const WideningStep& step, Numbers found) -> Result<Numbers> {
      distances.push_back(step.distance);
      if (step.distance == fails_at) return Limit("too far");
      found.push_back(step.distance);
      return found;
    };
    return Widen(Numbers{7}, WiderEdits(1, 8), is_enough, ask);
  }
};

TEST(Widen, AsksNothingWhereThereIsEnough) {
  Asked asked;
  EXPECT_EQ(*asked.Until(1), Numbers{7});
  EXPECT_EQ(asked.distances, Numbers{});
}

TEST(Widen, EndsWithTheStepAfterWhichThereIsEnough) {
  Asked asked;
  EXPECT_EQ(*asked.Until(3), (Numbers{7, 2, 4}));
  EXPECT_EQ(asked.distances, (Numbers{2, 4}));
}

TEST(Widen, ReturnsWhatThereIsAfterTheLastStep) {
  Asked asked;
  EXPECT_EQ(*asked.Until(100), (Numbers{7, 2, 4, 8}));
}

TEST(Widen, EndsWithTheFirstError) {
  Asked asked;
  const Result<Numbers> found = asked.Until(100, 4);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kLimit);
  EXPECT_EQ(asked.distances, (Numbers{2, 4})) << "the step after it is not asked";
}

}  // namespace
}  // namespace oscope
