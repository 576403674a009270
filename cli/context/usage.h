// Help texts, and what is said when a command line is wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "cli/context/context.h"

namespace oscope::cli {

// What every app of the tree needs before its options are declared.
void PrepareApp(CLI::App& app);

const CLI::App& DeepestApp(const CLI::App& root);  // of those the command line named
std::string FullName(const CLI::App& app);         // "oscope bug add"
std::string HelpOf(const CLI::App& app);

bool HasExtras(const CLI::App& root);
// Says what was wrong, offers the nearest option or subcommand, and returns the exit code for wrong usage. An empty
// `message` means that the arguments left over are what is wrong.
int FailParse(const Context& context, std::string_view message);

}  // namespace oscope::cli
