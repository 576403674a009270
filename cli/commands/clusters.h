// The subcommands of `oscope clusters`.
#pragma once

#include <memory>

#include "cli/clusters/cluster_sources.h"
#include "cli/context/command.h"

namespace oscope::cli {

// `oscope clusters merge`, `split`, `forget`. `options` are those of the outer command.
std::unique_ptr<Command> MakeClustersMergeCommand(const ClusterOptions& options);
std::unique_ptr<Command> MakeClustersSplitCommand(const ClusterOptions& options);
std::unique_ptr<Command> MakeClustersForgetCommand();

}  // namespace oscope::cli
