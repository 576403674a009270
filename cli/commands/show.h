// The subcommands of `oscope show`.
#pragma once

#include "cli/context/command.h"

namespace oscope::cli {

std::unique_ptr<Command> MakeShowBugCommand();
std::unique_ptr<Command> MakeShowRunCommand();
std::unique_ptr<Command> MakeShowTraceCommand();

}  // namespace oscope::cli
