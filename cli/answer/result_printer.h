// How an answer is written: one printer a mode.
//
//   table      aligned columns, fitted to the terminal          markdown   a table to paste into a report
//   csv        RFC 4180 with a header line                      vertical   a line a cell, for wide rows
//   json       one document a statement, with pairs and stats   jsonlines  one object a row
// Text from a store is escaped in every mode, as its reader needs it. A cell without a value is empty, or null.
// Threads: printers are immutable.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/semantics/answer.h"

namespace oscope::cli {

enum class OutputMode { kTable, kCsv, kJson, kJsonLines, kMarkdown, kVertical };

std::vector<std::string> OutputModeNames();
std::string_view OutputModeName(OutputMode mode);
// kInvalid offers the nearest.
Result<OutputMode> ParseOutputMode(std::string_view name);

// Takes text as it comes; an error ends the printing.
using WriteText = std::function<Status(std::string_view)>;

class ResultPrinter {
 public:
  virtual ~ResultPrinter() = default;
  virtual Status PrintAnswer(const Answer& answer, const WriteText& write) const = 0;
  // What EXPLAIN and CREATE QUERY say; lines.
  virtual Status PrintText(std::string_view text, const WriteText& write) const;
};

// `width` is the terminal's, 0 for none; only tables look at it.
std::unique_ptr<ResultPrinter> MakeResultPrinter(OutputMode mode, size_t width);

// One maker a mode, each in print_<mode>.cc.
std::unique_ptr<ResultPrinter> MakeTablePrinter(size_t width);
std::unique_ptr<ResultPrinter> MakeCsvPrinter();
std::unique_ptr<ResultPrinter> MakeJsonPrinter();
std::unique_ptr<ResultPrinter> MakeJsonLinesPrinter();
std::unique_ptr<ResultPrinter> MakeMarkdownPrinter();
std::unique_ptr<ResultPrinter> MakeVerticalPrinter();

}  // namespace oscope::cli
