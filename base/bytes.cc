// The bounds of every read are checked here, once. After the first failure a reader answers zeros, so that decoders
// need not check after each field; they look at status() before they trust what they read. A padded varint is refused,
// since a number must have one spelling for equal records to have equal bytes.
#include "base/bytes.h"

namespace oscope {

bool ByteReader::Need(uint64_t count) {
  if (!error_.empty()) return false;
  if (count <= remaining()) return true;
  Fail(fmt::format("{} bytes wanted at offset {}, {} left", count, position_, remaining()));
  return false;
}

void ByteReader::Fail(std::string message) {
  if (error_.empty()) error_ = std::move(message);
}

Status ByteReader::status() const {
  if (error_.empty()) return {};
  return Corrupt("{}", error_);
}

Status ByteReader::ExpectEnd() const {
  OSCOPE_RETURN_IF_ERROR(status());
  if (remaining() != 0) return Corrupt("{} bytes left over at offset {}", remaining(), position_);
  return {};
}

namespace {
uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}
}  // namespace

uint8_t ByteReader::U8() { return static_cast<uint8_t>(LittleEndian(Bytes(1))); }
uint16_t ByteReader::U16() { return static_cast<uint16_t>(LittleEndian(Bytes(2))); }
uint32_t ByteReader::U32() { return static_cast<uint32_t>(LittleEndian(Bytes(4))); }
uint64_t ByteReader::U64() { return LittleEndian(Bytes(8)); }

uint64_t ByteReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (!Need(1)) return 0;
    const auto byte = static_cast<unsigned char>(bytes_[position_++]);
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      if (byte == 0 && shift != 0) break;  // padded: the same number has a shorter form
      return value;
    }
  }
  Fail(fmt::format("number at offset {} exceeds 64 bits or is padded", position_));
  return 0;
}

int64_t ByteReader::ZigZag() {
  const uint64_t value = Varint();
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

std::string_view ByteReader::Bytes(uint64_t count) {
  if (!Need(count)) return {};
  const std::string_view taken = bytes_.substr(position_, count);
  position_ += count;
  return taken;
}

std::string_view ByteReader::String(size_t max_bytes) {
  const uint64_t length = Varint();
  if (length > max_bytes) {
    Fail(fmt::format("text of {} bytes at offset {}: limit is {}", length, position_, max_bytes));
    return {};
  }
  return Bytes(length);
}

uint64_t ByteReader::Count(uint64_t max, uint64_t min_bytes_each) {
  const uint64_t count = Varint();
  if (count > max) {
    Fail(fmt::format("count {} at offset {}: limit is {}", count, position_, max));
    return 0;
  }
  if (min_bytes_each != 0 && count > remaining() / min_bytes_each) {
    Fail(fmt::format("count {} at offset {} exceeds the bytes present", count, position_));
    return 0;
  }
  return count;
}

void ByteWriter::Fixed(uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
}

void ByteWriter::Varint(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void ByteWriter::ZigZag(int64_t value) {
  Varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

void ByteWriter::String(std::string_view text) {
  Varint(text.size());
  Bytes(text);
}

}  // namespace oscope
