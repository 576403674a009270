// A diagnostic: something wrong with (or odd about) a query, at a place in its text. All of a query's are collected and
// shown at once.
//
// Rendered (RenderDiagnostics):
//   1:42: unknown bug 'b52': did you mean 'b527'?
//     SELECT b FROM ALL WHERE INTERSECT?(b, b52, 10)
//                                           ^~~
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oscope::bql {

// Bytes [begin, end) of the query's text.
struct TextSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const TextSpan&) const = default;
};

enum class Severity : uint8_t { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  TextSpan span;
  std::string message;  // one line, no full stop: "unknown project 'Rhin': did you mean 'Rhino'?"
  bool operator==(const Diagnostic&) const = default;
};

bool HasErrors(const std::vector<Diagnostic>& diagnostics);

struct LineColumn {
  uint32_t line = 1, column = 1;  // columns count code points
};
LineColumn Locate(std::string_view text, uint32_t offset);

// "1:42: message", warnings as "1:42: warning: message"; in the order of their places, then of their making.
std::string RenderShort(std::string_view text, const std::vector<Diagnostic>& diagnostics);
// The same with the line and a caret under each span. Long lines are cut around the span; unprintable bytes are
// escaped.
std::string RenderDiagnostics(std::string_view text, const std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
