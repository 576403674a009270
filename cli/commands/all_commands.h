// The subcommands of `oscope`: all_commands.cc has one line for each.
#pragma once

#include <memory>
#include <vector>

#include "cli/context/command.h"

namespace oscope::cli {

// Every subcommand, in the order of `oscope help`.
std::vector<std::unique_ptr<Command>> AllCommands();

}  // namespace oscope::cli
