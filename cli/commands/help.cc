#include "cli/context/command.h"
#include "cli/context/usage.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

class HelpCommand : public Command {
 public:
  std::string_view name() const override { return "help"; }
  std::string_view summary() const override { return "Print the help of a command"; }

  void Register(CLI::App& app) override {
    app.add_option("COMMAND", path_, "The command; none: all of them in short")->option_text("COMMAND...");
    app.footer("Examples:\n  oscope help\n  oscope help bug add");
  }

  Result<int> Run(Context& context) override {
    const CLI::App* app = &context.root();
    for (const std::string& name : path_) {
      const CLI::App* next = nullptr;
      std::vector<std::string> names;
      for (const CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(sub->get_name());
        if (sub->get_name() == name) next = sub;
      }
      if (next == nullptr) return context.FailUsage(fmt::format("unknown command '{}'{}", name, Nearest(name, names)));
      app = next;
    }
    context.PrintText(HelpOf(*app));
    return kExitOk;
  }

 private:
  std::vector<std::string> path_;
};

}  // namespace

std::unique_ptr<Command> MakeHelpCommand() { return std::make_unique<HelpCommand>(); }

}  // namespace oscope::cli
