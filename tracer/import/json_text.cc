// What JSON cannot hold by itself: nesting is checked before a recursive parser sees the text, and bytes that are not
// UTF-8 are written in base64.
#include "tracer/import/json_text.h"

#include <fmt/core.h>

#include <iterator>

#include "base/escape.h"
#include "tracer/import/base64.h"

namespace oscope {

uint64_t FindTooDeepNesting(std::string_view json) {
  int depth = 0;
  uint64_t line = 1;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '\n') ++line;
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonNesting) return line;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return 0;
}

void AppendJsonText(std::string& json, std::string_view text) {
  if (!IsValidUtf8(text)) {
    json += R"({"base64":")" + EncodeBase64(text) + "\"}";
    return;
  }
  json += '"';
  for (const char c : text) {
    switch (c) {
      case '"': json += "\\\""; break;
      case '\\': json += "\\\\"; break;
      case '\n': json += "\\n"; break;
      case '\t': json += "\\t"; break;
      case '\r': json += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          fmt::format_to(std::back_inserter(json), "\\u{:04x}", c);
        } else {
          json += c;
        }
    }
  }
  json += '"';
}

std::string JsonReason(std::string_view what) {
  if (const size_t bracket = what.find("] "); bracket != std::string_view::npos) what.remove_prefix(bracket + 2);
  constexpr size_t kEnough = 200;
  return ToValidUtf8(what.substr(0, kEnough));
}

}  // namespace oscope
