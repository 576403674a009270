#include "tracer/symbols/linkage_name.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(LinkageName, OfCxxIsDemangled) {
  EXPECT_EQ(NameOf("_ZNK3net6Socket4readEPcm"),
            (MethodName{"net::Socket::read", "net::Socket::read(char*, unsigned long) const"}));
  EXPECT_EQ(NameOf("_ZN3net12_GLOBAL__N_15twiceEi").method, "net::twice");
  EXPECT_EQ(NameOf("_ZN1AC2Ev"), NameOf("_ZN1AC1Ev"));
}

TEST(LinkageName, OfCStays) {
  EXPECT_EQ(NameOf("main"), (MethodName{"main", "main"}));
  EXPECT_EQ(NameOf("__libc_start_main"), (MethodName{"__libc_start_main", "__libc_start_main"}));
  EXPECT_EQ(NameOf(""), (MethodName{"", ""}));
}

TEST(LinkageName, ClonesAndPartsAreTheirMethod) {
  for (const std::string suffix :
       {".cold", ".isra.0", ".part.1", ".constprop.0", ".lto_priv.0", ".llvm.123", ".constprop.0.isra.0.cold"}) {
    EXPECT_EQ(NameOf("worker" + suffix).method, "worker") << suffix;
    EXPECT_EQ(NameOf("_ZN3net6Socket4readEPcm" + suffix),
              (MethodName{"net::Socket::read", "net::Socket::read(char*, unsigned long)"}))
        << suffix;
  }
}

TEST(LinkageName, OfRustLosesItsHash) {
  EXPECT_EQ(NameOf("_ZN4core3fmt5write17h0123456789abcdefE").method, "core::fmt::write");
  EXPECT_EQ(NameOf("_RNvCs1234_7mycrate3foo").method, "_RNvCs1234_7mycrate3foo");
}

TEST(LinkageName, ThatOnlyLooksMangledStays) {
  EXPECT_EQ(NameOf("_Zebra").method, "_Zebra");
  EXPECT_EQ(NameOf("_Z").method, "_Z");
}

}  // namespace
}  // namespace oscope
