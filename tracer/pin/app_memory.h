// Texts in the program's memory, which may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace oscope::pin {

// Copies from the program's memory and returns how many bytes could be: inside Pin, PIN_SafeCopy.
using MemoryReader = size_t (*)(void* to, uint64_t from, size_t count);

bool ReadWord(MemoryReader read, uint64_t address, uint64_t* word);

// The C string at `address`, cut at `limit` bytes. False when it does not end before memory does; with `printable`,
// when it is not text.
bool ReadCString(MemoryReader read, uint64_t address, size_t limit, bool printable, std::string* text);

// Whether it is text as people write it: UTF-8 without control bytes other than tab and line ends. A character may be
// cut off at the end.
bool IsPrintable(const std::string& text);

// The std::string (libstdc++, new ABI) at `address`: a pointer, then a length.
bool ReadStdString(MemoryReader read, uint64_t address, size_t limit, std::string* text);

}  // namespace oscope::pin
