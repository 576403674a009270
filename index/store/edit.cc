// Changes to bug reports, to the links between runs and bugs, and to settings. Each is a function from the newest
// version to a VersionEdit, which PublishChange calls again when another writer was faster.
//
// Editing a bug adds a revision and touches no other segment. Linking runs is different: a run lies in the range of
// its bug, so the segments that hold the runs are rewritten and the old files are removed at once; if they stayed
// until a collection, a purge of these runs would miss them.
#include <algorithm>
#include <unordered_set>

#include "index/store/ingest.h"
#include "index/store/rewrite.h"
#include "index/store/store.h"

namespace oscope {

Result<uint64_t> Store::ChangeBugs(const std::function<Status(KnownBugs&)>& change, const std::string& by) {
  OSCOPE_RETURN_IF_ERROR(CheckAuthor(by));
  const std::shared_ptr<StoreState> store = state_;
  SegmentBuilder builder(store->files, UINT64_MAX);
  std::vector<SegmentEntry> written;
  const auto discard = [&] {
    builder.Discard(written);
    written.clear();
  };
  const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
    discard();
    KnownBugs bugs(base);
    OSCOPE_RETURN_IF_ERROR(change(bugs));
    std::vector<BugRevision> revisions = std::move(bugs).Changes(NowNs(), by);
    VersionEdit edit;
    if (revisions.empty()) return edit;
    OSCOPE_ASSIGN_OR_RETURN(written, builder.Write(base.manifest.ranges, {}, std::move(revisions)));
    edit.added = written;
    return edit;
  };
  return PublishChange(store, make, discard);
}

Result<Bug> Store::EditBug(const BugKey& key, const std::function<Result<Bug>(const std::optional<Bug>&)>& edit,
                           const std::string& by, const std::string& why) {
  Bug stored;
  const auto change = [&](KnownBugs& bugs) -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const Bug* current, bugs.Find(key));
    OSCOPE_ASSIGN_OR_RETURN(stored, edit(current == nullptr ? std::nullopt : std::optional(*current)));
    if (stored.key != key) return Invalid("an edit cannot turn bug {} into {}", ToString(key), ToString(stored.key));
    return bugs.Put(stored, why);
  };
  OSCOPE_RETURN_IF_ERROR(ChangeBugs(change, by));
  return stored;
}

Result<uint64_t> Store::LinkRuns(const std::vector<RunId>& runs, const BugKey& bug) {
  const std::shared_ptr<StoreState> store = state_;
  const std::unordered_set<RunId, RunIdHash> wanted(runs.begin(), runs.end());
  std::vector<SegmentEntry> replaced, written;
  const auto discard = [&] {
    RemoveSegmentFiles(store->files, written);
    written.clear();
  };
  const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
    discard();
    replaced.clear();
    if (!bug.id.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> history, base.Revisions(bug));
      if (history.empty()) return NotFound("no bug {}", ToString(bug));
    }
    std::unordered_set<RunId, RunIdHash> missing = wanted;
    for (const SegmentEntry& segment : base.manifest.segments) {
      if (segment.runs == 0 || !segment.quarantined.empty()) continue;
      OSCOPE_ASSIGN_OR_RETURN(const auto index, store->Index(segment));
      size_t found = 0;
      for (const RunId run : wanted) {
        if (index->FindRun(run)) found += missing.erase(run);
      }
      if (found != 0) replaced.push_back(segment);
    }
    if (!missing.empty()) return NotFound("no run {}", ToString(*missing.begin()));
    Status wrong_project;
    bool changed = false;
    RewriteRules rules;
    rules.keep_run = [&](StoredRun& run) {
      if (!wanted.contains(run.header.id)) return true;
      if (!bug.id.empty() && run.header.project != bug.project) {
        wrong_project = Invalid("run {} is of project {}, bug {} is not", ToString(run.header.id), run.header.project,
                                ToString(bug));
      }
      changed = changed || run.header.bug != bug.id;
      run.header.bug = bug.id;
      return true;
    };
    OSCOPE_ASSIGN_OR_RETURN(
        written, RewriteSegments(*store, replaced, rules, base.manifest.ranges, CompactOptions().target_events));
    OSCOPE_RETURN_IF_ERROR(wrong_project);
    if (!changed) {
      replaced.clear();
      return VersionEdit();
    }
    VersionEdit edit;
    edit.added = written;
    edit.removed = IdsOf(replaced);
    return edit;
  };
  OSCOPE_ASSIGN_OR_RETURN(const uint64_t version, PublishChange(store, make, discard));
  // Were the old files left, a purge of these runs would not reach them.
  if (!replaced.empty()) RemoveReplaced(*store, replaced, version);
  return version;
}

Result<uint64_t> Store::NewestVersion() const {
  if (state_->fixed_version) return *state_->fixed_version;
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> versions, ListManifests(state_->files));
  if (versions.empty()) return NotFound("store {}: it has no manifest", path());
  return versions.back();
}

Result<StoreSettings> Store::Settings() const {
  OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
  return newest->manifest.settings;
}

Result<uint64_t> Store::SetSettings(const StoreSettings& settings) {
  return EditSettings([&](StoreSettings& now) -> Status {
    now = settings;
    return {};
  });
}

Result<uint64_t> Store::EditSettings(const std::function<Status(StoreSettings&)>& edit) {
  return PublishChange(
      state_,
      [&](const SnapshotState& base) -> Result<VersionEdit> {
        StoreSettings settings = base.manifest.settings;
        OSCOPE_RETURN_IF_ERROR(edit(settings));
        VersionEdit change;
        if (settings != base.manifest.settings) change.settings = std::move(settings);
        return change;
      },
      [] {});
}

Result<uint64_t> Store::Quarantine(const std::vector<std::string>& segments, const std::string& reason) {
  return PublishChange(
      state_,
      [&](const SnapshotState& base) -> Result<VersionEdit> {
        VersionEdit edit;
        for (SegmentEntry segment : base.manifest.segments) {
          if (std::find(segments.begin(), segments.end(), segment.id) == segments.end() || !segment.quarantined.empty())
            continue;
          segment.quarantined = reason;
          edit.removed.push_back(segment.id);
          edit.added.push_back(std::move(segment));
        }
        return edit;
      },
      [] {});
}

}  // namespace oscope
