// UTF-8 text cut and walked between its characters. Checking and repairing it: base/escape.h.
//
// Bytes that are no UTF-8 are taken as they come: nothing here fails.
// Threads: pure functions, for any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace oscope {

// Whether the byte stands inside a character rather than at its beginning.
constexpr bool IsUtf8Continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The length of the longest beginning of `text` that has at most `max_bytes` and does not end inside a character. A
// character has four bytes at most, so that no more than three are given up, also of text that is no UTF-8.
inline size_t Utf8Cut(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text.size();
  const size_t least = max_bytes < 3 ? 0 : max_bytes - 3;
  size_t end = max_bytes;
  while (end > least && IsUtf8Continuation(text[end])) --end;
  return end;
}

// That beginning.
inline std::string CutToBytes(std::string text, size_t max_bytes) {
  text.resize(Utf8Cut(text, max_bytes));
  return text;
}

// Where the character that begins at `at` ends. `at` is inside of `text`.
inline size_t Utf8CharacterEnd(std::string_view text, size_t at) {
  for (++at; at < text.size() && IsUtf8Continuation(text[at]);) ++at;
  return at;
}

}  // namespace oscope
