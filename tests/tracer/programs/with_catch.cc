// Tests of Catch2 that fail.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
int twice(int x) { return 2 * x + (x == 3); }
void boom() { throw std::out_of_range("far"); }
void after() {}
TEST_CASE("equal") { CHECK(twice(1) == 2); CHECK(twice(3) == 6); after(); }
TEST_CASE("throws") { CHECK_THROWS(boom()); twice(2); boom(); }
TEST_CASE("fatal") { twice(5); FAIL("no"); }
