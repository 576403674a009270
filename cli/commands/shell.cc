// `oscope shell`: BQL at a prompt.
#include "cli/shell/shell.h"

#include "cli/context/command.h"
#include "cli/session/query_options.h"

namespace oscope::cli {
namespace {

class ShellCommand : public Command {
 public:
  std::string_view name() const override { return "shell"; }
  std::string_view summary() const override { return "Write BQL at a prompt, with completion and history"; }
  std::optional<int> error_exit_code() const override { return kExitOwnError; }

  void Register(Options& options) override {
    options_.Register(options);
    options.Footer(
        "A statement ends with ';' and may span lines. Tab completes, Ctrl-C cancels a query or clears the line, "
        "Ctrl-D\n"
        "leaves; '.help' lists the other commands. Without a terminal it runs what it reads and stops at the first "
        "error.\n\n"
        "Examples:\n"
        "  oscope shell\n"
        "  oscope shell --bug Ini-1 --timer\n"
        "  oscope shell --mode csv < statements.bql");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const OutputMode mode, options_.Mode(context));
    OSCOPE_ASSIGN_OR_RETURN(Session session, options_.OpenSession(context));
    // There will be more queries than one: none of them shall wait for reports.
    session.options().preload = true;
    Shell shell(context, std::move(session), mode, options_.timer());
    OSCOPE_RETURN_IF_ERROR(shell.SetOutput(options_.output()));
    return shell.Run();
  }

 private:
  QueryOptions options_;
};

}  // namespace

std::unique_ptr<Command> MakeShellCommand() { return std::make_unique<ShellCommand>(); }

}  // namespace oscope::cli
