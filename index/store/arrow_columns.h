// Short ways to make and read Arrow columns. Included by the few sources that touch Arrow, never by a public header.
//
// Texts are stored in the form of stored_text.h; an empty text in a nullable column is null, which other tools show as
// such.
#pragma once

#include <arrow/api.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "base/result.h"
#include "index/store/arrow_error.h"
#include "index/store/stored_text.h"

namespace oscope {

using ArrayPtr = std::shared_ptr<arrow::Array>;

// In memory only allocation can fail, and then nothing can go on.
inline void MustBuild(const arrow::Status& status) { OSCOPE_CHECK(status.ok()); }
inline ArrayPtr Finish(arrow::ArrayBuilder& builder) {
  ArrayPtr array;
  MustBuild(builder.Finish(&array));
  return array;
}

inline void AppendText(arrow::StringBuilder& builder, std::string_view text) {
  if (IsPlainText(text)) {
    MustBuild(builder.Append(text));
  } else {
    MustBuild(builder.Append(ToStoredText(text)));
  }
}

// value(i) gives a text; with `nullable` an empty one is null.
template <typename Value>
ArrayPtr TextColumn(size_t rows, bool nullable, Value value) {
  arrow::StringBuilder builder;
  // Most nullable columns are null for long: such a stretch is added at once.
  int64_t nulls = 0;
  for (size_t i = 0; i < rows; ++i) {
    const std::string_view text = value(i);
    if (nullable && text.empty()) {
      ++nulls;
      continue;
    }
    if (nulls > 0) MustBuild(builder.AppendNulls(std::exchange(nulls, 0)));
    AppendText(builder, text);
  }
  MustBuild(builder.AppendNulls(nulls));
  return Finish(builder);
}

// value(i) gives a number or an optional one.
template <typename Builder, typename Value>
ArrayPtr NumberColumn(size_t rows, Value value) {
  Builder builder;
  MustBuild(builder.Reserve(static_cast<int64_t>(rows)));
  for (size_t i = 0; i < rows; ++i) {
    if constexpr (requires { value(i).has_value(); }) {
      const auto number = value(i);
      MustBuild(number ? builder.Append(static_cast<typename Builder::value_type>(*number)) : builder.AppendNull());
    } else {
      MustBuild(builder.Append(static_cast<typename Builder::value_type>(value(i))));
    }
  }
  return Finish(builder);
}

template <typename Value>
ArrayPtr BoolColumn(size_t rows, Value value) {
  arrow::BooleanBuilder builder;
  for (size_t i = 0; i < rows; ++i) MustBuild(builder.Append(value(i)));
  return Finish(builder);
}

// Nanoseconds since the epoch as a UTC timestamp.
inline std::shared_ptr<arrow::DataType> TimeType() { return arrow::timestamp(arrow::TimeUnit::NANO, "UTC"); }
template <typename Value>
ArrayPtr TimeColumn(size_t rows, Value value) {
  arrow::TimestampBuilder builder(TimeType(), arrow::default_memory_pool());
  for (size_t i = 0; i < rows; ++i) {
    const std::optional<int64_t> at = value(i);
    MustBuild(at ? builder.Append(*at) : builder.AppendNull());
  }
  return Finish(builder);
}

// Sixteen bytes, most significant first: what Parquet calls a UUID.
template <typename Value>
ArrayPtr Hash128Column(size_t rows, Value value) {
  arrow::FixedSizeBinaryBuilder builder(arrow::fixed_size_binary(16));
  MustBuild(builder.Reserve(static_cast<int64_t>(rows)));
  for (size_t i = 0; i < rows; ++i) {
    const auto hash = value(i);
    char bytes[16];
    for (int b = 0; b < 8; ++b) {
      bytes[b] = static_cast<char>(hash.high >> (56 - 8 * b));
      bytes[8 + b] = static_cast<char>(hash.low >> (56 - 8 * b));
    }
    builder.UnsafeAppend(bytes);
  }
  return Finish(builder);
}

inline std::shared_ptr<arrow::DataType> TextMapType() { return arrow::map(arrow::utf8(), arrow::utf8()); }
template <typename Value>
ArrayPtr TextMapColumn(size_t rows, Value value) {
  auto keys = std::make_shared<arrow::StringBuilder>();
  auto items = std::make_shared<arrow::StringBuilder>();
  arrow::MapBuilder builder(arrow::default_memory_pool(), keys, items);
  for (size_t i = 0; i < rows; ++i) {
    MustBuild(builder.Append());
    for (const auto& [key, item] : value(i)) {
      AppendText(*keys, key);
      AppendText(*items, item);
    }
  }
  return Finish(builder);
}

inline std::string TextAt(const arrow::Array& array, int64_t row) {
  if (array.IsNull(row)) return {};
  return FromStoredText(static_cast<const arrow::StringArray&>(array).GetView(row));
}

template <typename ArrayType, typename Number>
std::optional<Number> NumberAt(const arrow::Array& array, int64_t row) {
  if (array.IsNull(row)) return std::nullopt;
  return static_cast<Number>(static_cast<const ArrayType&>(array).Value(row));
}

inline bool BoolAt(const arrow::Array& array, int64_t row) {
  return array.IsValid(row) && static_cast<const arrow::BooleanArray&>(array).Value(row);
}

inline Hash128 Hash128From(const uint8_t* bytes) {
  Hash128 hash;
  for (int b = 0; b < 8; ++b) {
    hash.high = (hash.high << 8) | bytes[b];
    hash.low = (hash.low << 8) | bytes[8 + b];
  }
  return hash;
}
// A UUID column, whether Arrow reads it as its extension type or as the bytes beneath.
inline Hash128 Hash128At(const arrow::Array& array, int64_t row) {
  const arrow::Array* storage = &array;
  if (array.type_id() == arrow::Type::EXTENSION)
    storage = static_cast<const arrow::ExtensionArray&>(array).storage().get();
  return Hash128From(static_cast<const arrow::FixedSizeBinaryArray&>(*storage).GetValue(row));
}

inline std::map<std::string, std::string> TextMapAt(const arrow::Array& array, int64_t row) {
  std::map<std::string, std::string> map;
  const auto& list = static_cast<const arrow::MapArray&>(array);
  if (list.IsNull(row)) return map;
  for (int64_t i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
    map.emplace(TextAt(*list.keys(), i), TextAt(*list.items(), i));
  }
  return map;
}

}  // namespace oscope
