// Members as texts, and texts of the source tree.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "base/timestamp.h"
#include "tracer/model/bug_fields.h"
#include "tracer/model/run_fields.h"

namespace oscope {

// As --json prints it and as a query sees it; empty for a list.
inline std::string TextOf(const std::string& text) { return text; }
inline std::string TextOf(const std::optional<int64_t>& time_ns) { return time_ns ? FormatTimestamp(*time_ns) : ""; }
template <typename Enum>
  requires std::is_enum_v<Enum>
std::string TextOf(Enum value) {
  return std::string(EnumText<Enum>::Name(value));
}
inline std::string TextOf(RunId id) { return ToString(id); }
template <typename List>
  requires(!std::is_enum_v<List>)
std::string TextOf(const List&) {
  return {};
}

// What a record has, for messages of tests.
template <typename Rows, typename Record>
std::string ToText(const Rows& rows, const Record& record) {
  std::string text;
  for (const auto& row : rows) {
    std::visit(
        [&](const auto& member) {
          if (!HoldsDefault(member.read(record))) text += fmt::format("{}={} ", row.name, TextOf(member.read(record)));
        },
        row.member);
  }
  return text;
}
inline std::string ToText(const Bug& bug) { return ToText(kBugFields, bug); }
inline std::string ToText(const RunHeader& run) { return ToText(kRunFields, run); }

inline std::string ReadSource(const std::string& path) {
  std::ifstream file(OSCOPE_SOURCE_DIR "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool HasWord(const std::string& text, const std::string& word) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return true;
  }
  return false;
}

}  // namespace oscope
