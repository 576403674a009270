// What the subcommands of `oscope clusters` share: finding the clusters, and showing one as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/context/context.h"
#include "cli/output/json_output.h"
#include "query/clusters/bug_clusters.h"

namespace oscope::cli {

struct ClusterOptions {
  uint32_t suffix = 50;
  std::optional<uint32_t> distance;  // else the default, or less where there would be too many pairs
};

// What clusters are made of. Decisions can be tried out: change `bugs` and cluster again.
struct ClusterSources {
  std::string project;
  std::vector<Bug> bugs;  // all of the project
  std::vector<BugPair> pairs;
  uint32_t suffix = 0, distance = 0;  // by which the pairs were found
  std::set<BugKey> traced;            // bugs that have a trace of a failing run
  std::vector<std::string> damaged;   // segments left out (--partial)

  Bug* FindBug(const BugKey& key);
  Result<BugClusters> Cluster(const Context& context) const;
};
Result<ClusterSources> ReadClusterSources(const Context& context, const std::string& project,
                                          const ClusterOptions& options);

Json ClusterJson(const BugClusters& found, const BugCluster& cluster);

}  // namespace oscope::cli
