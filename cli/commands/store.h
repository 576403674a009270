// The subcommands of `oscope store`.
#pragma once

#include "cli/context/command.h"

namespace oscope::cli {

std::unique_ptr<Command> MakeStoreCheckCommand();
std::unique_ptr<Command> MakeStoreStatsCommand();
std::unique_ptr<Command> MakeStoreCompactCommand();
std::unique_ptr<Command> MakeStoreCollectCommand();
std::unique_ptr<Command> MakeStoreReindexCommand();
std::unique_ptr<Command> MakeStoreUpgradeCommand();
std::unique_ptr<Command> MakeStorePurgeCommand();
std::unique_ptr<Command> MakeStoreBackupCommand();
std::unique_ptr<Command> MakeStoreMergeCommand();
std::unique_ptr<Command> MakeStoreQuotaCommand();

}  // namespace oscope::cli
