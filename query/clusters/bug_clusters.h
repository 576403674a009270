// The clusters of a project's unresolved bugs, with their ids.
//
// Two bugs are as far apart as the share of events that must be edited to make one's trace the other's, so that traces
// of five events and of fifty compare alike. Bugs age by creation date, those without one last, then by id (shorter
// first, so that 9 is older than 10). A cluster's id is that of its oldest bug. So a new bug changes no id, and a
// cluster that loses other bugs keeps its own. An id that was stored with a decision (decisions.h) stays, also when
// that bug is no longer unresolved; while it is, it must be in the cluster. Where a cluster has several such ids the
// one of its oldest bug that has one counts; of two clusters the older gets it. docs/clusters.md explains this to
// users.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "query/clusters/constraints.h"
#include "tracer/model/bug.h"

namespace oscope {

struct BugPair {
  BugKey a, b;
  uint32_t edits = 0;
  uint32_t events = 0;  // of the longer of the two traces, as far as it was compared
};

// Edits in a thousand events.
uint32_t EditShare(uint64_t edits, uint64_t events);

struct BugCluster {
  BugKey id;
  std::vector<uint32_t> bugs;      // places in BugClusters::bugs, ascending: oldest first
  uint32_t representative = 0;     // the one with the least mean distance to the others
  std::optional<BugPair> nearest;  // of the pairs in it
};

struct BugClusters {
  std::vector<Bug> bugs;             // the unresolved ones, oldest first
  std::vector<BugCluster> clusters;  // all, those of one bug too; most bugs first, then by the oldest bug
  std::vector<Contradiction> contradictions;

  const BugCluster* Find(const BugKey& bug) const;  // the cluster that holds it
};

// `bugs` are all of one project, `far` an edit share: pairs that are not given, or not nearer, count as `far`. Each
// pair comes at most once; pairs of other bugs are ignored. `joined` is called at most once a bug. kCancelled when
// `cancel` says so.
Result<BugClusters> ClusterBugs(
    const std::vector<Bug>& bugs, const std::vector<BugPair>& pairs, uint32_t far, const CancelToken& cancel = {},
    const std::function<void()>& joined = [] {});

}  // namespace oscope
