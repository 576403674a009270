// Aligned text tables, fitted to the terminal.
//
// Cells are escaped here, so that nothing from a store can control the terminal. Columns that may shrink become
// narrower, the widest first, until a row fits; a cell that is cut ends in "…". Without a width (a pipe, a file)
// nothing is cut.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oscope::cli {

struct Column {
  std::string title;
  bool right = false;   // aligned, for numbers
  bool shrink = false;  // may be cut
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void AddRow(std::vector<std::string> cells);  // as many as there are columns
  bool empty() const { return rows_.empty(); }
  size_t size() const { return rows_.size(); }

  // Returns the table as lines. With `width` 0 it is as wide as its cells need.
  std::string Render(size_t width, std::string_view indent = {}) const;

 private:
  std::vector<size_t> FitWidths(size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// The width of the terminal that stdout is; 0 when it is none.
size_t TerminalWidth();

}  // namespace oscope::cli
