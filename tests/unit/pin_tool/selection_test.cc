#include "tracer/pin/selection.h"

#include <gtest/gtest.h>

namespace oscope::pin {
namespace {

Settings Parse(const std::string& text) {
  Settings settings;
  std::string error;
  EXPECT_TRUE(ParseSettings(text, &settings, &error)) << error;
  return settings;
}

TEST(PinSelection, TheLastLineThatFitsDecides) {
  const Settings settings = Parse("leave-out\tobject\tlibc.so*\nleave-out\tname\tstd::*\nkeep\tname\tstd::mine::*\n");
  EXPECT_TRUE(PlanFunction(settings, "/bin/p", {"f"}).kept);
  EXPECT_FALSE(PlanFunction(settings, "/lib/libc.so.6", {"f"}).kept);
  EXPECT_FALSE(PlanFunction(settings, "/bin/p", {"std::f"}).kept);
  EXPECT_TRUE(PlanFunction(settings, "/lib/libc.so.6", {"std::mine::f"}).kept);
  EXPECT_TRUE(PlanFunction(Parse("leave-out\tname\t*\nkeep\tname\ta*\n"), "/bin/p", {"abc"}).kept);
  EXPECT_FALSE(PlanFunction(Parse("leave-out\tname\t*\nkeep\tname\ta*\n"), "/bin/p", {"bc"}).kept);
  EXPECT_FALSE(PlanFunction(Parse("leave-out\tobject\t/lib/*\n"), "/lib/x/liba.so", {"f"}).kept);
}

TEST(PinSelection, EveryAliasCounts) {
  const Settings settings =
      Parse("mark\t0\t-\t0\t0\t-\tabort\nvalues\topen\nchop\tstart\tname\tmain\nleave-out\tname\t__GI_*\n");
  const FunctionPlan plan = PlanFunction(settings, "libc.so.6", {"__GI_abort", "abort"});
  ASSERT_EQ(plan.marks.size(), 1u);
  EXPECT_EQ(plan.marks[0], &settings.marks[0]);
  EXPECT_FALSE(plan.kept);
  EXPECT_TRUE(plan.special());
  EXPECT_TRUE(PlanFunction(settings, "libc.so.6", {"__open64", "open"}).values);
  EXPECT_EQ(PlanFunction(settings, "p", {"main"}).chops.size(), 1u);
  EXPECT_FALSE(PlanFunction(settings, "p", {"f"}).special());
}

TEST(PinSelection, KnowsTheExceptionRuntime) {
  const Settings settings;
  EXPECT_EQ(PlanFunction(settings, "libstdc++.so.6", {"__cxa_throw"}).role, Role::kThrow);
  EXPECT_EQ(PlanFunction(settings, "libstdc++.so.6", {"__cxa_begin_catch"}).role, Role::kCatch);
  EXPECT_EQ(PlanFunction(settings, "libstdc++.so.6", {"__cxa_rethrow"}).role, Role::kRethrow);
  EXPECT_EQ(PlanFunction(settings, "libstdc++.so.6", {"std::rethrow_exception"}).role, Role::kThrowOn);
  EXPECT_EQ(PlanFunction(settings, "libstdc++.so.6", {"__cxa_free_exception"}).role, Role::kFreeException);
  EXPECT_EQ(PlanFunction(settings, "p", {"my__cxa_throw"}).role, Role::kPlain);
}

}  // namespace
}  // namespace oscope::pin
