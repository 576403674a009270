// A diagnostic: an error in a query, or a warning about it, at a place in its text. All diagnostics of a query are
// collected and shown together.
//
// Rendered (RenderDiagnostics):
//   1:42: unknown bug 'b52': did you mean 'b527'?
//     SELECT b FROM ALL WHERE INTERSECT?(b, b52, 10)
//                                           ^~~
// Threads: plain values and pure functions, none of which fails.
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

// Returns one line for each diagnostic, "1:42: message" or "1:42: warning: message", in the order of their places;
// those of one place in the order in which they were made.
std::string RenderShort(std::string_view text, const std::vector<Diagnostic>& diagnostics);
// Returns the same, each followed by the line of the query and a caret under the span. Long lines are cut around the
// span; unprintable bytes are escaped.
std::string RenderDiagnostics(std::string_view text, const std::vector<Diagnostic>& diagnostics);

}  // namespace oscope::bql
