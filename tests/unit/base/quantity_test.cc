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
  for (const char* text : {"", "G", "-1G", "+1", "1 G", "1.G", ".5G", "1..5G", "1e3", "10X", "10GiBs", "8E",
                           "99999999999T", "inf", "nan", "0x10"}) {
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

TEST(Quantity, SizesAtTheirBounds) {
  EXPECT_EQ(*ParseByteSize("9223372036854774784"), 9223372036854774784u) << "the last below 2^63 that a double has";
  EXPECT_FALSE(ParseByteSize("9223372036854775808").ok());
  EXPECT_EQ(*ParseByteSize("7E"), 7ull << 60);
  EXPECT_FALSE(ParseByteSize("8E").ok());
  EXPECT_EQ(*ParseByteSize("1K"), 1024u);
  EXPECT_EQ(*ParseByteSize("1KiB"), 1024u);
  EXPECT_EQ(*ParseByteSize("1kb"), 1000u);
  EXPECT_EQ(*ParseByteSize("1P"), 1ull << 50);
  EXPECT_EQ(*ParseByteSize("1.9"), 1u) << "fractions of a byte are dropped";
  EXPECT_EQ(ParseByteSize("").error().code, ErrorCode::kInvalid);
}

TEST(Quantity, ParsesCounts) {
  EXPECT_EQ(*ParseCount("1"), 1u);
  EXPECT_EQ(*ParseCount("300"), 300u);
  EXPECT_EQ(*ParseCount("8M"), 8'000'000u);
  EXPECT_EQ(*ParseCount("1.5K"), 1'500u);
  EXPECT_EQ(*ParseCount("2g"), 2'000'000'000u);
  for (const char* text : {"", "0", "0K", "-1", "1.5", "K", "1KB", "1 K", "x"})
    EXPECT_EQ(ParseCount(text).error().code, ErrorCode::kInvalid) << text;
}

TEST(Quantity, FormatsSizesAtTheirBounds) {
  EXPECT_EQ(FormatByteSize(1024 * 1023), "1023.0 KiB");
  EXPECT_EQ(FormatByteSize(static_cast<uint64_t>(1023.94 * 1024)), "1023.9 KiB");
  EXPECT_EQ(FormatByteSize(static_cast<uint64_t>(1023.96 * 1024)), "1.0 MiB");
  EXPECT_EQ(FormatCount(999'999), "999,999");
  EXPECT_EQ(FormatCount(1'000'000), "1,000,000");
}

}  // namespace
}  // namespace oscope
