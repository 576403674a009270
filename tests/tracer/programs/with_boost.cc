// Tests of Boost.Test that fail.
#define BOOST_TEST_MODULE sample
#include <boost/test/included/unit_test.hpp>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
BOOST_AUTO_TEST_CASE(equal) { BOOST_TEST(twice(1) == 2); BOOST_CHECK_EQUAL(twice(3), 6); after(); }
BOOST_AUTO_TEST_CASE(throws) { BOOST_CHECK_THROW(boom(), std::out_of_range); twice(2); boom(); }
BOOST_AUTO_TEST_CASE(fatal) { twice(5); BOOST_REQUIRE(twice(3) == 6); }
