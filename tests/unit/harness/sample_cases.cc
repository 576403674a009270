// A program whose cases fail in all ways, run by framework_cases_test.cc. No test of its own.
#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

TEST(Sample, Good) {}
TEST(Sample, Expects) { EXPECT_EQ(1, 2) << "a <b> & c"; }
TEST(Sample, Throws) { throw std::runtime_error("thrown"); }
TEST(Sample, Skips) { GTEST_SKIP(); }

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, Even) { EXPECT_EQ(GetParam() % 2, 0); }
INSTANTIATE_TEST_SUITE_P(Two, Numbers, testing::Values(2, 3));

TEST(Zcrash, Aborts) {
  std::signal(SIGABRT, SIG_DFL);
  std::puts("about to abort");
  std::fflush(stdout);
  std::abort();
}
