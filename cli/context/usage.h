// What is said when a command line is wrong.
#pragma once

#include <string_view>

#include "cli/context/context.h"

namespace oscope::cli {

// Says what was wrong, offers the nearest option or subcommand, and returns the exit code for wrong usage. An empty
// `message` means that the arguments left over are what is wrong.
int FailParse(const Context& context, std::string_view message);

}  // namespace oscope::cli
