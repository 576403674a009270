// Tests of GoogleTest that fail.
#include <gtest/gtest.h>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
TEST(S, Equal) { EXPECT_EQ(twice(1), 2); EXPECT_EQ(twice(3), 6); after(); }
TEST(S, Throws) { EXPECT_THROW(boom(), std::out_of_range); twice(2); boom(); }
TEST(S, Fatal) { twice(5); FAIL() << "no"; }
int main(int argc, char** argv) { testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }
