// Frames and first lines of throwables. The method must contain a dot and no blank, and what follows the parentheses
// must be what logging frameworks append; otherwise the line is prose.
#include "tracer/import/java_frame.h"

#include <algorithm>

#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Java names may hold any letter of Unicode: every byte of a multi-byte character is accepted.
bool IsNameByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         c == '_' || c == '$' || c == '.';
}

// "app//", "java.base/", "app/module@1.0/". The "/0x0000000800c03000" of a hidden class is no
// prefix: a number follows it.
std::string_view WithoutModule(std::string_view method) {
  size_t start = 0;
  for (size_t i = 0; i + 1 < method.size(); ++i) {
    const bool hidden_class = method[i + 1] >= '0' && method[i + 1] <= '9';
    if (method[i] == '/' && !hidden_class) start = i + 1;
  }
  return method.substr(start);
}

}  // namespace

std::optional<StackFrame> ParseJavaFrame(std::string_view text) {
  const size_t open = text.find('(');
  if (open == kNone || open == 0) return std::nullopt;
  const size_t close = text.find(')', open);
  if (close == kNone) return std::nullopt;
  const std::string_view method = WithoutModule(text.substr(0, open));
  const bool is_method = method.find('.') != kNone && !method.starts_with('.') && !method.ends_with('.') &&
                         method.find(' ') == kNone && method.find('\t') == kNone;
  if (!is_method) return std::nullopt;
  const std::string_view rest = Trim(text.substr(close + 1));
  if (!rest.empty() && !rest.starts_with('[') && !rest.starts_with("~[")) return std::nullopt;

  StackFrame frame;
  frame.name = method;
  // A thread dump has the module here: "java.base@17.0.15/Thread.java:840".
  const std::string_view source = BaseNameOf(text.substr(open + 1, close - open - 1));
  const bool has_file =
      !source.empty() && source != "Native Method" && source != "Unknown Source" && !source.starts_with('<');
  if (has_file) ParseLocation(source, frame.attributes);
  return frame;
}

std::optional<ThrowableLine> ParseThrowableLine(std::string_view line) {
  ThrowableLine parsed;
  line = Trim(line);
  Consume(line, "[ERROR] ");
  Consume(line, "=> ");
  if (Consume(line, "Exception in thread \"")) {
    const size_t quote = line.find("\" ");
    if (quote == kNone) return std::nullopt;
    parsed.thread = line.substr(0, quote);
    line.remove_prefix(quote + 2);
  }
  const auto end = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), IsNameByte) - line.begin());
  const std::string_view type = line.substr(0, end);
  const bool ends = end == line.size() || line.substr(end, 2) == ": " || line.substr(end) == ":";
  const bool is_type = Contains(type, ".") || type.ends_with("Exception") || type.ends_with("Error");
  if (type.empty() || !ends || !is_type || type.starts_with('.') || type.ends_with('.')) return std::nullopt;
  parsed.message = line;
  return parsed;
}

}  // namespace oscope
