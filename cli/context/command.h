// A subcommand of `oscope`. A new one is one file in cli/commands/ and one line in cli/commands/all_commands.cc.
//
// Example (cli/commands/hello.cc):
//   class HelloCommand : public Command {
//    public:
//     std::string_view name() const override { return "hello"; }
//     std::string_view summary() const override { return "Greet somebody"; }
//     void Register(Options& options) override {
//       options.Add("NAME", who_, "Whom to greet").Value("NAME");
//       options.Footer("Examples:\n  oscope hello World");
//     }
//     Result<int> Run(Context& context) override {
//       context.Print("hello {}\n", Escaped(who_));
//       return kExitOk;
//     }
//    private:
//     std::string who_;
//   };
//   std::unique_ptr<Command> MakeHelloCommand() { return std::make_unique<HelloCommand>(); }
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/context/context.h"
#include "cli/context/exit_codes.h"
#include "cli/options/options.h"

namespace oscope::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  // one line, without a full stop
  // Declares options, positional arguments and, as the footer, examples. The global options are declared already.
  virtual void Register(Options& options) = 0;
  // Runs the command after its arguments have been parsed. Returns the exit code. An error is printed by the caller and
  // becomes an exit code (exit_codes.h).
  virtual Result<int> Run(Context& context) = 0;

  // If set, every error has this exit code, also wrong usage, but not a cancellation. Otherwise each kind of error has
  // its own (exit_codes.h).
  virtual std::optional<int> error_exit_code() const { return std::nullopt; }

  // Whether this command runs another one. If so, everything after `--` is put into command_line before anything is
  // parsed, so that it reaches the program byte for byte.
  virtual bool runs_a_command() const { return false; }
  std::vector<std::string> command_line;

  // Its own subcommands, as in `oscope bug add`. A command with subcommands is never run itself.
  const std::vector<std::unique_ptr<Command>>& children() const { return children_; }

 protected:
  void AddChild(std::unique_ptr<Command> child) { children_.push_back(std::move(child)); }

 private:
  std::vector<std::unique_ptr<Command>> children_;
};

// A command that only has children.
class CommandGroup : public Command {
 public:
  Result<int> Run(Context&) override { return Invalid("{}: a subcommand is needed", name()); }
};

}  // namespace oscope::cli
