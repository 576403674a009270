// The bytes of fields that came after the layout of a record was fixed: a stored record ends with them.
//
//   appended = ( varint number, varint length, value )*       numbers ascend; length is that of the value
//   value    = text: its bytes; time and signed number: zigzag; unsigned number and enumeration: varint; true: 01
//
// The number is the row's `appended` (field.h). A field that holds its default is left out, so that a record without
// new fields has the bytes that it always had, and what is made of them (the hash of a run's content) stays.
// Threads: pure functions.
#pragma once

#include <algorithm>

#include "base/bytes.h"
#include "tracer/model/field.h"

namespace oscope {

inline void WriteValue(const std::string& text, ByteWriter& out) { out.Bytes(text); }
inline void WriteValue(bool value, ByteWriter& out) { out.U8(value ? 1 : 0); }
template <typename Number>
  requires std::is_integral_v<Number>
void WriteValue(Number number, ByteWriter& out) {
  if constexpr (std::is_signed_v<Number>) {
    out.ZigZag(number);
  } else {
    out.Varint(number);
  }
}
template <typename Enum>
  requires std::is_enum_v<Enum>
void WriteValue(Enum value, ByteWriter& out) {
  out.Varint(static_cast<uint64_t>(value));
}
template <typename Number>
  requires std::is_integral_v<Number>
void WriteValue(const std::optional<Number>& value, ByteWriter& out) {
  if (value) WriteValue(*value, out);
}

inline void ReadValue(ByteReader& in, std::string& text) { text = in.Bytes(in.remaining()); }
inline void ReadValue(ByteReader& in, bool& value) {
  if (in.U8() != 1) in.Fail("a flag is not 1");
  value = true;
}
template <typename Number>
  requires std::is_integral_v<Number>
void ReadValue(ByteReader& in, Number& number) {
  if constexpr (std::is_signed_v<Number>) {
    const int64_t value = in.ZigZag();
    number = static_cast<Number>(value);
    if (number != value) in.Fail("the number is too large");
  } else {
    const uint64_t value = in.Varint();
    number = static_cast<Number>(value);
    if (number != value) in.Fail("the number is too large");
  }
}
template <typename Enum>
  requires std::is_enum_v<Enum>
void ReadValue(ByteReader& in, Enum& value) {
  const uint64_t number = in.Varint();
  if (number >= EnumText<Enum>::kCount) return in.Fail(fmt::format("{} is unknown", number));
  value = static_cast<Enum>(number);
}
template <typename Number>
  requires std::is_integral_v<Number>
void ReadValue(ByteReader& in, std::optional<Number>& value) {
  ReadValue(in, value.emplace());
}

// Whether a member of this type can be appended: texts, numbers, times, flags and enumerations can, lists cannot.
template <typename Value>
concept Appendable = requires(const Value& value, Value& read, ByteWriter& out, ByteReader& in) {
  WriteValue(value, out);
  ReadValue(in, read);
};

// Writes the appended fields of a record that do not hold their default.
template <const auto& kFields, typename Record>
void WriteAppended(const Record& record, ByteWriter& out) {
  using Row = std::remove_cvref_t<decltype(kFields[0])>;
  for (const Row* row : kInOrder<kFields, &Row::appended>) {
    std::visit(
        [&](const auto& member) {
          const auto& value = member.read(record);
          if constexpr (Appendable<std::remove_cvref_t<decltype(value)>>) {
            if (HoldsDefault(value)) return;
            ByteWriter bytes;
            WriteValue(value, bytes);
            out.Varint(row->appended);
            out.String(bytes.bytes());
          }
        },
        row->member);
  }
}

// Reads what WriteAppended wrote, which `bytes` must be exactly, into the record. kUnsupported for a number that no row
// has, kLimit for a text over its limit, kCorrupt for anything else.
template <const auto& kFields, typename Record>
Status ReadAppended(std::string_view bytes, Record& record) {
  using Row = std::remove_cvref_t<decltype(kFields[0])>;
  constexpr const auto& kRows = kInOrder<kFields, &Row::appended>;
  ByteReader in(bytes);
  uint64_t last = 0;
  while (in.ok() && in.remaining() > 0) {
    const uint64_t number = in.Varint();
    const uint64_t length = in.Varint();
    if (!in.ok()) break;
    if (number <= last) return Corrupt("appended field {} comes after field {}", number, last);
    last = number;
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row* one) { return one->appended == number; });
    if (row == kRows.end()) return Unsupported("field {} is unknown: a newer release may have written it", number);
    const bool is_text = std::holds_alternative<Member<Record, std::string>>((*row)->member);
    if (is_text && length > (*row)->limit)
      return Limit("{}: {} is over the limit of {}", (*row)->what, length, (*row)->limit);
    ByteReader value(in.Bytes(length));
    if (!in.ok()) break;
    std::visit(
        [&](const auto& member) {
          if constexpr (Appendable<std::remove_cvref_t<decltype(member.read(record))>>)
            ReadValue(value, member.change(record));
        },
        (*row)->member);
    if (Status read = value.ExpectEnd(); !read.ok()) return std::move(read).error().Within((*row)->what);
  }
  return in.status();
}

}  // namespace oscope
