#include "cli/context/command.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class HelpCommand : public Command {
 public:
  std::string_view name() const override { return "help"; }
  std::string_view summary() const override { return "Print the help of a command"; }

  void Register(Options& options) override {
    options.Add("COMMAND", path_, "The command; none: all of them in short").Value("COMMAND...");
    options.Footer("Examples:\n  oscope help\n  oscope help bug add");
  }

  Result<int> Run(Context& context) override {
    const Options* command = &context.root();
    for (const std::string& name : path_) {
      const Options* next = nullptr;
      std::vector<std::string> names;
      for (const auto& sub : command->commands()) {
        names.push_back(sub->name());
        if (sub->name() == name) next = sub.get();
      }
      if (next == nullptr) return context.FailUsage(fmt::format("unknown command '{}'{}", name, Nearest(name, names)));
      command = next;
    }
    context.PrintText(command->Help());
    return kExitOk;
  }

 private:
  std::vector<std::string> path_;
};

}  // namespace

std::unique_ptr<Command> MakeHelpCommand() { return std::make_unique<HelpCommand>(); }

}  // namespace oscope::cli
