// A Boost.Test program, run by framework_cases_test.cc. No test of its own.
#define BOOST_TEST_MODULE sample
#include <boost/test/included/unit_test.hpp>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(outer)
BOOST_AUTO_TEST_SUITE(inner)
BOOST_AUTO_TEST_CASE(good) { BOOST_CHECK(true); }
BOOST_AUTO_TEST_CASE(bad) { BOOST_CHECK_EQUAL(1, 2); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(throws) { throw std::runtime_error("thrown"); }
