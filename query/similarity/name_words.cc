// Splits names as programmers write them: camelCase, PascalCase, snake_case, acronyms, digits. It classifies bytes and
// knows nothing of any language.
#include "query/similarity/name_words.h"

#include <cstdint>

#include "tracer/model/event.h"

namespace oscope {
namespace {

enum class Class : uint8_t { kMark, kSmall, kCapital, kDigit };

Class ClassOf(char c) {
  if (c >= 'A' && c <= 'Z') return Class::kCapital;
  if (c >= '0' && c <= '9') return Class::kDigit;
  const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80;
  return (c >= 'a' && c <= 'z') || beyond_ascii ? Class::kSmall : Class::kMark;
}

char Small(char c) { return ClassOf(c) == Class::kCapital ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether a word begins at `at`, whose byte is not a mark.
bool Begins(std::string_view name, size_t at) {
  if (at == 0) return true;
  const Class before = ClassOf(name[at - 1]), here = ClassOf(name[at]);
  if (here != Class::kCapital) return before != here && !(before == Class::kCapital && here == Class::kSmall);
  if (before != Class::kCapital) return true;
  return at + 1 < name.size() && ClassOf(name[at + 1]) == Class::kSmall;
}

}  // namespace

std::vector<std::string> NameWords(std::string_view name) {
  std::vector<std::string> words;
  for (size_t i = 0; i < name.size(); ++i) {
    if (ClassOf(name[i]) == Class::kMark) continue;
    if (Begins(name, i)) words.emplace_back();
    words.back() += Small(name[i]);
  }
  return words;
}

}  // namespace oscope
