// How an answer is written: one printer for each mode.
//
//   table      aligned columns, fitted to the terminal          markdown   a table to paste into a report
//   csv        RFC 4180 with a header line                      vertical   one line for each cell, for wide rows
//   json       one document, with pairs and statistics          jsonlines  one object for each row
// Text from a store is escaped in every mode, as its reader needs it. A cell without a value is empty, or null in JSON.
// Threads: printers are immutable and may be used from any thread; `write` is called on the calling thread.
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
// Fails with kInvalid, and names a similar mode, for an unknown name.
Result<OutputMode> ParseOutputMode(std::string_view name);

// Receives the text piece by piece. When it returns an error, printing ends and returns that error.
using WriteText = std::function<Status(std::string_view)>;

class ResultPrinter {
 public:
  virtual ~ResultPrinter() = default;
  virtual Status PrintAnswer(const Answer& answer, const WriteText& write) const = 0;
  // Prints the lines that EXPLAIN and CREATE QUERY return.
  virtual Status PrintText(std::string_view text, const WriteText& write) const;
};

// `width` is that of the terminal, 0 when there is none; only tables use it.
std::unique_ptr<ResultPrinter> MakeResultPrinter(OutputMode mode, size_t width);

// One maker a mode, each in print_<mode>.cc.
std::unique_ptr<ResultPrinter> MakeTablePrinter(size_t width);
std::unique_ptr<ResultPrinter> MakeCsvPrinter();
std::unique_ptr<ResultPrinter> MakeJsonPrinter();
std::unique_ptr<ResultPrinter> MakeJsonLinesPrinter();
std::unique_ptr<ResultPrinter> MakeMarkdownPrinter();
std::unique_ptr<ResultPrinter> MakeVerticalPrinter();

}  // namespace oscope::cli
