// Every encoding of addresses that .eh_frame may have, and what stands around the entries of functions.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tracer/symbols/unwind_ranges.h"

namespace oscope {
namespace {

void AddEntry(ByteWriter& section, std::string_view body) {
  section.U32(static_cast<uint32_t>(body.size()));
  section.Bytes(body);
}

// A CIE with the augmentation zR.
std::string CieBody(uint8_t encoding) {
  ByteWriter cie;
  cie.U32(0);
  cie.U8(1);
  cie.Bytes(std::string_view("zR\0\x01\x78\x10\x01", 7));
  cie.U8(encoding);
  return cie.Take();
}

// The section of one CIE and one function, whose address and size are `fields`.
std::string Section(const std::string& cie, std::string_view fields) {
  ByteWriter section;
  AddEntry(section, cie);
  ByteWriter fde;
  fde.U32(static_cast<uint32_t>(section.size() + 4));
  fde.Bytes(fields);
  AddEntry(section, fde.bytes());
  return section.Take();
}

std::string ToldRanges(const std::string& section, uint64_t address = 0x8000, bool is_64 = true) {
  std::string told;
  for (const AddressRange& range : DecodeUnwindRanges(section, address, is_64))
    told += fmt::format("{:x}-{:x} ", range.start, range.end);
  return told;
}

TEST(UnwindEncodings, OfEveryWidthAreRead) {
  EXPECT_EQ(ToldRanges(Section(CieBody(0x02), std::string_view("\x00\x10\x20\x00", 4))), "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x03), std::string_view("\x00\x10\x00\x00\x20\x00\x00\x00", 8))), "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x04), std::string_view("\x00\x10\0\0\0\0\0\0\x20\0\0\0\0\0\0\0", 16))),
            "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x0c), std::string_view("\x00\x10\0\0\0\0\0\0\x20\0\0\0\0\0\0\0", 16))),
            "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x01), std::string_view("\x80\x20\x20", 3))), "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x09), std::string_view("\x80\x20\x20", 3))), "")
      << "signed LEB128 is not written by anybody";
}

// The CIE takes 17 bytes with its length, so that the function's fields lie 25 bytes behind the section's beginning.
TEST(UnwindEncodings, SignedOnesMayLieBefore) {
  EXPECT_EQ(ToldRanges(Section(CieBody(0x1a), std::string_view("\x00\xff\x20\x00", 4))), "7f19-7f39 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x1b), std::string_view("\x00\xff\xff\xff\x20\x00\x00\x00", 8))), "7f19-7f39 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x1b), std::string_view("\x00\x01\x00\x00\x20\x00\x00\x00", 8))), "8119-8139 ");
  EXPECT_EQ(ToldRanges(Section(CieBody(0x0b), std::string_view("\x00\xff\xff\xff\x20\x00\x00\x00", 8)), 0, false),
            "ffffff00-ffffff20 ")
      << "of 32 bits";
}

// A CIE of the bytes that follow its id.
std::string Cie(std::string_view bytes) {
  ByteWriter cie;
  cie.U32(0);
  cie.Bytes(bytes);
  return cie.Take();
}

constexpr std::string_view kFourBytes("\x00\x10\x00\x00\x20\x00\x00\x00", 8);
constexpr std::string_view kEightBytes("\x00\x10\0\0\0\0\0\0\x20\0\0\0\0\0\0\0", 16);

// The register of the return address is a byte in version 1, and a LEB128 later.
TEST(UnwindEncodings, VersionsDifferInTheRegisterOfTheReturnAddress) {
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01zR\0\x01\x78\x90\x01\x03", 9)), kFourBytes)), "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x03zR\0\x01\x78\x90\x01\x01\x03", 10)), kFourBytes)),
            "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x03zR\0\x81\x01\xf8\x7f\x10\x01\x03", 11)), kFourBytes)),
            "1000-1020 ")
      << "alignments of two bytes";
}

TEST(UnwindEncodings, AugmentationsOfEveryKindAreReadInTheirOrder) {
  // A personality of four bytes and the encoding of language-specific data before the encoding of addresses.
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01zPLR\0\x01\x78\x10\x07\x9b\x01\x02\x02\x02\x1b\x03", 17)),
                               kFourBytes)),
            "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01zLR\0\x01\x78\x10\x02\x1b\x03", 11)), kFourBytes)),
            "1000-1020 ");
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01zRS\0\x01\x78\x10\x01\x03", 10)), kFourBytes)), "1000-1020 ")
      << "of signals";
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01z\0\x01\x78\x10\x00", 7)), kEightBytes)), "1000-1020 ")
      << "addresses without an encoding are absolute";
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01\0\x01\x78\x10", 5)), kEightBytes)), "1000-1020 ")
      << "no augmentation";
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01\0\x01\x78\x10", 5)), kFourBytes), 0, false), "1000-1020 ")
      << "of 32 bits";
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01"
                                                    "eh\0\x01\x78\x10\x00\x00\x00",
                                                    10)),
                               kEightBytes)),
            "")
      << "of a compiler that we do not know";
}

