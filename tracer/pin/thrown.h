// What is thrown: the type's mangled name, and what() where it can be had without running the program's code.
//
// Layouts are those of the Itanium C++ ABI and of libstdc++: a type_info is a table pointer and a name; that of a class with one public base at
// its start points at the base's type_info next; std::runtime_error and std::logic_error keep their text behind the object's table pointer.
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

}  // namespace oscope::pin
