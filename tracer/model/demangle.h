// Names of the Itanium C++ ABI, as symbol tables and backtrace_symbols have them.
#pragma once

#include <string>
#include <string_view>

namespace oscope {

// The demangled name of "_Z…", or `name` as it is when it is not mangled or demangling it could
// cost too much: a mangled name may refer back to its own parts so that a few hundred bytes expand
// to gigabytes.
std::string Demangled(std::string_view name);

}  // namespace oscope
