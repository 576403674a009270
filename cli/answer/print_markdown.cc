#include "base/escape.h"
#include "cli/answer/answer_cells.h"
#include "cli/answer/result_printer.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

// One line, in which nothing is markup.
std::string MarkdownCell(std::string_view text) {
  std::string cell;
  for (const char c : EscapeForTerminal(text)) {
    if (c == '<') {
      cell += "&lt;";
      continue;
    }
    if (std::string_view("\\|*_`[]").find(c) != std::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

class MarkdownPrinter : public ResultPrinter {
 public:
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    const std::vector<bool> numbers = NumberColumns(answer);
    std::string head = "|", rule = "|";
    for (size_t i = 0; i < answer.columns.size(); ++i) {
      head += " " + MarkdownCell(answer.columns[i]) + " |";
      rule += numbers[i] ? "---:|" : "---|";
    }
    OSCOPE_RETURN_IF_ERROR(write(head + "\n" + rule + "\n"));
    for (const AnswerRow& row : answer.rows) {
      std::string line = "|";
      for (const Value& value : row.cells) line += " " + MarkdownCell(CellText(value)) + " |";
      OSCOPE_RETURN_IF_ERROR(write(line + "\n"));
    }
    return {};
  }

  // Indented text is code in every dialect, and no text can end it.
  Status PrintText(std::string_view text, const WriteText& write) const override {
    return write(ShownBlock(text, "    "));
  }
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeMarkdownPrinter() { return std::make_unique<MarkdownPrinter>(); }

}  // namespace oscope::cli
