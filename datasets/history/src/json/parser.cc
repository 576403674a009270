#include "quill/json/parser.h"

#include <charconv>
#include <cstdlib>

#include "quill/text/strings.h"
#include "quill/text/utf8.h"

namespace quill::json {
namespace {

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// False if the digits say more than 64 bits hold.
bool ToInteger(std::string_view digits, int64_t& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

Value Parse(std::string_view text, const ParseOptions& options) {
  return Parser(text, options).ParseDocument();
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > parser_.options_.max_depth) parser_.cursor_.Fail("nested too deeply");
}

Parser::Nesting::~Nesting() { --parser_.depth_; }

Value Parser::ParseDocument() {
  SkipBlanks();
  Value value = ParseValue();
  SkipBlanks();
  if (!cursor_.AtEnd()) cursor_.Fail("text after the value");
  return value;
}

void Parser::SkipBlanks() {
  cursor_.SkipBlanks(true);
  while (options_.comments && cursor_.Consume("//")) {
    cursor_.TakeLine();
    cursor_.SkipBlanks(true);
  }
}

Value Parser::ParseValue() {
  switch (cursor_.Peek()) {
    case '{':
      return ParseObject();
    case '[':
      return ParseArray();
    case '"':
      return ParseString();
    case 't':
      if (cursor_.Consume("true")) return true;
      break;
    case 'f':
      if (cursor_.Consume("false")) return false;
      break;
    case 'n':
      if (cursor_.Consume("null")) return nullptr;
      break;
    default:
      if (cursor_.Peek() == '-' || text::IsDigit(cursor_.Peek())) return ParseNumber();
  }
  cursor_.Fail("expected a value");
}

Value Parser::ParseObject() {
  const Nesting nesting(*this);
  cursor_.Expect('{');
  Value object = Object();
  SkipBlanks();
  if (cursor_.Consume('}')) return object;
  do {
    SkipBlanks();
    std::string name = ParseString();
    SkipBlanks();
    cursor_.Expect(':');
    SkipBlanks();
    object.Set(std::move(name), ParseValue());
    SkipBlanks();
  } while (cursor_.Consume(','));
  cursor_.Expect('}');
  return object;
}

Value Parser::ParseArray() {
  const Nesting nesting(*this);
  cursor_.Expect('[');
  Value array = Array();
  SkipBlanks();
  if (cursor_.Consume(']')) return array;
  do {
    SkipBlanks();
    array.Append(ParseValue());
    SkipBlanks();
  } while (cursor_.Consume(','));
  cursor_.Expect(']');
  return array;
}

Value Parser::ParseNumber() {
  std::string digits;
  if (cursor_.Consume('-')) digits += '-';
  if (!text::IsDigit(cursor_.Peek())) cursor_.Fail("expected a digit");
  digits += cursor_.TakeWhile(text::IsDigit);
  bool integer = true;
  if (cursor_.Consume('.')) {
    integer = false;
    digits += '.';
    digits += cursor_.TakeWhile(text::IsDigit);
  }
  if (cursor_.Peek() == 'e' || cursor_.Peek() == 'E') {
    integer = false;
    digits += cursor_.Next();
    if (cursor_.Peek() == '+' || cursor_.Peek() == '-') digits += cursor_.Next();
    if (!text::IsDigit(cursor_.Peek())) cursor_.Fail("expected an exponent");
    digits += cursor_.TakeWhile(text::IsDigit);
  }
  int64_t value = 0;
  if (integer && ToInteger(digits, value)) return value;
  return std::strtod(digits.c_str(), nullptr);
}

std::string Parser::ParseString() {
  cursor_.Expect('"');
  std::string out;
  while (!cursor_.Consume('"')) {
    if (cursor_.Consume('\\')) {
      ParseEscape(out);
    } else if (static_cast<unsigned char>(cursor_.Peek()) < 0x20) {
      cursor_.Fail(cursor_.AtEnd() ? "string without an end" : "control character in a string");
    } else {
      out += cursor_.Next();
    }
  }
  return out;
}

void Parser::ParseEscape(std::string& out) {
  const char kind = cursor_.Next();
  switch (kind) {
    case '"':
    case '\\':
    case '/':
      out += kind;
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'u':
      text::AppendUtf8(out, ParseCodePoint());
      break;
    default:
      cursor_.Fail("unknown escape");
  }
}

uint32_t Parser::ParseCodePoint() {
  const uint32_t unit = ParseHex4();
  if (IsLowSurrogate(unit)) return text::kReplacement;
  if (!IsHighSurrogate(unit)) return unit;
  if (cursor_.Peek() != '\\' || cursor_.Peek(1) != 'u') return text::kReplacement;
  cursor_.Consume("\\u");
  const uint32_t low = ParseHex4();
  if (!IsLowSurrogate(low)) return text::kReplacement;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

uint32_t Parser::ParseHex4() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = cursor_.Next();
    const char digits[] = {c, '\0'};
    char* end = nullptr;
    const unsigned long digit = std::strtoul(digits, &end, 16);
    if (end == digits) cursor_.Fail("expected four hexadecimal digits");
    value = (value << 4) | static_cast<uint32_t>(digit);
  }
  return value;
}

}  // namespace quill::json
