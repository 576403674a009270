// Reads and writes small binary records, with bounds.
//
// Integers are little-endian or LEB128 varints; strings are a varint length and the bytes.
// A ByteReader never reads past its bytes. After the first failure every read returns zero or an empty text, and
// status() returns that failure. So a decoder reads like the format, and checks once before it trusts a count.
// Threads: one at a time for each object. A reader borrows its bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  uint8_t U8();
  uint16_t U16();
  uint32_t U32();
  uint64_t U64();
  uint64_t Varint();  // at most 10 bytes, no overlong tail
  int64_t ZigZag();
  std::string_view Bytes(uint64_t count);     // borrows from the span
  std::string_view String(size_t max_bytes);  // varint length, then that many bytes

  // Reads a varint that announces as many items of at least `min_bytes_each` bytes. Fails when fewer bytes are left
  // than the items need, so that no caller allocates memory for items that do not exist.
  uint64_t Count(uint64_t max, uint64_t min_bytes_each = 1);

  void Fail(std::string message);
  size_t remaining() const { return bytes_.size() - position_; }
  size_t position() const { return position_; }
  bool ok() const { return error_.empty(); }
  Status status() const;     // kCorrupt with the first failure
  Status ExpectEnd() const;  // status(), and nothing may be left over

 private:
  bool Need(uint64_t count);

  std::string_view bytes_;
  size_t position_ = 0;
  std::string error_;
};

class ByteWriter {
 public:
  void U8(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void U16(uint16_t value) { Fixed(value, 2); }
  void U32(uint32_t value) { Fixed(value, 4); }
  void U64(uint64_t value) { Fixed(value, 8); }
  void Varint(uint64_t value);
  void ZigZag(int64_t value);
  void Bytes(std::string_view bytes) { bytes_.append(bytes); }
  void String(std::string_view text);

  const std::string& bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }
  std::string Take() { return std::exchange(bytes_, {}); }

 private:
  void Fixed(uint64_t value, int count);

  std::string bytes_;
};

}  // namespace oscope
