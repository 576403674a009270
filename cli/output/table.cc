// Columns are measured first. If a row does not fit, the columns that may shrink give way in small steps, always the
// widest one, so that no column is lost altogether.
#include "cli/output/table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/escape.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kMinWidth = 8;

}  // namespace

size_t TerminalWidth() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1) return 0;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void TextTable::AddRow(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = Shown(cell);
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::FitWidths(size_t width) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t widest = DisplayWidth(columns_[i].title);
    for (const auto& row : rows_) widest = std::max(widest, DisplayWidth(row[i]));
    widths.push_back(widest);
  }
  size_t total = kGap * (columns_.size() - 1);
  for (size_t column : widths) total += column;
  while (width != 0 && total > width) {
    size_t longest = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].shrink && widths[i] > kMinWidth && (longest == columns_.size() || widths[i] > widths[longest]))
        longest = i;
    }
    if (longest == columns_.size()) break;
    const size_t cut = std::min(total - width, widths[longest] - kMinWidth);
    // With several columns that shrink, give way by turns so that none starves.
    const size_t step = std::min<size_t>(cut, 1 + cut / columns_.size());
    widths[longest] -= step;
    total -= step;
  }
  return widths;
}

std::string TextTable::Render(size_t width, std::string_view indent) const {
  const std::vector<size_t> widths = FitWidths(width > indent.size() ? width - indent.size() : width);
  std::string text;
  const auto add_row = [&](const auto& cell_of) {
    std::string line(indent);
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = Truncate(cell_of(i), widths[i]);
      const std::string pad(widths[i] - DisplayWidth(cell), ' ');
      line += columns_[i].right ? pad + cell : cell + pad;
      line.append(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_row([&](size_t i) -> std::string_view { return columns_[i].title; });
  for (const auto& row : rows_) add_row([&](size_t i) -> std::string_view { return row[i]; });
  return text;
}

}  // namespace oscope::cli
