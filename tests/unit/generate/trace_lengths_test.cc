#include "tracer/generate/trace_lengths.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(ThesisLength, HasTheThesissBoundsAndNeverFalls) {
  EXPECT_EQ(ThesisLength(0, 1000), 2u);
  EXPECT_EQ(ThesisLength(1000, 1000), 50'012u);
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_LE(ThesisLength(i, 1000), ThesisLength(i + 1, 1000));
}

TEST(ThesisLength, HasTheThesissMean) {
  Random random(7, 0);
  uint64_t sum = 0;
  constexpr int kDraws = 400'000;
  for (int i = 0; i < kDraws; ++i) sum += RandomThesisLength(random);
  EXPECT_NEAR(static_cast<double>(sum) / kDraws, 5431.1, 60);
}

}  // namespace
}  // namespace oscope
