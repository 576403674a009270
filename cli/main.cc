// Builds the tree of subcommands, parses the command line, and runs one of them.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string_view>

#include "base/cancel.h"
#include "cli/commands/all_commands.h"
#include "cli/context/command.h"
#include "cli/context/usage.h"
#include "cli/session/user_metrics.h"
#include "query/distance/user/metric_host.h"

namespace oscope::cli {
namespace {

// CLI11 reads -1 as the largest number there is.
std::string RefuseNegative(const std::string& text) {
  return text.starts_with('-') ? fmt::format("{} is less than 0", text) : "";
}

void Attach(CLI::App& parent, Command& command, GlobalOptions& options) {
  CLI::App* app = parent.add_subcommand(std::string(command.name()), std::string(command.summary()));
  PrepareApp(*app);
  command.Register(*app);
  for (CLI::Option* option : app->get_options()) {
    if (option->get_type_name().starts_with("UINT")) option->check(RefuseNegative);
  }
  for (const auto& child : command.children()) Attach(*app, *child, options);
  AddGlobalOptions(*app, options);
}

// The command that was named, and its place in the tree.
Command* FindCommand(const std::vector<std::unique_ptr<Command>>& commands, const CLI::App*& app) {
  if (app->get_subcommands().empty()) return nullptr;
  app = app->get_subcommands().front();
  for (const auto& command : commands) {
    if (command->name() != app->get_name()) continue;
    Command* child = FindCommand(command->children(), app);
    return child != nullptr ? child : command.get();
  }
  return nullptr;
}

Command* FindNamed(const std::vector<std::unique_ptr<Command>>& commands, const CLI::App& root) {
  const CLI::App* app = &root;
  return FindCommand(commands, app);
}

void UseExitCodesOf(const Command* command, Context& context) {
  if (command != nullptr) context.error_exit_code = command->error_exit_code();
}

// A value that is wrong ends the parsing before --json is stored, wherever it stands.
void UseJsonOf(const CLI::App& root, GlobalOptions& options) {
  for (const CLI::App* app = &DeepestApp(root); app != nullptr; app = app->get_parent()) {
    const CLI::Option* json = app->get_option_no_throw("--json");
    if (json != nullptr && json->count() > 0) options.json = true;
  }
}

int RunCommand(Command& command, Context& context) {
  if (!context.options.directory.empty() && chdir(context.options.directory.c_str()) != 0)
    return context.Fail(IoError(errno, "change to directory", context.options.directory));
  Result<int> code = command.Run(context);
  if (!code.ok()) return context.Fail(code.error());
  // A full disk behind stdout shows up only here.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return context.Fail(IoError(errno, "write", "standard output"));
  return *code;
}

// Gives what follows the first `--` to the command that is named before it, where that runs another; returns how many
// words are left to parse.
int TakeCommandLine(const std::vector<std::unique_ptr<Command>>& commands, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return argc;
    for (const auto& command : commands) {
      if (command->name() != word) continue;
      if (!command->runs_a_command()) return argc;
      char** const dashes = std::find(argv + i + 1, argv + argc, std::string_view("--"));
      if (dashes != argv + argc) command->command_line.assign(dashes + 1, argv + argc);
      return static_cast<int>(dashes - argv);
    }
  }
  return argc;
}

// A file that is opened while standard output is closed would become it, and get what is printed: of a store, for one.
// A closed descriptor becomes one that cannot be used, which the programs that we run do not see.
void OccupyClosedDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0)
      (void)open("/dev/null", (descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

int Main(int argc, char** argv) {
  InstallCancelOnSignals();
  CLI::App root("Finds past bugs by what the program did.", "oscope");
  Context context(root);
  PrepareApp(root);
  bool version = false;
  root.add_flag("--version", version, "Print the version and stop");
  const std::vector<std::unique_ptr<Command>> commands = AllCommands();
  for (const auto& command : commands) Attach(root, *command, context.options);
  AddGlobalOptions(root, context.options);
  root.footer("`oscope help COMMAND` and `man oscope-COMMAND` tell more.");

  try {
    root.parse(TakeCommandLine(commands, argc, argv), argv);
  } catch (const CLI::CallForHelp&) {
    context.PrintText(HelpOf(DeepestApp(root)));
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    UseJsonOf(root, context.options);
    UseExitCodesOf(FindNamed(commands, root), context);
    return FailParse(context, error.what());
  }
  if (version) {
    context.Print("oscope {}\n", OSCOPE_VERSION);
    return kExitOk;
  }
  UseExitCodesOf(FindNamed(commands, root), context);
  if (HasExtras(root)) return FailParse(context, {});
  const CLI::App* app = &root;
  Command* command = FindCommand(commands, app);
  if (command == nullptr || !command->children().empty()) {
    std::fputs(HelpOf(*app).c_str(), stderr);
    return kExitUsage;
  }
  return RunCommand(*command, context);
}

}  // namespace
}  // namespace oscope::cli

int main(int argc, char** argv) {
  try {
    oscope::cli::OccupyClosedDescriptors();
    if (argc == 3 && std::string_view(argv[1]) == oscope::cli::kMetricHostCommand)
      return oscope::RunMetricHost(argv[2]);
    return oscope::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "oscope: internal error: %s\n", error.what());
    return oscope::cli::kExitInvalid;
  }
}
