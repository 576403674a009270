#include "cli/commands/show.h"

namespace oscope::cli {
namespace {

class ShowCommand : public CommandGroup {
 public:
  ShowCommand() {
    AddChild(MakeShowBugCommand());
    AddChild(MakeShowRunCommand());
    AddChild(MakeShowTraceCommand());
  }
  std::string_view name() const override { return "show"; }
  std::string_view summary() const override { return "Show a bug, a run or a trace"; }
  void Register(Options& options) override {
    options.Footer(
        "Examples:\n"
        "  oscope show bug Demo-12\n"
        "  oscope show run 3fa9c2\n"
        "  oscope show trace 3fa9c2 --around-mark 20");
  }
};

}  // namespace

std::unique_ptr<Command> MakeShowCommand() { return std::make_unique<ShowCommand>(); }

}  // namespace oscope::cli
