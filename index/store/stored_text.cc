// A mapping between arbitrary bytes and valid UTF-8 that can be undone. Nearly all texts are ASCII, so they are tested
// eight bytes at a time and returned unchanged; only a text with a bad byte, or with one of the private characters
// that stand for bad bytes, is rewritten.
#include "index/store/stored_text.h"

#include <cstring>

namespace oscope {

namespace {

constexpr std::string_view kEscapePrefix = "\xf4\x8f";  // then bc..bf and 80..bf: U+10FF00 .. U+10FFFF

bool IsContinuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The length of the valid UTF-8 character at the front, or 0.
size_t CharacterLength(std::string_view text) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return IsContinuation(at(1)) ? 2 : 0;
  if (lead < 0xf0) {
    if (!IsContinuation(at(1)) || !IsContinuation(at(2))) return 0;
    if (lead == 0xe0 && at(1) < 0xa0) return 0;   // overlong
    if (lead == 0xed && at(1) >= 0xa0) return 0;  // surrogate
    return 3;
  }
  if (lead > 0xf4) return 0;
  if (!IsContinuation(at(1)) || !IsContinuation(at(2)) || !IsContinuation(at(3))) return 0;
  if (lead == 0xf0 && at(1) < 0x90) return 0;
  if (lead == 0xf4 && at(1) >= 0x90) return 0;
  return 4;
}

bool IsEscape(std::string_view text) {
  return text.size() >= 4 && text.starts_with(kEscapePrefix) && static_cast<unsigned char>(text[2]) >= 0xbc;
}

bool IsAscii(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080u) != 0) return false;
  }
  for (; i < text.size(); ++i) {
    if ((text[i] & 0x80) != 0) return false;
  }
  return true;
}

void AppendEscape(std::string& out, unsigned char byte) {
  out += kEscapePrefix;
  out += static_cast<char>(0xbc | (byte >> 6));
  out += static_cast<char>(0x80 | (byte & 0x3f));
}

}  // namespace

bool IsPlainText(std::string_view text) {
  if (IsAscii(text)) return true;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    if (length == 0 || IsEscape(text)) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ToStoredText(std::string_view text) {
  if (IsPlainText(text)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const size_t length = CharacterLength(text);
    if (length == 0) {
      AppendEscape(out, static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    } else if (IsEscape(text)) {
      for (char c : text.substr(0, 4)) AppendEscape(out, static_cast<unsigned char>(c));
      text.remove_prefix(4);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string FromStoredText(std::string_view stored) {
  if (stored.find(kEscapePrefix) == std::string_view::npos) return std::string(stored);
  std::string out;
  while (!stored.empty()) {
    if (IsEscape(stored)) {
      out += static_cast<char>(((static_cast<unsigned char>(stored[2]) & 0x03) << 6) |
                               (static_cast<unsigned char>(stored[3]) & 0x3f));
      stored.remove_prefix(4);
    } else {
      out += stored.front();
      stored.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace oscope
