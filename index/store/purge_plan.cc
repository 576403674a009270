// What a purge takes, found by reading every run and every report of a version once.
//
// A report may go only together with its runs, but its parts lie anywhere in its range: revisions in one segment, runs
// in others. So a first pass collects, for each report that the filter could select, whether some run of it stays and
// when it was last edited. Only then is it decided which reports go (SpareReports), what is attached to them
// (FollowOwners), and which segments are left with nothing (ChooseDropped).
//
// A segment of which nothing stays can be dropped in the first commit, without writing. But what it holds may belong
// together with something in a segment that must be rewritten, and a purge that is interrupted between its two commits
// must leave a store in which the same purge finds the rest. ChooseDropped therefore takes segments back out of the
// first commit until no report, run or attachment is torn. It is a fixed point: each segment that is taken back may
// pull others along.
//
// Memory is proportional to the attachments and to the reports that the filter could select, not to the runs. Only
// keep_last, which compares all runs of a bug with each other, remembers every run's id and age.
#include "index/store/purge_plan.h"

#include <algorithm>

#include "index/store/segment_reader.h"

namespace oscope {

namespace {

using RunSet = std::unordered_set<RunId, RunIdHash>;

int64_t AgeOf(const StoredRun& run) { return run.header.started_ns.value_or(run.stored_ns); }

// What is known of a report that may go.
struct Report {
  int64_t newest_ns = INT64_MIN;  // of its creation and its revisions
  bool has_revisions = false, has_runs = false, has_staying_runs = false;
};

// What is known of a segment.
struct Seen {
  const SegmentEntry& segment;
  std::map<std::string, uint64_t> runs = {};  // that go, by project
  bool something_stays = false;
  std::set<BugKey> reports = {};                  // with a revision here, that may go; later those that do go
  std::set<BugKey> run_bugs = {};                 // likewise, with a run here that goes
  std::vector<AttachmentOwner> attachments = {};  // whose they are, one for each
  std::set<AttachmentOwner> owners = {};          // of attachments, that are here and go
  uint64_t attachments_going = 0;
  bool dropped = false;

  bool touched() const { return !runs.empty() || !reports.empty() || attachments_going != 0; }
};

template <typename Key>
bool Intersects(const std::set<Key>& a, const std::set<Key>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Key& key) { return b.contains(key); });
}

// Adds the newest runs of each bug, or test, that keep_last spares.
Status AddSparedRuns(const SnapshotState& base, uint64_t keep_last, RunSet& spared) {
  struct Aged {
    int64_t at;
    RunId id;
    auto operator<=>(const Aged&) const = default;
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Aged>> of;
  OSCOPE_RETURN_IF_ERROR(base.ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_RETURN_IF_ERROR(base.store->files.cancel().Check());
    return SegmentReader(base.store->files, segment).ForEachRun(false, [&](const StoredRun& run) {
      const RunHeader& header = run.header;
      of[{header.project, header.bug, header.bug.empty() ? header.test : ""}].push_back({AgeOf(run), header.id});
      return true;
    });
  }));
  for (auto& [key, runs] : of) {
    std::sort(runs.rbegin(), runs.rend());
    for (size_t i = 0; i < std::min<size_t>(runs.size(), keep_last); ++i) spared.insert(runs[i].id);
  }
  return {};
}

class Planner {
 public:
  Planner(const SnapshotState& base, const PurgeSelection& selection) : base_(base), selection_(selection) {}

  Result<PurgePlan> Make() {
    if (const std::optional<uint64_t> keep_last = selection_.filter().keep_last)
      OSCOPE_RETURN_IF_ERROR(AddSparedRuns(base_, *keep_last, plan_.spared));
    OSCOPE_RETURN_IF_ERROR(
        base_.ForEachSegment([&](const SegmentEntry& segment) { return LookAtAttachments(segment); }));
    OSCOPE_RETURN_IF_ERROR(base_.ForEachSegment([&](const SegmentEntry& segment) -> Status {
      OSCOPE_RETURN_IF_ERROR(base_.store->files.cancel().Check());
      return Look(segment);
    }));
    SpareReports();
    FollowOwners();
    ChooseDropped();
    for (Seen& seen : seen_) {
      if (!seen.touched()) continue;
      PurgePlan::Part& part = seen.dropped ? plan_.dropped : plan_.rewritten;
      part.segments.push_back(seen.segment);
      for (const auto& [project, runs] : seen.runs) part.runs[project] += runs;
      part.bugs.merge(seen.reports);
      part.attachments += seen.attachments_going;
    }
    return std::move(plan_);
  }