TEST(UnwindEncodings, AddressesThatCountFromElsewhereAreLeftOut) {
  for (const int encoding : {0x23, 0x33, 0x43, 0x53})
    EXPECT_EQ(ToldRanges(Section(CieBody(static_cast<uint8_t>(encoding)), kFourBytes)), "") << encoding;
  EXPECT_EQ(ToldRanges(Section(Cie(std::string_view("\x01zR\0\x01\x78\x10\x01", 8)), kFourBytes)), "")
      << "the entry ends before its encoding";
}

TEST(UnwindEncodings, EntriesThatLieElsewhereAreNone) {
  const std::string one = Section(CieBody(0x03), kFourBytes);
  // A function whose common part would lie before the section, or in the middle of an entry.
  ByteWriter far;
  far.Bytes(one);
  ByteWriter body;
  body.U32(static_cast<uint32_t>(one.size() + 5));
  body.Bytes(std::string_view("\x00\x40\x00\x00\x20\x00\x00\x00", 8));
  AddEntry(far, body.bytes());
  EXPECT_EQ(ToldRanges(far.Take()), "1000-1020 ");
  ByteWriter itself;
  itself.Bytes(one);
  ByteWriter loop;
  loop.U32(4);  // the common part is the function's own entry
  loop.Bytes(std::string_view("\x00\x40\x00\x00\x20\x00\x00\x00", 8));
  AddEntry(itself, loop.bytes());
  EXPECT_EQ(ToldRanges(itself.Take()), "1000-1020 ");
  // Lengths that cannot be: the entries before them count.
  EXPECT_EQ(ToldRanges(one + std::string("\x03\0\0\0abc", 7)), "1000-1020 ");
  EXPECT_EQ(ToldRanges(one + std::string("\x05\0\0\0abcd", 8)), "1000-1020 ");
  EXPECT_EQ(ToldRanges(one + std::string("\xff\xff\xff\xff", 4)), "1000-1020 ");
  EXPECT_EQ(ToldRanges(one + "abc"), "1000-1020 ");
}

TEST(UnwindEncodings, OfTwoFunctionsAtOneAddressTheShorterCounts) {
  const std::string longer = Section(CieBody(0x03), std::string_view("\x00\x10\x00\x00\x40\x00\x00\x00", 8));
  EXPECT_EQ(ToldRanges(longer + Section(CieBody(0x03), kFourBytes)), "1000-1020 ");
}

TEST(UnwindEncodings, FunctionsOfNothingAreNone) {
  EXPECT_EQ(ToldRanges(Section(CieBody(0x03), std::string_view("\x00\x00\x00\x00\x20\x00\x00\x00", 8))), "")
      << "the linker dropped it";
  EXPECT_EQ(ToldRanges(Section(CieBody(0x03), std::string_view("\x00\x10\x00\x00\x00\x00\x00\x00", 8))), "")
      << "no size";
  EXPECT_EQ(
      ToldRanges(Section(CieBody(0x04), std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0\0\0\0\0", 16))),
      "")
      << "it would end beyond all addresses";
}

TEST(UnwindEncodings, TerminatorsAndLongLengthsAreSteppedOver) {
  const std::string one = Section(CieBody(0x03), std::string_view("\x00\x10\x00\x00\x20\x00\x00\x00", 8));
  EXPECT_EQ(ToldRanges(one + std::string(4, '\0') + one), "1000-1020 ") << "the same function twice is one";
  const std::string other = Section(CieBody(0x03), std::string_view("\x00\x08\x00\x00\x20\x00\x00\x00", 8));
  EXPECT_EQ(ToldRanges(one + std::string(4, '\0') + other), "800-820 1000-1020 ") << "by address";
  ByteWriter wide;
  wide.U32(0xffffffff);
  wide.U64(CieBody(0x03).size());
  wide.Bytes(CieBody(0x03));
  EXPECT_EQ(ToldRanges(wide.Take() + one), "1000-1020 ");
}

}  // namespace
}  // namespace oscope
