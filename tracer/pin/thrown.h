// What is thrown: the type's mangled name, and what() where it can be had without running the program's code.
//
// Layouts are those of the Itanium C++ ABI and of libstdc++: a type_info is a table pointer and a name; that of a class
// with one public base at its start points at the base's type_info next; std::runtime_error and std::logic_error keep
// their text behind the object's table pointer. A thrown object lies behind a header of 112 bytes that begins with the
// pointer to its type_info; std::exception_ptr is a pointer to the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tracer/pin/app_memory.h"

namespace oscope::pin {

struct Thrown {
  bool has_type = false;
  std::string type;  // "St13runtime_error"
  bool has_what = false;
  std::string what;
};

// `object` and `type_info` are the first two arguments of __cxa_throw.
Thrown DescribeThrown(MemoryReader read, uint64_t object, uint64_t type_info, size_t limit);

struct StoredException {
  uint64_t object = 0, type_info = 0;  // 0: cannot be read
};

// `exception_ptr` is the address of one: the argument of std::rethrow_exception.
StoredException FindStored(MemoryReader read, uint64_t exception_ptr);

}  // namespace oscope::pin
