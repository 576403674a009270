// The table of output modes. Everything else about a mode is in print_<mode>.cc.
#include "cli/answer/result_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output/text.h"

namespace oscope::cli {
namespace {

struct ModeName {
  OutputMode mode;
  std::string_view name;
};
constexpr ModeName kModes[] = {{OutputMode::kTable, "table"},       {OutputMode::kCsv, "csv"},
                               {OutputMode::kJson, "json"},         {OutputMode::kJsonLines, "jsonlines"},
                               {OutputMode::kMarkdown, "markdown"}, {OutputMode::kVertical, "vertical"}};

}  // namespace

std::vector<std::string> OutputModeNames() {
  std::vector<std::string> names;
  for (const ModeName& mode : kModes) names.emplace_back(mode.name);
  return names;
}

std::string_view OutputModeName(OutputMode mode) {
  for (const ModeName& known : kModes) {
    if (known.mode == mode) return known.name;
  }
  return {};
}

Result<OutputMode> ParseOutputMode(std::string_view name) {
  for (const ModeName& mode : kModes) {
    if (mode.name == name) return mode.mode;
  }
  const std::vector<std::string> names = OutputModeNames();
  return Invalid("mode '{}': unknown{}; there are {}", name, Nearest(name, names), fmt::join(names, ", "));
}

Status ResultPrinter::PrintText(std::string_view text, const WriteText& write) const {
  return write(ShownBlock(text, ""));
}

std::unique_ptr<ResultPrinter> MakeResultPrinter(OutputMode mode, size_t width) {
  switch (mode) {
    case OutputMode::kTable: return MakeTablePrinter(width);
    case OutputMode::kCsv: return MakeCsvPrinter();
    case OutputMode::kJson: return MakeJsonPrinter();
    case OutputMode::kJsonLines: return MakeJsonLinesPrinter();
    case OutputMode::kMarkdown: return MakeMarkdownPrinter();
    case OutputMode::kVertical: return MakeVerticalPrinter();
  }
  return MakeTablePrinter(width);
}

}  // namespace oscope::cli
