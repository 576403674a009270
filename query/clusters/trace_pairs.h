// Which unresolved bugs failed alike, and how far apart they are: asked as a query, and measured by the lengths of the
// traces.
//
// Example:
//   session.SetParameter("project", "Ini");
//   session.Execute(PairStatement(50, 30));     ->  answer
//   PairsOf(answer, lengths, 50)                ->  Ini-2, Ini-3: 4 edits of 11 events
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/store/snapshot.h"
#include "query/clusters/bug_clusters.h"
#include "query/semantics/answer.h"

namespace oscope {

// A statement whose rows are the pairs of unresolved bugs of :project whose failing threads' last `suffix` events are
// within `distance`.
std::string PairStatement(uint32_t suffix, uint32_t distance);

// The failing runs' traces of a project, up to the failure.
class TraceLengths {
 public:
  static Result<TraceLengths> Read(const Snapshot& snapshot, const std::string& project);

  bool HasTrace(const BugKey& bug) const { return traced_.contains(bug); }
  // How many events of it a comparison of the last `suffix` sees. A trace that came later counts as long enough.
  uint32_t Compared(const TraceId& trace, uint32_t suffix) const;

 private:
  std::map<TraceId, uint64_t> lengths_;
  std::set<BugKey> traced_;
};

std::vector<BugPair> PairsOf(const Answer& answer, const TraceLengths& lengths, uint32_t suffix);

}  // namespace oscope
