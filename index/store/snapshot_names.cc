// Finds the bugs and projects of a version by name. The names come from the segments' indexes, so that one bug is
// found among a million without reading a report.
#include <algorithm>
#include <set>

#include "index/store/bug_names.h"
#include "index/store/placement.h"
#include "index/store/segment_reader.h"
#include "index/store/snapshot.h"
#include "index/store/store_state.h"

namespace oscope {

Status SnapshotState::ForEachBugNames(
    const std::function<void(const SegmentEntry&, const BugNameTable&)>& visit) const {
  return ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (segment.bug_revisions == 0) return {};
    OSCOPE_RETURN_IF_ERROR(store->files.cancel().Check());
    if (skip_damaged) OSCOPE_RETURN_IF_ERROR(store->bugs().CheckReports(store->files, segment));
    OSCOPE_ASSIGN_OR_RETURN(const auto names, store->bugs().Names(store->files, segment));
    visit(segment, *names);
    return {};
  });
}

Result<bool> Snapshot::HasBug(const BugKey& key) const {
  // Reading on past damage, a bug is there when its report can be read.
  if (state_->skip_damaged) {
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<Bug> bug, FindBug(key));
    return bug.has_value();
  }
  const uint64_t placement = PlacementOf(key);
  for (const SegmentEntry& segment : state_->manifest.segments) {
    if (segment.bug_revisions == 0 || !segment.quarantined.empty() || !segment.range.Contains(placement)) continue;
    OSCOPE_ASSIGN_OR_RETURN(const auto names, state_->store->bugs().Names(state_->store->files, segment));
    if (names->Find(ViewOf(key))) return true;
  }
  return false;
}

Result<BugKey> Snapshot::ResolveBug(std::string_view text, std::string_view default_project, bool suggest) const {
  std::vector<BugKey> found;
  const auto look = [&](const BugKey& key) -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const bool has, HasBug(key));
    if (has) found.push_back(key);
    return {};
  };
  for (const BugKey& reading : ReadingsOf(text)) OSCOPE_RETURN_IF_ERROR(look(reading));
  const BugKey own{std::string(default_project), std::string(text)};
  const bool may_be_own = ValidateId("project", own.project).ok() && ValidateId("bug", own.id).ok();
  if (found.empty() && may_be_own) OSCOPE_RETURN_IF_ERROR(look(own));
  if (found.empty()) {
    OSCOPE_RETURN_IF_ERROR(state_->ForEachBugNames([&](const SegmentEntry&, const BugNameTable& names) {
      std::vector<BugKey> some = names.WithId(text);
      std::move(some.begin(), some.end(), std::back_inserter(found));
    }));
    // A bug has a revision in each of several segments.
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  if (found.size() == 1) return std::move(found[0]);
  if (!found.empty()) return AmbiguousBug(text, found);
  std::vector<BugKey> known;
  if (suggest) {
    OSCOPE_ASSIGN_OR_RETURN(known, BugKeys());
  }
  return UnknownBug(text, known);
}

Result<std::vector<BugKey>> Snapshot::BugKeys() const {
  std::vector<BugKey> keys;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachBugNames([&](const SegmentEntry&, const BugNameTable& names) {
    for (uint32_t i = 0; i < names.size(); ++i) {
      if (keys.empty() || ViewOf(keys.back()) != names.key(i)) keys.push_back(names.key(i).ToKey());
    }
  }));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

Result<std::vector<std::string>> Snapshot::Projects() const {
  std::set<std::string> projects;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachBugNames([&](const SegmentEntry&, const BugNameTable& names) {
    for (uint32_t i = 0; i < names.projects(); ++i) projects.emplace(names.project(i));
  }));
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_RETURN_IF_ERROR(cancel().Check());
    return SegmentReader(state_->store->files, segment).AddProjectsOfRuns(projects);
  }));
  return std::vector<std::string>(projects.begin(), projects.end());
}

Result<std::shared_ptr<const BugNameTable>> Snapshot::NamesOfBugs(const SegmentEntry& segment) const {
  std::shared_ptr<const BugNameTable> none;
  if (!segment.quarantined.empty() || segment.bug_revisions == 0) return none;
  const auto read = [&]() -> Result<std::shared_ptr<const BugNameTable>> {
    if (state_->skip_damaged) OSCOPE_RETURN_IF_ERROR(state_->store->bugs().CheckReports(state_->store->files, segment));
    return state_->store->bugs().Names(state_->store->files, segment);
  };
  auto names = read();
  if (!names.ok() && state_->LeavesOut(segment, names.error())) return none;
  return names;
}

Result<std::shared_ptr<const BugColumn>> Snapshot::FieldOfBugs(const SegmentEntry& segment,
                                                               std::string_view field) const {
  return state_->store->bugs().Column(state_->store->files, segment, field);
}

}  // namespace oscope
