#include "cli/answer/answer_json.h"
#include "cli/answer/result_printer.h"

namespace oscope::cli {
namespace {

class JsonLinesPrinter : public ResultPrinter {
 public:
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    for (const AnswerRow& row : answer.rows) OSCOPE_RETURN_IF_ERROR(write(Dumped(RowAsJson(answer, row), -1)));
    return {};
  }

  Status PrintText(std::string_view text, const WriteText& write) const override {
    return write(Dumped({{"text", text}}, -1));
  }
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeJsonLinesPrinter() { return std::make_unique<JsonLinesPrinter>(); }

}  // namespace oscope::cli
