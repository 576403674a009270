#include <algorithm>

#include "base/escape.h"
#include "cli/answer/answer_cells.h"
#include "cli/answer/result_printer.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class VerticalPrinter : public ResultPrinter {
 public:
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    size_t width = 0;
    for (const std::string& column : answer.columns) width = std::max(width, DisplayWidth(Shown(column)));
    for (size_t i = 0; i < answer.rows.size(); ++i) {
      std::string text = fmt::format("-[ {} ]{}\n", i + 1, std::string(20, '-'));
      for (size_t cell = 0; cell < answer.rows[i].cells.size(); ++cell) {
        AddCell(answer.columns[cell], CellText(answer.rows[i].cells[cell]), width, text);
      }
      OSCOPE_RETURN_IF_ERROR(write(text));
    }
    return {};
  }

 private:
  // The further lines of a cell are printed below its first line.
  static void AddCell(const std::string& column, const std::string& value, size_t width, std::string& text) {
    std::string line = Shown(column);
    const std::string indent(width + 2, ' ');
    const std::string block = ShownBlock(value, indent);
    if (block.starts_with(indent)) {
      line.append(indent.size() - DisplayWidth(line), ' ');
      line += block.substr(indent.size());
    } else {
      line += block;  // its first line is empty
    }
    if (const size_t end = line.find_last_not_of(" \n"); end != std::string::npos) line.erase(end + 1);
    text += line + "\n";
  }
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeVerticalPrinter() { return std::make_unique<VerticalPrinter>(); }

}  // namespace oscope::cli
