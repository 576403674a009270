// Base64 in both directions. Decoding is strict: there is exactly one text for given bytes, so that texts can be
// compared.
#include "tracer/import/base64.h"

#include <array>
#include <cstdint>

namespace oscope {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xff;

constexpr std::array<uint8_t, 256> MakeDigits() {
  std::array<uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return digits;
}
constexpr std::array<uint8_t, 256> kDigits = MakeDigits();

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      const bool is_padding = i + j > bytes.size();
      text += is_padding ? '=' : kAlphabet[group >> (18 - 6 * j) & 63];
    }
  }
  return text;
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return Invalid("base64 of {} characters, not a multiple of 4", text.size());
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const size_t padding = !is_last ? 0 : text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    uint32_t group = 0;
    for (size_t j = 0; j < 4; ++j) {
      const uint8_t digit = j >= 4 - padding ? 0 : kDigits[static_cast<unsigned char>(text[i + j])];
      if (digit == kNoDigit) return Invalid("base64 with a wrong character at {}", i + j);
      group = group << 6 | digit;
    }
    for (size_t j = 0; j < 3 - padding; ++j) bytes += static_cast<char>(group >> (16 - 8 * j) & 255);
    // Bits that no byte holds must be zero, or two texts would mean the same.
    if (padding > 0 && (group & (padding == 1 ? 0xffu : 0xffffu)) != 0) {
      return Invalid("base64 with bits left over");
    }
  }
  return bytes;
}

}  // namespace oscope
