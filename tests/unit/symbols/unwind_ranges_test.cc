#include "tracer/symbols/unwind_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/bytes.h"
#include "tests/unit/symbols/built_program.h"

namespace oscope {
namespace {

// An .eh_frame of one CIE with the given encoding and augmentation, and the FDEs that `add` writes after it.
class EhFrame {
 public:
  explicit EhFrame(uint8_t encoding, const std::string& augmentation = "zR") {
    ByteWriter cie;
    cie.U32(0);
    cie.U8(1);
    cie.Bytes(augmentation);
    cie.U8(0);
    cie.U8(1);
    cie.U8(0x78);
    cie.U8(16);
    if (augmentation.starts_with('z')) cie.U8(1);
    if (augmentation.ends_with('R')) cie.U8(encoding);
    AddEntry(cie.bytes());
  }
  void AddEntry(std::string_view body) {
    bytes_.U32(static_cast<uint32_t>(body.size()));
    bytes_.Bytes(body);
  }
  // `fields`: address and size as encoded.
  void AddFunction(std::string_view fields) {
    ByteWriter fde;
    fde.U32(static_cast<uint32_t>(bytes_.size() + 4));
    fde.Bytes(fields);
    fde.U8(0);
    AddEntry(fde.bytes());
  }
  size_t next_fields() const { return bytes_.size() + 8; }
  const std::string& bytes() const { return bytes_.bytes(); }

 private:
  ByteWriter bytes_;
};

std::string Pair32(uint32_t first, uint32_t second) {
  ByteWriter writer;
  writer.U32(first);
  writer.U32(second);
  return writer.Take();
}

TEST(UnwindRanges, CountFromWhereTheyAre) {
  EhFrame frame(0x1b);  // pcrel | sdata4
  const auto first = static_cast<uint32_t>(0x2000 - (0x8000 + frame.next_fields()));
  frame.AddFunction(Pair32(first, 0x40));
  const auto second = static_cast<uint32_t>(0x1000 - (0x8000 + frame.next_fields()));
  frame.AddFunction(Pair32(second, 0xffffffff));
  const std::vector<AddressRange> expected = {{0x1000, 0x1000 + 0xffffffffull}, {0x2000, 0x2040}};
  EXPECT_EQ(DecodeUnwindRanges(frame.bytes(), 0x8000, true), expected);
}

TEST(UnwindRanges, MayBeAbsolute) {
  EhFrame frame(0, "");
  ByteWriter fields;
  fields.U64(0x401000);
  fields.U64(0x20);
  frame.AddFunction(fields.bytes());
  EXPECT_EQ(DecodeUnwindRanges(frame.bytes(), 0x8000, true), (std::vector<AddressRange>{{0x401000, 0x401020}}));
  EhFrame narrow(0, "");
  narrow.AddFunction(Pair32(0x8049000, 0x10));
  EXPECT_EQ(DecodeUnwindRanges(narrow.bytes(), 0x8000, false), (std::vector<AddressRange>{{0x8049000, 0x8049010}}));
}

TEST(UnwindRanges, OfUnknownEncodingsAreLeftOut) {
  for (const int encoding : {0x9b, 0x3b, 0x50, 0x0f, 0xff}) {
    EhFrame frame(static_cast<uint8_t>(encoding));
    frame.AddFunction(Pair32(0x1000, 0x40));
    EXPECT_TRUE(DecodeUnwindRanges(frame.bytes(), 0x8000, true).empty()) << encoding;
  }
  EhFrame old(0, "eh");
  old.AddFunction(Pair32(0x1000, 0x40));
  EXPECT_TRUE(DecodeUnwindRanges(old.bytes(), 0x8000, true).empty());
}

TEST(UnwindRanges, OfCutBytesAreThoseBeforeTheCut) {
  EhFrame frame(0x03);
  for (uint32_t i = 1; i <= 4; ++i) frame.AddFunction(Pair32(i * 0x100, 0x10));
  ASSERT_EQ(DecodeUnwindRanges(frame.bytes(), 0, true).size(), 4u);
  for (size_t size = 0; size < frame.bytes().size(); ++size) {
    EXPECT_LT(DecodeUnwindRanges(frame.bytes().substr(0, size), 0, true).size(), 4u) << size;
  }
}

TEST(UnwindRanges, SurviveChangedBytes) {
  EhFrame frame(0x1b, "zPLR");
  for (uint32_t i = 1; i <= 4; ++i) frame.AddFunction(Pair32(i * 0x100, 0x10));
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = frame.bytes();
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    for (const AddressRange& range : DecodeUnwindRanges(bytes, 0x1000, round % 2 == 0))
      EXPECT_LT(range.start, range.end);
  }
}

TEST(UnwindRanges, OfThisProgramAreItsFunctions) {
  const auto image = ElfImage::Open(ThisProgram(), ElfImage::Role::kObject);
  ASSERT_TRUE(image.ok());
  const std::vector<AddressRange> ranges = ReadUnwindRanges(**image);
  EXPECT_GT(ranges.size(), 500u);
  int found = 0;
  int missing = 0;
  for (const NmSymbol& symbol : Nm(ThisProgram())) {
    if (!symbol.is_function() || symbol.size == 0) continue;
    const AddressRange expected{symbol.address, symbol.address + symbol.size};
    const bool is_there = std::ranges::find(ranges, expected) != ranges.end();
    ++(is_there ? found : missing);
  }
  EXPECT_GT(found, 500);
  EXPECT_LT(missing, found / 50);  // the C run-time's own
}

}  // namespace
}  // namespace oscope
