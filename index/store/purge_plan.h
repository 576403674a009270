// What a purge takes of one version of a store, and in which of its two commits. Internal to index/store.
//
// PurgeFilter in store.h says what each of its members selects; purge.cc says why there are two commits.
// Threads: a value; may be read from any thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "index/store/segment_builder.h"
#include "index/store/store_state.h"

namespace oscope {

// A filter, with its lists as sets.
class PurgeSelection {
 public:
  explicit PurgeSelection(const PurgeFilter& filter)
      : filter_(filter), runs_(filter.runs.begin(), filter.runs.end()), bugs_(filter.bugs.begin(), filter.bugs.end()) {}

  const PurgeFilter& filter() const { return filter_; }
  // False when no member is set that selects anything.
  bool SelectsAnything() const;
  // Whether the filter selects the run, except for keep_last, which needs to have seen all runs.
  bool Selects(const StoredRun& run) const;
  // Whether the filter may select the report, judging by its key.
  bool Selects(const BugKey& key) const;
  // Whether a member is set that speaks of runs only: it selects a report by the runs that the report has.
  bool JudgesReportsByRuns() const { return !runs_.empty() || filter_.keep_last || filter_.failing; }

 private:
  const PurgeFilter& filter_;
  const std::unordered_set<RunId, RunIdHash> runs_;
  const std::set<BugKey> bugs_;
};

struct PurgePlan {
  struct Part {
    std::vector<SegmentEntry> segments;
    std::map<std::string, uint64_t> runs;  // that go, by project
    std::set<BugKey> bugs;                 // whose reports go
    uint64_t attachments = 0;              // that go with these runs and reports
    uint64_t run_count() const;
  };
  Part dropped;    // nothing of these segments stays, and they can be taken out of the manifest first
  Part rewritten;  // something of these segments stays, or belongs together with what is in such a segment

  std::unordered_set<RunId, RunIdHash> spared;  // by keep_last
  std::set<AttachmentOwner> detached;           // that go and have attachments
};

// Reads the runs and the reports of every segment that is in use. Fails as these reads do, and with kCancelled.
Result<PurgePlan> MakePurgePlan(const SnapshotState& base, const PurgeSelection& selection);

}  // namespace oscope
