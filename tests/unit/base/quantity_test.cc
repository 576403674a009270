#include "base/quantity.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(Quantity, ParsesSizes) {
  EXPECT_EQ(*ParseByteSize("0"), 0u);
  EXPECT_EQ(*ParseByteSize("17B"), 17u);
  EXPECT_EQ(*ParseByteSize("10G"), 10ull << 30);
  EXPECT_EQ(*ParseByteSize("512m"), 512ull << 20);
  EXPECT_EQ(*ParseByteSize("1.5GiB"), 3ull << 29);
  EXPECT_EQ(*ParseByteSize("2KB"), 2000u);
  EXPECT_EQ(*ParseByteSize("1T"), 1ull << 40);
  for (const char* text : {"", "G", "-1G", "+1", "1 G", "1.G", ".5G", "1..5G", "1e3", "10X", "10GiBs", "8E", "99999999999T",
                           "inf", "nan", "0x10"}) {
    EXPECT_FALSE(ParseByteSize(text).ok()) << text;
  }
}

TEST(Quantity, FormatsSizes) {
  EXPECT_EQ(FormatByteSize(0), "0 B");
  EXPECT_EQ(FormatByteSize(1023), "1023 B");
  EXPECT_EQ(FormatByteSize(1024), "1.0 KiB");
  EXPECT_EQ(FormatByteSize((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(FormatByteSize(1288490189), "1.2 GiB");
  EXPECT_EQ(FormatByteSize(UINT64_MAX), "16.0 EiB");
}

TEST(Quantity, FormatsCounts) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(1234567), "1,234,567");
  EXPECT_EQ(FormatCount(UINT64_MAX), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace oscope
