#include "base/checksum.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(Checksum, Sha256OfKnownTexts) {
  EXPECT_EQ(Sha256Of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Checksum, StreamsEqualTheirWhole) {
  const std::string text(1000, 'x');
  Sha256 sha;
  WideHasher wide;
  for (size_t at = 0; at < text.size(); at += 7) {
    const std::string_view piece = std::string_view(text).substr(at, 7);
    sha.Update(piece);
    wide.Update(piece);
  }
  EXPECT_EQ(sha.Finish(), Sha256Of(text));
  EXPECT_EQ(wide.Digest(), Xxh3Wide(text));
  wide.Reset();
  EXPECT_EQ(wide.Digest(), Xxh3Wide(""));
}

TEST(Checksum, Xxh3OfKnownTexts) {
  EXPECT_EQ(Xxh3(""), 0x2d06800538d394c2u);
  EXPECT_EQ(ToHex(Xxh3Wide("")), "99aa06d3014798d86001c324468d497f");
}

TEST(Checksum, FieldsDoNotRunTogether) {
  WideHasher first;
  first.UpdateString("ab");
  first.UpdateString("c");
  WideHasher second;
  second.UpdateString("a");
  second.UpdateString("bc");
  EXPECT_NE(first.Digest(), second.Digest());
}

TEST(Checksum, HexRoundTripsAndIsStrict) {
  const Hash128 value = RandomHash128();
  EXPECT_EQ(*Hash128FromHex(ToHex(value)), value);
  EXPECT_EQ(ToHex({1, 0xab}), "000000000000000100000000000000ab");
  EXPECT_EQ(Hash128FromHex("00").error().code, ErrorCode::kInvalid);
  EXPECT_EQ(Hash128FromHex(std::string(31, '0') + "g").error().code, ErrorCode::kInvalid);
  EXPECT_NE(RandomHash128(), RandomHash128());
}

}  // namespace
}  // namespace oscope
