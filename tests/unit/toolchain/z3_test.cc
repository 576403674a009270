// The Z3 we build against solves.

#include <gtest/gtest.h>
#include <z3++.h>

namespace {

TEST(ToolchainTest, Z3FindsTheRoot) {
  z3::context context;
  z3::solver solver(context);
  const z3::expr x = context.int_const("x");
  solver.add(x * x == 49 && x > 0);
  ASSERT_EQ(solver.check(), z3::sat);
  EXPECT_EQ(solver.get_model().eval(x).get_numeral_int(), 7);

  solver.add(x != 7);
  EXPECT_EQ(solver.check(), z3::unsat);
}

}  // namespace
