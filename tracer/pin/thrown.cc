// Reads thrown objects by the layout that the C++ ABI prescribes. what() is a virtual function of the program and is
// never called here: it would run the program's code at a moment when the program may not expect it.
#include "tracer/pin/thrown.h"

namespace oscope::pin {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t);
constexpr int kDeepest = 32;  // a chain of bases longer than this is none
constexpr size_t kNameLimit = 4096;
constexpr uint64_t kHeaderBytes = 112;  // of a __cxa_exception

bool ReadTypeName(MemoryReader read, uint64_t type_info, std::string* name) {
  uint64_t at = 0;
  if (!ReadWord(read, type_info + kWord, &at) || !ReadCString(read, at, kNameLimit, true, name)) return false;
  // The compiler's mark for a type that is compared by address.
  if (!name->empty() && (*name)[0] == '*') name->erase(0, 1);
  return !name->empty();
}

// The type_info's own class, by the type_info before its table of functions.
bool HasSingleBase(MemoryReader read, uint64_t type_info) {
  uint64_t table = 0, its_type = 0;
  std::string name;
  return ReadWord(read, type_info, &table) && ReadWord(read, table - kWord, &its_type) &&
         ReadTypeName(read, its_type, &name) && name == "N10__cxxabiv120__si_class_type_infoE";
}

bool IsStandardError(MemoryReader read, uint64_t type_info) {
  std::string name;
  for (int depth = 0; depth < kDeepest && ReadTypeName(read, type_info, &name); ++depth) {
    if (name == "St13runtime_error" || name == "St11logic_error") return true;
    if (!HasSingleBase(read, type_info) || !ReadWord(read, type_info + 2 * kWord, &type_info)) return false;
  }
  return false;
}

}  // namespace

Thrown DescribeThrown(MemoryReader read, uint64_t object, uint64_t type_info, size_t limit) {
  Thrown thrown;
  thrown.has_type = ReadTypeName(read, type_info, &thrown.type);
  uint64_t text = 0;
  if (thrown.has_type && IsStandardError(read, type_info) && ReadWord(read, object + kWord, &text)) {
    thrown.has_what = ReadCString(read, text, limit, false, &thrown.what);
  }
  return thrown;
}

StoredException FindStored(MemoryReader read, uint64_t exception_ptr) {
  StoredException stored;
  if (!ReadWord(read, exception_ptr, &stored.object) || stored.object == 0) return {};
  if (!ReadWord(read, stored.object - kHeaderBytes, &stored.type_info)) stored.type_info = 0;
  return stored;
}

}  // namespace oscope::pin
