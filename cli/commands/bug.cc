#include "cli/commands/bug.h"

namespace oscope::cli {
namespace {

class BugCommand : public CommandGroup {
 public:
  BugCommand() {
    AddChild(MakeBugAddCommand());
    AddChild(MakeBugEditCommand());
    AddChild(MakeBugLinkCommand());
    AddChild(MakeBugUnlinkCommand());
    AddChild(MakeBugCommentCommand());
    AddChild(MakeBugFixCommand());
    AddChild(MakeBugCloseCommand());
    AddChild(MakeBugReopenCommand());
    AddChild(MakeBugDuplicateCommand());
    AddChild(MakeBugDeleteCommand());
  }
  std::string_view name() const override { return "bug"; }
  std::string_view summary() const override { return "Report, change, link, fix and delete bugs"; }
  void Register(Options& options) override {
    options.Footer(
        "Examples:\n"
        "  oscope bug add --title 'crash on an empty file' --severity high\n"
        "  oscope bug link 12 3fa9c2\n"
        "  oscope bug fix 12 --commit HEAD");
  }
};

}  // namespace

std::unique_ptr<Command> MakeBugCommand() { return std::make_unique<BugCommand>(); }

}  // namespace oscope::cli
