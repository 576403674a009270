// Texts in the program's memory, which may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace oscope::pin {

// Copies from the program's memory and returns how many bytes could be: inside Pin, PIN_SafeCopy.
using MemoryReader = size_t (*)(void* to, uint64_t from, size_t count);

bool ReadWord(MemoryReader read, uint64_t address, uint64_t* word);

// The C string at `address`, cut at `limit` bytes. False when nothing is readable there; with `printable`, when a byte of it is not.
bool ReadCString(MemoryReader read, uint64_t address, size_t limit, bool printable, std::string* text);

// The std::string (libstdc++, new ABI) at `address`: a pointer, then a length.
bool ReadStdString(MemoryReader read, uint64_t address, size_t limit, std::string* text);

}  // namespace oscope::pin
