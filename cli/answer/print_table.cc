#include "cli/answer/answer_cells.h"
#include "cli/answer/result_printer.h"
#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class TablePrinter : public ResultPrinter {
 public:
  explicit TablePrinter(size_t width) : width_(width) {}

  // An answer without rows is no text at all: what reads the lines of a pipe finds none.
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    if (answer.rows.empty()) return {};
    const std::vector<bool> numbers = NumberColumns(answer);
    std::vector<Column> columns;
    for (size_t i = 0; i < answer.columns.size(); ++i) {
      // A bug's id is what the next command needs, so it stays whole.
      const bool is_bug = !numbers[i] && answer.columns[i].find('.') == std::string::npos && i < answer.asked_columns;
      columns.push_back({Shown(answer.columns[i]), numbers[i], !numbers[i] && !is_bug});
    }
    TextTable table(std::move(columns));
    for (const AnswerRow& row : answer.rows) {
      std::vector<std::string> cells;
      for (const Value& value : row.cells) cells.push_back(CellText(value));
      table.AddRow(std::move(cells));
    }
    return write(table.Render(width_));
  }

 private:
  const size_t width_;
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeTablePrinter(size_t width) { return std::make_unique<TablePrinter>(width); }

}  // namespace oscope::cli
