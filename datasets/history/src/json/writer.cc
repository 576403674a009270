#include "quill/json/writer.h"

#include <array>
#include <charconv>

#include "quill/text/utf8.h"

namespace quill::json {

std::string Write(const Value& value, const WriteOptions& options) {
  Writer writer(options);
  writer.Add(value);
  return writer.text();
}

void Writer::Add(const Value& value) {
  if (value.IsNull()) {
    out_ += "null";
  } else if (value.IsInteger()) {
    out_ += std::to_string(value.AsInteger());
  } else if (value.IsNumber()) {
    AddNumber(value.AsDouble());
  } else if (value.IsString()) {
    AddString(value.AsString());
  } else if (value.IsArray()) {
    AddArray(value.AsArray());
  } else if (value.IsObject()) {
    AddObject(value.AsObject());
  } else {
    out_ += value.AsBool() ? "true" : "false";
  }
}

void Writer::AddArray(const Array& array) {
  out_ += '[';
  ++depth_;
  for (size_t i = 0; i < array.size(); ++i) {
    if (i > 0) out_ += ',';
    NewLine();
    Add(array[i]);
  }
  --depth_;
  if (!array.empty()) NewLine();
  out_ += ']';
}

void Writer::AddObject(const Object& object) {
  out_ += '{';
  ++depth_;
  for (size_t i = 0; i < object.size(); ++i) {
    if (i > 0) out_ += ',';
    NewLine();
    AddString(object[i].name);
    out_ += options_.indent > 0 ? ": " : ":";
    Add(object[i].value);
  }
  --depth_;
  if (!object.empty()) NewLine();
  out_ += '}';
}

void Writer::AddNumber(double number) {
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view written(digits.data(), static_cast<size_t>(result.ptr - digits.data()));
  out_ += written;
  if (written.find_first_not_of("-0123456789") == std::string_view::npos) out_ += ".0";
}

void Writer::AddString(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    if (options_.ascii_only && static_cast<unsigned char>(text.front()) >= 0x80) {
      AddCodePoint(text::TakeUtf8(text));
    } else {
      AddCharacter(text.front());
      text.remove_prefix(1);
    }
  }
  out_ += '"';
}

void Writer::AddCharacter(char c) {
  switch (c) {
    case '"':
    case '\\':
      out_ += '\\';
      out_ += c;
      break;
    case '\n':
      out_ += "\\n";
      break;
    case '\r':
      out_ += "\\r";
      break;
    case '\t':
      out_ += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        AddUnit(static_cast<unsigned char>(c));
      } else {
        out_ += c;
      }
  }
}

void Writer::AddUnit(uint32_t unit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out_ += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out_ += kDigits[(unit >> shift) & 0xF];
}

void Writer::AddCodePoint(uint32_t code_point) {
  if (code_point < 0x10000) return AddUnit(code_point);
  AddUnit(0xD800 + ((code_point - 0x10000) >> 10));
  AddUnit(0xDC00 + ((code_point - 0x10000) & 0x3FF));
}

void Writer::NewLine() {
  if (options_.indent == 0) return;
  out_ += '\n';
  out_.append(depth_ * options_.indent, ' ');
}

}  // namespace quill::json
