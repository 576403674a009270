#include "base/escape.h"
#include "cli/answer/answer_cells.h"
#include "cli/answer/result_printer.h"

namespace oscope::cli {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

class CsvPrinter : public ResultPrinter {
 public:
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    std::string line;
    for (const std::string& column : answer.columns) AddField(line, EscapeForCsv(column));
    OSCOPE_RETURN_IF_ERROR(EndLine(line, write));
    for (const AnswerRow& row : answer.rows) {
      for (const Value& value : row.cells) AddField(line, Field(value));
      OSCOPE_RETURN_IF_ERROR(EndLine(line, write));
    }
    return {};
  }

  Status PrintText(std::string_view text, const WriteText& write) const override {
    Answer lines;
    lines.columns = {"text"};
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      lines.rows.push_back({.bugs = {}, .distance = {}, .pair = {}, .cells = {std::string(text.substr(0, end))}});
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return PrintAnswer(lines, write);
  }

 private:
  // Numbers as they are: the escape of text guards against formulas.
  static std::string Field(const Value& value) {
    return std::holds_alternative<std::string>(value) ? EscapeForCsv(CellText(value)) : CellText(value);
  }
  static void AddField(std::string& line, const std::string& field) {
    line += field;
    line += ',';
  }
  static Status EndLine(std::string& line, const WriteText& write) {
    if (!line.empty()) line.pop_back();
    line += kLineEnd;
    Status status = write(line);
    line.clear();
    return status;
  }
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeCsvPrinter() { return std::make_unique<CsvPrinter>(); }

}  // namespace oscope::cli
