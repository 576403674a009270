// The subcommands of `oscope show`.
#pragma once

#include "cli/command.h"

namespace oscope::cli {

std::unique_ptr<Command> MakeShowBugCommand();
std::unique_ptr<Command> MakeShowRunCommand();
std::unique_ptr<Command> MakeShowTraceCommand();

// "label:   value" with the value escaped; nothing when it is empty.
void AddField(std::string& text, std::string_view label, std::string_view value);

}  // namespace oscope::cli
