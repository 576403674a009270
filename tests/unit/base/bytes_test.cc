#include "base/bytes.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <variant>
#include <vector>

namespace oscope {
namespace {

struct Varint {
  uint64_t value;
  bool operator==(const Varint&) const = default;
};
using Field = std::variant<uint8_t, uint16_t, uint32_t, uint64_t, int64_t, Varint, std::string>;

struct FieldWriter {
  ByteWriter& writer;
  void operator()(uint8_t value) { writer.U8(value); }
  void operator()(uint16_t value) { writer.U16(value); }
  void operator()(uint32_t value) { writer.U32(value); }
  void operator()(uint64_t value) { writer.U64(value); }
  void operator()(int64_t value) { writer.ZigZag(value); }
  void operator()(Varint field) { writer.Varint(field.value); }
  void operator()(const std::string& value) { writer.String(value); }
};

struct FieldReader {
  ByteReader& reader;
  Field operator()(uint8_t) { return reader.U8(); }
  Field operator()(uint16_t) { return reader.U16(); }
  Field operator()(uint32_t) { return reader.U32(); }
  Field operator()(uint64_t) { return reader.U64(); }
  Field operator()(int64_t) { return reader.ZigZag(); }
  Field operator()(Varint) { return Varint{reader.Varint()}; }
  Field operator()(const std::string&) { return std::string(reader.String(1000)); }
};

Field RandomField(std::mt19937_64& random) {
  const uint64_t bits = random() >> (random() % 64);
  switch (random() % 7) {
    case 0: return static_cast<uint8_t>(bits);
    case 1: return static_cast<uint16_t>(bits);
    case 2: return static_cast<uint32_t>(bits);
    case 3: return bits;
    case 4: return static_cast<int64_t>(random() % 2 == 0 ? bits : ~bits);
    case 5: return Varint{bits};
    default: return std::string(random() % 40, static_cast<char>(bits));
  }
}

TEST(Bytes, RandomRecordsRoundTripAndEveryTruncationIsNoticed) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Field> fields(1 + random() % 20);
    ByteWriter writer;
    for (Field& field : fields) {
      field = RandomField(random);
      std::visit(FieldWriter{writer}, field);
    }
    const std::string bytes = writer.Take();
    ByteReader reader(bytes);
    for (const Field& field : fields) EXPECT_EQ(std::visit(FieldReader{reader}, field), field);
    EXPECT_TRUE(reader.ExpectEnd().ok());

    for (size_t length = 0; length < bytes.size(); ++length) {
      ByteReader cut(std::string_view(bytes).substr(0, length));
      for (const Field& field : fields) std::visit(FieldReader{cut}, field);
      ASSERT_FALSE(cut.ok()) << length;
      ASSERT_EQ(cut.ExpectEnd().error().code, ErrorCode::kCorrupt);
    }
  }
}

TEST(Bytes, IntegersAreLittleEndian) {
  ByteWriter writer;
  writer.U32(0x01020304);
  writer.Varint(300);
  writer.ZigZag(-1);
  EXPECT_EQ(writer.bytes(), std::string("\x04\x03\x02\x01\xac\x02\x01"));
}

TEST(Bytes, ExtremeNumbersRoundTrip) {
  for (const int64_t value :
       {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), int64_t{0}, int64_t{-1}}) {
    ByteWriter writer;
    writer.ZigZag(value);
    writer.Varint(static_cast<uint64_t>(value));
    ByteReader reader(writer.bytes());
    EXPECT_EQ(reader.ZigZag(), value);
    EXPECT_EQ(reader.Varint(), static_cast<uint64_t>(value));
    EXPECT_TRUE(reader.ExpectEnd().ok());
  }
}

TEST(Bytes, OverlongVarintsAreRefused) {
  const std::string nine(9, '\xff');
  for (const std::string& tail :
       {std::string("\x02"), std::string("\x7f"), std::string("\x81\x00", 2), std::string("\xff\x01")}) {
    const std::string bytes = nine + tail;
    ByteReader reader(bytes);
    EXPECT_EQ(reader.Varint(), 0u);
    EXPECT_EQ(reader.status().error().code, ErrorCode::kCorrupt);
  }
  const std::string largest = nine + "\x01";
  ByteReader reader(largest);
  EXPECT_EQ(reader.Varint(), std::numeric_limits<uint64_t>::max());
  EXPECT_TRUE(reader.ExpectEnd().ok());
}

