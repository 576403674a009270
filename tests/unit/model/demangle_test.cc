#include "tracer/model/demangle.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(Demangle, NamesOfTheItaniumAbi) {
  EXPECT_EQ(Demangled("_ZN4bean4LoadEPKc"), "bean::Load(char const*)");
  EXPECT_EQ(Demangled("main"), "main");
  EXPECT_EQ(Demangled("_Z"), "_Z");
  EXPECT_EQ(Demangled(std::string("_Z1f\0v", 6)), std::string("_Z1f\0v", 6));
}

// Each level of f<a<x,x>> doubles the text: 60 levels would be 2^60 characters.
TEST(Demangle, ExplodingNamesStayAsTheyAre) {
  std::string name = "_Z1f1aIiiE";
  for (int i = 0; i < 30; ++i) name += "S_IS" + std::to_string(i % 10) + "_S_E";
  EXPECT_EQ(Demangled(name), name);
}

}  // namespace
}  // namespace oscope
