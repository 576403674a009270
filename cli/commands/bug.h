// The subcommands of `oscope bug`.
#pragma once

#include <memory>

#include "cli/context/command.h"

namespace oscope::cli {

std::unique_ptr<Command> MakeBugAddCommand();
std::unique_ptr<Command> MakeBugEditCommand();
std::unique_ptr<Command> MakeBugLinkCommand();
std::unique_ptr<Command> MakeBugUnlinkCommand();
std::unique_ptr<Command> MakeBugCloseCommand();
std::unique_ptr<Command> MakeBugReopenCommand();
std::unique_ptr<Command> MakeBugDuplicateCommand();
std::unique_ptr<Command> MakeBugFixCommand();
std::unique_ptr<Command> MakeBugCommentCommand();
std::unique_ptr<Command> MakeBugDeleteCommand();

}  // namespace oscope::cli