TEST(Bytes, TheFirstFailureSticks) {
  ByteReader reader("\x05");
  reader.U32();
  const std::string first = reader.status().error().message;
  EXPECT_EQ(reader.U8(), 0);
  EXPECT_EQ(reader.Bytes(0), "");
  reader.Fail("later");
  EXPECT_EQ(reader.status().error().message, first);
}

TEST(Bytes, CountsThatCannotBeTrueAreRefusedBeforeAnyoneAllocates) {
  const std::string bytes("\x04....", 5);
  EXPECT_EQ(ByteReader(bytes).Count(10), 4u);
  ByteReader wide(bytes);
  EXPECT_EQ(wide.Count(10, 2), 0u);
  EXPECT_FALSE(wide.ok());
  ByteReader many(bytes);
  EXPECT_EQ(many.Count(3), 0u);
  EXPECT_FALSE(many.ok());
  ByteWriter lie;
  lie.Varint(std::numeric_limits<uint64_t>::max());
  ByteReader huge(lie.bytes());
  EXPECT_EQ(huge.Count(std::numeric_limits<uint64_t>::max(), 16), 0u);
  EXPECT_FALSE(huge.ok());
}

TEST(Bytes, StringsHaveALimit) {
  ByteWriter writer;
  writer.String("hello");
  EXPECT_EQ(ByteReader(writer.bytes()).String(5), "hello");
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.String(4), "");
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, LeftoversAreNoticed) {
  ByteReader reader("ab");
  reader.U8();
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.ExpectEnd().error().message, "1 bytes left over at offset 1");
}

// Every length of a varint, at the largest number that has it and the one after.
TEST(Bytes, VarintsAreAsLongAsTheyMustBe) {
  for (int bits = 7; bits < 64; bits += 7) {
    const uint64_t largest = (uint64_t{1} << bits) - 1;
    for (const auto& [value, length] : {std::pair{largest, bits / 7}, std::pair{largest + 1, bits / 7 + 1}}) {
      ByteWriter writer;
      writer.Varint(value);
      EXPECT_EQ(writer.size(), static_cast<size_t>(length)) << value;
      ByteReader reader(writer.bytes());
      EXPECT_EQ(reader.Varint(), value);
      EXPECT_TRUE(reader.ExpectEnd().ok());
      // The same number with a byte more is not its form.
      std::string padded = writer.bytes();
      padded.back() = static_cast<char>(padded.back() | 0x80);
      padded += '\0';
      ByteReader other(padded);
      other.Varint();
      EXPECT_EQ(other.status().ok(), false) << value;
    }
  }
  ByteReader zero(std::string_view("\0", 1)), padded_zero(std::string_view("\x80\0", 2));
  EXPECT_EQ(zero.Varint(), 0u);
  EXPECT_TRUE(zero.ExpectEnd().ok());
  padded_zero.Varint();
  EXPECT_FALSE(padded_zero.ok());
}

TEST(Bytes, BoundsAreMetExactly) {
  const std::string bytes(
      "\x02"
      "ab",
      3);
  EXPECT_EQ(ByteReader(bytes).Bytes(3), bytes);
  ByteReader one_more(bytes);
  EXPECT_EQ(one_more.Bytes(4), "");
  EXPECT_EQ(one_more.status().error().message, "4 bytes wanted at offset 0, 3 left");
  ByteReader exact(bytes), beyond(bytes), wide(bytes);
  EXPECT_EQ(exact.Count(2, 1), 2u) << "the limit itself, and all the bytes";
  EXPECT_TRUE(exact.ok());
  EXPECT_EQ(beyond.Count(1, 1), 0u);
  EXPECT_FALSE(beyond.ok());
  EXPECT_EQ(wide.Count(2, 2), 0u) << "two items of two bytes in two bytes";
  EXPECT_FALSE(wide.ok());
  ByteReader none(bytes);
  EXPECT_EQ(none.Count(2, 0), 2u) << "items that take nothing";
}

}  // namespace
}  // namespace oscope
