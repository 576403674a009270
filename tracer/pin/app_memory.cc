// Reads texts from addresses that may be anything. Most values that look like pointers are none, so reading stops at
// the first byte that is not printable, and never crosses a page in one step: a text may end just before a page that
// cannot be read.
#include "tracer/pin/app_memory.h"

#include <algorithm>
#include <cstring>

namespace oscope::pin {
namespace {

constexpr uint64_t kPage = 4096;

// By a character's first byte; 0: none begins so.
size_t CharacterBytes(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

}  // namespace

bool IsPrintable(const std::string& text) {
  size_t rest = 0;  // bytes of the character that are still to come
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (rest > 0) {
      if ((byte & 0xc0) != 0x80) return false;
      --rest;
      continue;
    }
    const bool is_control = byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
    const size_t bytes = CharacterBytes(byte);
    if (is_control || bytes == 0) return false;
    rest = bytes - 1;
  }
  return true;
}

bool ReadWord(MemoryReader read, uint64_t address, uint64_t* word) {
  return address >= kPage && read(word, address, sizeof *word) == sizeof *word;
}

bool ReadCString(MemoryReader read, uint64_t address, size_t limit, bool printable, std::string* text) {
  text->clear();
  if (address < kPage) return false;  // a small number, not a pointer
  if (limit == 0) return true;
  while (text->size() < limit) {
    // A page at a time at most: the string may end just before one that cannot be read.
    char buffer[256];
    const size_t to_page_end = static_cast<size_t>(kPage - address % kPage);
    const size_t wanted = std::min({sizeof buffer, to_page_end, limit - text->size()});
    const size_t got = read(buffer, address, wanted);
    const auto* nul = static_cast<const char*>(std::memchr(buffer, '\0', got));
    const size_t length = nul == nullptr ? got : static_cast<size_t>(nul - buffer);
    text->append(buffer, length);
    // Most pointers point at something else: that is seen early.
    if (printable && !IsPrintable(*text)) return false;
    if (nul != nullptr) return true;
    if (got < wanted) return false;
    address += got;
  }
  return true;
}

bool ReadStdString(MemoryReader read, uint64_t address, size_t limit, std::string* text) {
  uint64_t data = 0, length = 0;
  text->clear();
  if (!ReadWord(read, address, &data) || !ReadWord(read, address + sizeof data, &length) || data < kPage) return false;
  text->resize(static_cast<size_t>(std::min<uint64_t>(length, limit)));
  if (!text->empty()) text->resize(read(&(*text)[0], data, text->size()));
  return !text->empty() || length == 0;
}

}  // namespace oscope::pin
