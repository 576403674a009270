// A recorder sees registers, not types. How many arguments there are is known from the demangled signature of a C++
// function or from a short list of well-known C functions; otherwise all six registers are shown. A value that points
// at readable text is shown as text, any other by its size.
#include "tracer/record/value_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace oscope {
namespace {

// How many arguments a function takes headers say, and machine code does not. The mode of open, which most calls lack,
// is left out.
const std::map<std::string_view, size_t>& KnownCounts() {
  static const std::map<std::string_view, size_t> counts = {{"open", 2},
                                                            {"open64", 2},
                                                            {"openat", 3},
                                                            {"creat", 2},
                                                            {"close", 1},
                                                            {"read", 3},
                                                            {"write", 3},
                                                            {"lseek", 3},
                                                            {"fopen", 2},
                                                            {"fopen64", 2},
                                                            {"fclose", 1},
                                                            {"fread", 4},
                                                            {"fwrite", 4},
                                                            {"fgets", 3},
                                                            {"fputs", 2},
                                                            {"fseek", 3},
                                                            {"malloc", 1},
                                                            {"calloc", 2},
                                                            {"realloc", 2},
                                                            {"free", 1},
                                                            {"strlen", 1},
                                                            {"strcmp", 2},
                                                            {"strcpy", 2},
                                                            {"strdup", 1},
                                                            {"memcpy", 3},
                                                            {"memset", 3},
                                                            {"socket", 3},
                                                            {"bind", 3},
                                                            {"listen", 2},
                                                            {"accept", 3},
                                                            {"connect", 3},
                                                            {"send", 4},
                                                            {"recv", 4},
                                                            {"shutdown", 2},
                                                            {"getenv", 1},
                                                            {"setenv", 3},
                                                            {"chdir", 1},
                                                            {"mkdir", 2},
                                                            {"unlink", 1},
                                                            {"rename", 2},
                                                            {"stat", 2},
                                                            {"fstat", 2},
                                                            {"access", 2},
                                                            {"opendir", 1},
                                                            {"readdir", 1},
                                                            {"closedir", 1},
                                                            {"fork", 0},
                                                            {"getpid", 0},
                                                            {"kill", 2},
                                                            {"pipe", 1},
                                                            {"dup", 1},
                                                            {"dup2", 2},
                                                            {"mmap", 6},
                                                            {"munmap", 2},
                                                            {"pthread_create", 4},
                                                            {"pthread_join", 2},
                                                            {"pthread_mutex_lock", 1},
                                                            {"pthread_mutex_unlock", 1},
                                                            {"pthread_mutex_init", 2},
                                                            {"pthread_mutex_destroy", 1}};
  return counts;
}

// The parameters of "net::Socket::read(char*, unsigned long) const"; a member function has `this` besides, which the
// text does not tell.
std::optional<size_t> CountParameters(std::string_view signature) {
  if (!signature.ends_with(')') && !signature.ends_with(") const")) return std::nullopt;
  const size_t end = signature.rfind(')');
  int depth = 0;
  size_t count = 1, at = end;
  bool any = false;
  for (;; --at) {
    const char c = signature[at];
    if (c == ')' || c == '>') ++depth;
    if (c == '(' || c == '<') --depth;
    if (depth == 0) break;
    if (c == ',' && depth == 1) ++count;
    if (at != end && c != ' ') any = true;
    if (at == 0) return std::nullopt;
  }
  return any ? count : 0;
}

}  // namespace

std::string ValueText(const RecordedValue& value) {
  if (value.text) {
    std::string quoted = "\"";
    for (const char c : *value.text) {
      if (c == '"' || c == '\\') quoted += '\\';
      if (c == '\n') {
        quoted += "\\n";
      } else {
        quoted += c;
      }
    }
    return quoted + '"';
  }
  if (value.bits >> 32 == 0) return std::to_string(static_cast<int32_t>(value.bits));
  if (value.bits >> 31 == (uint64_t{1} << 33) - 1) return std::to_string(static_cast<int64_t>(value.bits));
  return fmt::format("{:#x}", value.bits);
}

std::string ArgumentsText(std::string_view method, std::string_view signature,
                          std::span<const RecordedValue> arguments) {
  size_t count = arguments.size();
  if (const auto known = KnownCounts().find(method); known != KnownCounts().end()) {
    count = known->second;
  } else if (const std::optional<size_t> parameters = CountParameters(signature)) {
    // One more where it may be a member function.
    count = *parameters + (method.find("::") != std::string_view::npos ? 1 : 0);
  }
  std::string text = "(";
  for (size_t i = 0; i < std::min(count, arguments.size()); ++i) {
    if (i > 0) text += ", ";
    text += ValueText(arguments[i]);
  }
  return text + ")";
}

}  // namespace oscope
