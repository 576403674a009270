// Deleting is real: the segments that hold what goes are rewritten without it, and the old files are removed.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/cancel.h"
#include "index/store/rewrite.h"
#include "index/store/segment_reader.h"
#include "index/store/store.h"

namespace oscope {

namespace {

using RunSet = std::unordered_set<RunId, RunIdHash>;

int64_t AgeOf(const StoredRun& run) { return run.header.started_ns.value_or(run.stored_ns); }

class PurgePlan {
 public:
  explicit PurgePlan(const PurgeFilter& filter)
      : filter_(filter), runs_(filter.runs.begin(), filter.runs.end()), bugs_(filter.bugs.begin(), filter.bugs.end()) {}

  // Whether the report goes, unless a run of it stays.
  bool SelectsBug(const BugKey& key) const {
    if (!filter_.project.empty() && key.project != filter_.project) return false;
    return bugs_.contains(key) || (filter_.bugs_too && !filter_.project.empty());
  }

  // Whether the run goes, but for keep_last, which needs to have seen them all.
  bool Selects(const StoredRun& run) const {
    const RunHeader& header = run.header;
    const bool named = !runs_.empty() || !bugs_.empty();
    if (named && !runs_.contains(header.id) && !bugs_.contains({header.project, header.bug})) return false;
    if (!filter_.project.empty() && header.project != filter_.project) return false;
    if (filter_.older_than_ns && AgeOf(run) >= *filter_.older_than_ns) return false;
    if (filter_.failing && IsFailing(header.outcome) != *filter_.failing) return false;
    return true;
  }

  bool SelectsAnything() const {
    return !runs_.empty() || !bugs_.empty() || !filter_.project.empty() || filter_.older_than_ns || filter_.keep_last ||
           filter_.failing;
  }

 private:
  const PurgeFilter& filter_;
  const RunSet runs_;
  const std::set<BugKey> bugs_;
};

// The newest runs of each bug, or test, that keep_last spares.
Result<RunSet> SparedRuns(const SnapshotState& base, uint64_t keep_last) {
  struct Aged {
    int64_t at;
    RunId id;
    auto operator<=>(const Aged&) const = default;
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Aged>> of;
  OSCOPE_RETURN_IF_ERROR(base.ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    return SegmentReader(base.store->files, segment).ForEachRun(false, [&](const StoredRun& run) {
      const RunHeader& header = run.header;
      of[{header.project, header.bug, header.bug.empty() ? header.test : ""}].push_back({AgeOf(run), header.id});
      return true;
    });
  }));
  RunSet spared;
  for (auto& [key, runs] : of) {
    std::sort(runs.rbegin(), runs.rend());
    for (size_t i = 0; i < std::min<size_t>(runs.size(), keep_last); ++i) spared.insert(runs[i].id);
  }
  return spared;
}

}  // namespace

Result<PurgeResult> Store::Purge(const PurgeFilter& filter, bool dry_run) {
  const PurgePlan plan(filter);
  if (!plan.SelectsAnything()) return Invalid("a purge needs to be told what goes");
  const std::shared_ptr<StoreState> store = state_;
  PurgeResult result;
  std::vector<SegmentEntry> replaced, written;
  const auto discard = [&] {
    RemoveSegmentFiles(store->files, written);
    written.clear();
  };
  const auto make = [&](const SnapshotState& base) -> Result<NextVersion> {
    discard();
    result = PurgeResult();
    replaced.clear();
    RunSet spared;
    if (filter.keep_last) {
      OSCOPE_ASSIGN_OR_RETURN(spared, SparedRuns(base, *filter.keep_last));
    }
    const auto goes = [&](const StoredRun& run) { return plan.Selects(run) && !spared.contains(run.header.id); };
    struct Seen {
      const SegmentEntry& segment;
      uint64_t runs = 0;      // that go
      std::set<BugKey> bugs;  // that are selected
    };
    std::vector<Seen> seen;
    std::set<BugKey> of_staying_runs;
    OSCOPE_RETURN_IF_ERROR(base.ForEachSegment([&](const SegmentEntry& segment) -> Status {
      OSCOPE_RETURN_IF_ERROR(CheckCancelled());
      const SegmentReader reader(store->files, segment);
      Seen& now = seen.emplace_back(Seen{segment, 0, {}});
      OSCOPE_RETURN_IF_ERROR(reader.ForEachRun(false, [&](const StoredRun& run) {
        const BugKey bug{run.header.project, run.header.bug};
        if (goes(run)) {
          ++now.runs;
        } else if (plan.SelectsBug(bug)) {
          of_staying_runs.insert(bug);
        }
        return true;
      }));
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> reports, reader.Bugs());
      for (const BugRevision& revision : reports) {
        if (plan.SelectsBug(revision.bug.key)) now.bugs.insert(revision.bug.key);
      }
      return {};
    }));
    std::set<BugKey> bugs;
    for (Seen& one : seen) {
      // A run must not outlive the report of its bug.
      std::erase_if(one.bugs, [&](const BugKey& bug) { return of_staying_runs.contains(bug); });
      if (one.runs != 0 || !one.bugs.empty()) replaced.push_back(one.segment);
      result.runs += one.runs;
      bugs.merge(one.bugs);
    }
    result.bugs = bugs.size();
    NextVersion next{base.manifest, !replaced.empty()};
    if (dry_run || !next.changed) {
      next.changed = false;
      return next;
    }
    const RewriteRules rules{[&](StoredRun& run) { return !goes(run); },
                             [&](const BugRevision& revision) { return !bugs.contains(revision.bug.key); }};
    OSCOPE_ASSIGN_OR_RETURN(
        written, RewriteSegments(*store, replaced, rules, base.manifest.ranges, CompactOptions().target_events));
    std::vector<std::string> removed;
    for (const SegmentEntry& segment : replaced) removed.push_back(segment.id);
    ReplaceSegments(next.manifest, removed, written);
    return next;
  };
  OSCOPE_ASSIGN_OR_RETURN(result.version, PublishChange(store, make, discard));
  if (dry_run || replaced.empty()) return result;
  const Removed removed = RemoveReplaced(*store, replaced, result.version);
  uint64_t before = 0, after = 0;
  for (const SegmentEntry& segment : replaced) before += segment.bytes();
  for (const SegmentEntry& segment : written) after += segment.bytes();
  result.bytes_freed = before > after ? before - after : 0;
  result.files_pinned = removed.pinned;
  return result;
}

}  // namespace oscope
