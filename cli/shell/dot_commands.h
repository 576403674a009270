// The commands of the shell itself: `.mode csv`. A new one is one line of the table in dot_commands.cc and its
// function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope::cli {

class Shell;

// What completion offers after the command.
enum class ArgumentKind { kNone, kMode, kFile, kBug, kOnOff, kCommand, kText };

struct DotCommand {
  std::string_view name;       // ".mode"
  std::string_view arguments;  // "[MODE]"
  std::string_view help;       // one line, without a full stop
  ArgumentKind kind = ArgumentKind::kNone;
  // `arguments` without blanks around them. Returns an exit code, as a statement has; an error is printed and is one of
  // the query.
  Result<int> (*run)(Shell& shell, const std::string& arguments) = nullptr;
};

// In the order of `.help`.
const std::vector<DotCommand>& DotCommands();
// kNotFound offers the nearest.
Result<const DotCommand*> FindDotCommand(std::string_view name);

}  // namespace oscope::cli
