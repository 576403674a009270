#include "cli/answer/answer_json.h"
#include "cli/answer/result_printer.h"

namespace oscope::cli {
namespace {

// Rows are written one after another, so that a large answer is not held a second time as JSON.
class JsonPrinter : public ResultPrinter {
 public:
  Status PrintAnswer(const Answer& answer, const WriteText& write) const override {
    OSCOPE_RETURN_IF_ERROR(write(fmt::format("{{\n\"columns\": {},\n\"rows\": [", OnOneLine(answer.columns))));
    std::string_view separator = "\n";
    for (const AnswerRow& row : answer.rows) {
      OSCOPE_RETURN_IF_ERROR(write(std::string(separator) + OnOneLine(RowAsJson(answer, row))));
      separator = ",\n";
    }
    return write(fmt::format("{}],\n\"notes\": {},\n\"damaged\": {},\n\"stats\": {}\n}}\n",
                             answer.rows.empty() ? "" : "\n", OnOneLine(answer.notes), OnOneLine(answer.damaged),
                             OnOneLine(StatsAsJson(answer.stats))));
  }

  Status PrintText(std::string_view text, const WriteText& write) const override {
    return write(Dumped({{"text", text}}, 2));
  }

 private:
  static std::string OnOneLine(const Json& json) {
    std::string line = Dumped(json, -1);
    line.pop_back();
    return line;
  }
};

}  // namespace

std::unique_ptr<ResultPrinter> MakeJsonPrinter() { return std::make_unique<JsonPrinter>(); }

}  // namespace oscope::cli
