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

void Attach(Options& parent, Command& command, GlobalOptions& global) {
  Options& options = parent.AddCommand(command.name(), command.summary());
  command.Register(options);
  for (const auto& child : command.children()) Attach(options, *child, global);
  AddGlobalOptions(options, global);
}

// The command that was named below `options`, which becomes its own; null: none of them.
Command* FindCommand(const std::vector<std::unique_ptr<Command>>& commands, const Options*& options) {
  if (options->chosen_command() == nullptr) return nullptr;
  options = options->chosen_command();
  for (const auto& command : commands) {
    if (command->name() != options->name()) continue;
    Command* child = FindCommand(command->children(), options);
    return child != nullptr ? child : command.get();
  }
  return nullptr;
}

Command* FindNamed(const std::vector<std::unique_ptr<Command>>& commands, const Options& root) {
  const Options* options = &root;
  return FindCommand(commands, options);
}

void UseExitCodesOf(const Command* command, Context& context) {
  if (command != nullptr) context.error_exit_code = command->error_exit_code();
}

// A wrong value ends the parsing before --json is stored, wherever the option stands.
void UseJsonOf(const Options& root, GlobalOptions& global) {
  for (const Options* level = &root.deepest(); level != nullptr; level = level->parent()) {
    if (level->Given("--json")) global.json = true;
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
  const CancelSource process = InstallCancelOnSignals();
  Options root("Finds past bugs by what the program did.", "oscope");
  Context context(root, process);
  bool version = false;
  root.AddFlag("--version", version, "Print the version and stop");
  const std::vector<std::unique_ptr<Command>> commands = AllCommands();
  for (const auto& command : commands) Attach(root, *command, context.options);
  AddGlobalOptions(root, context.options);
  root.Footer("`oscope help COMMAND` and `man oscope-COMMAND` tell more.");

  const int words = std::max(1, TakeCommandLine(commands, argc, argv));
  const Result<Parsed> parsed = root.Parse({argv + 1, argv + words});
  if (!parsed.ok()) {
    UseJsonOf(root, context.options);
    UseExitCodesOf(FindNamed(commands, root), context);
    return FailParse(context, parsed.error().message);
  }
  if (*parsed == Parsed::kHelp) {
    context.PrintText(root.deepest().Help());
    return kExitOk;
  }
  if (version) {
    context.Print("oscope {}\n", OSCOPE_VERSION);
    return kExitOk;
  }
  UseExitCodesOf(FindNamed(commands, root), context);
  if (root.has_extras()) return FailParse(context, {});
  const Options* options = &root;
  Command* command = FindCommand(commands, options);
  if (command == nullptr || !command->children().empty()) {
    std::fputs(options->Help().c_str(), stderr);
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
