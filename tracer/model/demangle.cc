// The demangler of the C++ runtime, behind limits. Back references may expand a short name exponentially; a hostile
// symbol table could use up all memory with one name. Such names stay mangled.
#include "tracer/model/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace oscope {
namespace {

constexpr size_t kMaxMangledBytes = 1024;
// Each back reference can repeat what stands before it; n of them expand a name at most
// about 1.44^n times, here some 6,000 times.
constexpr int kMaxBackReferences = 24;

int CountBackReferences(std::string_view name) {
  int count = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != 'S' && name[i] != 'T') continue;
    const size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
    if (end != std::string_view::npos && name[end] == '_') ++count;
  }
  return count;
}

}  // namespace

std::string Demangled(std::string_view name) {
  const bool worth_it = name.starts_with("_Z") && name.size() <= kMaxMangledBytes &&
                        name.find('\0') == std::string_view::npos && CountBackReferences(name) <= kMaxBackReferences;
  if (!worth_it) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && demangled ? std::string(demangled.get()) : std::string(name);
}

}  // namespace oscope