 private:
  // Which runs and bugs have attachments must be known before the runs are looked at, which are too many to remember.
  Status LookAtAttachments(const SegmentEntry& segment) {
    if (segment.Find(Table::kAttachments) == nullptr) return {};
    OSCOPE_RETURN_IF_ERROR(base_.store->files.cancel().Check());
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> stored,
                            SegmentReader(base_.store->files, segment).Attachments());
    std::vector<AttachmentOwner>& owners = attachments_[segment.id];
    for (const StoredAttachment& one : stored) {
      owners.push_back(one.header.owner);
      attached_.insert(one.header.owner);
    }
    return {};
  }

  Status Look(const SegmentEntry& segment) {
    const SegmentReader reader(base_.store->files, segment);
    Seen& seen = seen_.emplace_back(Seen{segment});
    if (const auto here = attachments_.find(segment.id); here != attachments_.end()) seen.attachments = here->second;
    OSCOPE_RETURN_IF_ERROR(reader.ForEachRun(false, [&](const StoredRun& run) {
      const bool goes = selection_.Selects(run) && !plan_.spared.contains(run.header.id);
      if (goes) {
        ++seen.runs[run.header.project];
        NoteOwner({.run = run.header.id, .bug = {}}, seen);
      } else {
        seen.something_stays = true;
      }
      const BugKey bug{run.header.project, run.header.bug};
      if (!selection_.Selects(bug)) return true;
      Report& report = reports_[bug];
      report.has_runs = true;
      if (goes) {
        seen.run_bugs.insert(bug);
      } else {
        report.has_staying_runs = true;
      }
      return true;
    }));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> revisions, reader.Bugs());
    for (const BugRevision& revision : revisions) {
      const BugKey& key = revision.bug.key;
      if (!selection_.Selects(key)) {
        seen.something_stays = true;
        continue;
      }
      Report& report = reports_[key];
      report.has_revisions = true;
      report.newest_ns = std::max({report.newest_ns, revision.edited_ns, revision.bug.created_ns.value_or(INT64_MIN)});
      seen.reports.insert(key);
    }
    return {};
  }

  // Remembers which runs and reports are deleted, and from which segment, if they have attachments.
  void NoteOwner(const AttachmentOwner& owner, Seen& seen) {
    if (!attached_.contains(owner)) return;
    seen.owners.insert(owner);
    plan_.detached.insert(owner);
  }

  // An attachment is deleted with its owner. If the owner was not seen it stays: the owner may be in a quarantined
  // segment.
  void FollowOwners() {
    for (Seen& seen : seen_) {
      for (const BugKey& key : seen.reports) NoteOwner({.run = {}, .bug = key}, seen);
    }
    for (Seen& seen : seen_) {
      for (const AttachmentOwner& owner : seen.attachments)
        seen.attachments_going += plan_.detached.contains(owner) ? 1 : 0;
      if (seen.attachments_going != seen.attachments.size()) seen.something_stays = true;
    }
  }

  bool Goes(const BugKey& key) const {
    const Report& report = reports_.at(key);
    // A run must not outlive the report of its bug.
    if (report.has_staying_runs) return false;
    // A report without runs cannot match an option about runs: that they failed, or that newer ones are kept.
    if (selection_.JudgesReportsByRuns() && !report.has_runs) return false;
    const std::optional<int64_t>& older_than_ns = selection_.filter().older_than_ns;
    return !older_than_ns || report.newest_ns < *older_than_ns;
  }

  void SpareReports() {
    const auto stays = [&](const BugKey& key) { return !Goes(key); };
    for (Seen& seen : seen_) {
      if (std::erase_if(seen.reports, stays) != 0) seen.something_stays = true;
      std::erase_if(seen.run_bugs, [&](const BugKey& key) { return !reports_.at(key).has_revisions || stays(key); });
    }
  }

  // Of the segments of which nothing stays those without which what is left can be read, and purged in the same way:
  // - All revisions of a report go in one commit, and not before its runs: else a revision that was replaced would
  //   count again, or a run would have no report.
  // - A report that is deleted because of its runs must go together with them: without them the filter would not select
  // it.
  // - A run or a report must not go before its attachments: these could then not be found or purged.
  void ChooseDropped() {
    for (Seen& seen : seen_) seen.dropped = seen.touched() && !seen.something_stays;
    for (bool changed = true; changed;) {
      changed = false;
      std::set<BugKey> left;                    // reports of which a segment that is not dropped has a part
      std::set<AttachmentOwner> attached_left;  // likewise, whose attachments
      for (const Seen& seen : seen_) {
        if (seen.dropped) continue;
        attached_left.insert(seen.attachments.begin(), seen.attachments.end());
        left.insert(seen.reports.begin(), seen.reports.end());
        left.insert(seen.run_bugs.begin(), seen.run_bugs.end());
      }
      for (Seen& seen : seen_) {
        if (!seen.dropped) continue;
        const bool torn = Intersects(seen.reports, left) || Intersects(seen.owners, attached_left) ||
                          (selection_.JudgesReportsByRuns() && Intersects(seen.run_bugs, left));
        if (!torn) continue;
        seen.dropped = false;
        changed = true;
      }
    }
  }

  const SnapshotState& base_;
  const PurgeSelection& selection_;
  PurgePlan plan_;
  std::vector<Seen> seen_;
  std::map<BugKey, Report> reports_;
  std::map<std::string, std::vector<AttachmentOwner>> attachments_;  // by segment: whose they are
  std::set<AttachmentOwner> attached_;                               // all that have some
};

}  // namespace

bool PurgeSelection::SelectsAnything() const {
  return !runs_.empty() || !bugs_.empty() || !filter_.project.empty() || filter_.older_than_ns || filter_.keep_last ||
         filter_.failing;
}

bool PurgeSelection::Selects(const StoredRun& run) const {
  const RunHeader& header = run.header;
  if (!runs_.empty() && !runs_.contains(header.id)) return false;
  if (!bugs_.empty() && !bugs_.contains({header.project, header.bug})) return false;
  if (!filter_.project.empty() && header.project != filter_.project) return false;
  if (filter_.older_than_ns && AgeOf(run) >= *filter_.older_than_ns) return false;
  return !filter_.failing || IsFailing(header.outcome) == *filter_.failing;
}

bool PurgeSelection::Selects(const BugKey& key) const {
  if (key.id.empty()) return false;  // of a run without a bug
  if (!filter_.project.empty() && key.project != filter_.project) return false;
  return bugs_.empty() ? filter_.bugs_too : bugs_.contains(key);
}

uint64_t PurgePlan::Part::run_count() const {
  uint64_t count = 0;
  for (const auto& [project, of_project] : runs) count += of_project;
  return count;
}

Result<PurgePlan> MakePurgePlan(const SnapshotState& base, const PurgeSelection& selection) {
  return Planner(base, selection).Make();
}

}  // namespace oscope
