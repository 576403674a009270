// Shows diagnostics under the line they are about. A line may be as long as a whole statement, so only a window of 96
// columns around the first span is shown, and spans that do not fit get a line of their own. Columns are counted as a
// terminal shows them: wide characters take two, an escaped byte as many as its escape.
#include "bql/diagnostic.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "base/escape.h"
#include "base/utf8.h"

namespace oscope::bql {
namespace {

constexpr size_t kWindowColumns = 96;   // of a line that is shown, without the indent
constexpr size_t kContextColumns = 30;  // left of the first span when the line is cut
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kCut = "…";

// One character of a line. Its text is made only where it is shown: a line may be as long as a statement, and each of
// its errors looks at all of it.
struct Cell {
  uint32_t offset = 0;  // of its first byte in the text
  uint32_t size = 1;    // in bytes
  size_t width = 1;     // in columns, as it is shown
};

struct Line {
  uint32_t begin = 0, end = 0;  // without its line break
  std::vector<Cell> cells;
};

std::string ShownCharacter(std::string_view text, uint32_t offset, uint32_t size) {
  return text[offset] == '\t' ? " " : EscapeForTerminal(text.substr(offset, size));
}

Cell MakeCell(std::string_view text, uint32_t offset, uint32_t size) {
  const bool plain = size == 1 && text[offset] >= ' ' && text[offset] <= '~';
  return {offset, size, plain ? 1 : DisplayWidth(ShownCharacter(text, offset, size))};
}

uint32_t LineBegin(std::string_view text, uint32_t offset) {
  const size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return before == std::string_view::npos ? 0 : static_cast<uint32_t>(before + 1);
}

Line LineAt(std::string_view text, uint32_t offset) {
  Line line;
  line.begin = LineBegin(text, offset);
  const size_t after = text.find('\n', offset);
  line.end = static_cast<uint32_t>(after == std::string_view::npos ? text.size() : after);
  if (line.end > line.begin && text[line.end - 1] == '\r') --line.end;
  for (uint32_t at = line.begin; at < line.end;) {
    const auto next = static_cast<uint32_t>(Utf8CharacterEnd(text.substr(0, line.end), at));
    line.cells.push_back(MakeCell(text, at, next - at));
    at = next;
  }
  return line;
}

// The columns of a span in its line; `end` is at least `begin` + 1.
struct Columns {
  size_t begin = 0, end = 1;
};

Columns ColumnsOf(const Line& line, TextSpan span) {
  size_t column = 0;
  Columns columns;
  bool started = false;
  for (const Cell& cell : line.cells) {
    if (cell.offset >= span.begin && !started) {
      columns.begin = column;
      started = true;
    }
    if (cell.offset >= span.end) break;
    column += cell.width;
  }
  if (!started) columns.begin = column;
  columns.end = std::max(column, columns.begin + 1);
  return columns;
}

// "^~~" under each span, spans that overlap in rows of their own. Columns are of the shown part.
std::vector<std::string> CaretRows(std::span<const Columns> spans) {
  std::vector<std::string> rows;
  for (const Columns& columns : spans) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const std::string& r) { return r.size() <= columns.begin; });
    if (row == rows.end()) row = rows.insert(rows.end(), std::string());
    row->resize(columns.begin, ' ');
    *row += '^';
    row->append(columns.end - columns.begin - 1, '~');
  }
  return rows;
}

// The part of a line between two columns, cut where the line is longer.
struct Window {
  size_t begin = 0, end = 0;
};

Window WindowAround(size_t line_width, size_t first, size_t last) {
  if (line_width <= kWindowColumns) return {0, line_width};
  const size_t begin = last < kWindowColumns ? 0 : first - std::min(first, kContextColumns);
  return {begin, std::min(line_width, begin + kWindowColumns)};
}

std::string ShownPart(std::string_view text, const Line& line, Window window, size_t line_width) {
  std::string shown(window.begin > 0 ? kCut : "");
  size_t column = 0;
  for (const Cell& cell : line.cells) {
    if (column >= window.begin && column + cell.width <= window.end)
      shown += ShownCharacter(text, cell.offset, cell.size);
    column += cell.width;
  }
  return shown + std::string(window.end < line_width ? kCut : "");
}

std::string RenderLine(std::string_view text, const Line& line, std::vector<Columns> spans) {
  size_t width = 0;
  for (const Cell& cell : line.cells) width += cell.width;
  size_t last = 0;
  for (const Columns& columns : spans) last = std::max(last, columns.end);
  const Window window = WindowAround(width, spans.front().begin, last);
  const size_t shift = window.begin > 0 ? 1 : 0;  // for the mark of the cut
  for (Columns& columns : spans) {
    columns.begin = columns.begin - std::min(columns.begin, window.begin) + shift;
    columns.end = std::min(columns.end, window.end + 1) - window.begin + shift;
    columns.end = std::max(columns.end, columns.begin + 1);
  }
  std::string rendered = fmt::format("{}{}\n", kIndent, ShownPart(text, line, window, width));
  for (const std::string& row : CaretRows(spans)) rendered += fmt::format("{}{}\n", kIndent, row);
  return rendered;
}

std::string Headline(std::string_view text, const Diagnostic& diagnostic) {
  const LineColumn place = Locate(text, diagnostic.span.begin);
  return fmt::format("{}:{}: {}{}\n", place.line, place.column,
                     diagnostic.severity == Severity::kWarning ? "warning: " : "",
                     EscapeForTerminal(diagnostic.message));
}

std::vector<Diagnostic> InOrder(std::string_view text, std::vector<Diagnostic> diagnostics) {
  const auto size = static_cast<uint32_t>(text.size());
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.span.begin = std::min(diagnostic.span.begin, size);
    diagnostic.span.end = std::clamp(diagnostic.span.end, diagnostic.span.begin, size);
  }
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return diagnostics;
}

}  // namespace

bool HasErrors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

LineColumn Locate(std::string_view text, uint32_t offset) {
  LineColumn place;
  for (const char byte : text.substr(0, offset)) {
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else if (!IsUtf8Continuation(byte)) {
      ++place.column;
    }
  }
  return place;
}

std::string RenderShort(std::string_view text, const std::vector<Diagnostic>& diagnostics) {
  std::string rendered;
  for (const Diagnostic& diagnostic : InOrder(text, diagnostics)) rendered += Headline(text, diagnostic);
  return rendered;
}

std::string RenderDiagnostics(std::string_view text, const std::vector<Diagnostic>& diagnostics) {
  const std::vector<Diagnostic> ordered = InOrder(text, diagnostics);
  std::string rendered;
  Line line;
  for (size_t i = 0; i < ordered.size();) {
    if (i == 0 || LineBegin(text, ordered[i].span.begin) != line.begin) line = LineAt(text, ordered[i].span.begin);
    std::vector<Columns> spans;
    // Those of one line share it as long as one window shows them all.
    for (; i < ordered.size(); ++i) {
      const TextSpan span = ordered[i].span;
      if (span.begin < line.begin || span.begin > line.end + 1 || LineBegin(text, span.begin) != line.begin) break;
      const Columns columns = ColumnsOf(line, span);
      const bool fits = spans.empty() || columns.end - spans.front().begin + kContextColumns <= kWindowColumns;
      if (!fits) break;
      rendered += Headline(text, ordered[i]);
      spans.push_back(columns);
    }
    rendered += RenderLine(text, line, std::move(spans));
  }
  return rendered;
}

}  // namespace oscope::bql
