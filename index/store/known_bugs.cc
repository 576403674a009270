#include "index/store/known_bugs.h"

#include <algorithm>

#include "index/store/failure_index.h"
#include "index/store/placement.h"
#include "index/store/segment_reader.h"
#include "index/store/store_state.h"

namespace oscope {

namespace {

// Numbers grow, and so do their texts; other ids come after all numbers, in the order of their texts.
bool IsLater(const BugKey& a, const BugKey& b) {
  return a.id.size() != b.id.size() ? a.id.size() > b.id.size() : a.id > b.id;
}

std::string TitleFrom(const RunHeader& run) {
  constexpr size_t kMaxTitle = 120;
  std::string title = run.failure.message.substr(0, run.failure.message.find('\n'));
  if (title.empty()) title = run.test;
  if (title.empty()) title = fmt::format("bug {}", run.bug);
  if (title.size() > kMaxTitle) {
    size_t cut = kMaxTitle;
    while (cut > 0 && (static_cast<unsigned char>(title[cut]) & 0xc0) == 0x80) --cut;  // not inside a character
    title.resize(cut);
  }
  return title;
}

// The bug that a run names and nobody has reported.
Bug BugNamedBy(const RunHeader& run) {
  Bug bug;
  bug.key = {run.project, run.bug};
  bug.title = TitleFrom(run);
  bug.version = run.version;
  bug.created_ns = run.started_ns;
  return bug;
}

}  // namespace

KnownBugs::KnownBugs(const Snapshot* snapshot) : version_(snapshot == nullptr ? nullptr : snapshot->state_.get()) {}
KnownBugs::KnownBugs(const SnapshotState& version) : version_(&version) {}

Status KnownBugs::Load(std::span<const BugKey> keys) {
  std::vector<uint64_t> placements;
  for (const BugKey& key : keys) {
    if (bugs_.try_emplace(key).second) placements.push_back(PlacementOf(key));
  }
  if (version_ == nullptr || placements.empty()) return {};
  std::sort(placements.begin(), placements.end());
  return version_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (segment.bug_revisions == 0) return {};
    OSCOPE_ASSIGN_OR_RETURN(const auto index, version_->store->Index(segment));
    if (!index->HasBugAmong(placements)) return {};
    std::vector<uint32_t> rows;
    for (const uint64_t placement : placements) {
      const std::vector<uint32_t> some = index->BugRows(placement);
      rows.insert(rows.end(), some.begin(), some.end());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions,
                            SegmentReader(version_->store->files, segment).BugsAt(rows));
    for (BugRevision& revision : revisions) {
      const auto entry = bugs_.find(revision.bug.key);
      // Another key of the same placement, or one that was read before.
      if (entry == bugs_.end() || entry->second.revision >= revision.revision) continue;
      entry->second.revision = revision.revision;
      entry->second.stored = std::move(revision.bug);
    }
    return {};
  });
}

Result<KnownBugs::Entry*> KnownBugs::Get(const BugKey& key) {
  OSCOPE_RETURN_IF_ERROR(Load(std::span(&key, 1)));
  return &bugs_.at(key);
}

Result<std::optional<Bug>> KnownBugs::Find(const BugKey& key) {
  OSCOPE_ASSIGN_OR_RETURN(const Entry* entry, Get(key));
  return Newest(*entry);
}

Result<KnownBugs::Owners> KnownBugs::OwnersOf(const RunHeader& run) {
  std::set<std::string> by_runs, by_reports;
  for (const std::optional<Hash128> failure : {FailureHash(run), FormerFailureHash(run)}) {
    if (!failure) continue;
    if (const auto there = learnt_.find(*failure); there != learnt_.end())
      by_runs.insert(there->second.begin(), there->second.end());
    if (version_ == nullptr) continue;
    OSCOPE_RETURN_IF_ERROR(version_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
      OSCOPE_ASSIGN_OR_RETURN(const auto index, version_->store->Failures(segment));
      for (const FailureIndex::Owner& owner : index->Owners(*failure))
        (owner.by_report ? by_reports : by_runs).emplace(owner.bug);
      return {};
    }));
  }
  Owners owners;
  owners.by_report = by_runs.empty();
  for (const std::string& id : owners.by_report ? by_reports : by_runs) {
    if (!id.empty()) owners.keys.push_back({run.project, id});
  }
  std::sort(owners.keys.begin(), owners.keys.end(), IsLater);
  return owners;
}

Status KnownBugs::LoadWithFailure(std::span<const RunHeader* const> runs) {
  std::vector<BugKey> keys;
  for (const RunHeader* run : runs) {
    OSCOPE_ASSIGN_OR_RETURN(const Owners owners, OwnersOf(*run));
    keys.insert(keys.end(), owners.keys.begin(), owners.keys.end());
  }
  return Load(keys);
}

Result<std::vector<Bug>> KnownBugs::WithFailure(const RunHeader& run) {
  OSCOPE_ASSIGN_OR_RETURN(const Owners owners, OwnersOf(run));
  OSCOPE_RETURN_IF_ERROR(Load(owners.keys));
  std::vector<Bug> bugs;
  for (const BugKey& key : owners.keys) {
    const std::optional<Bug>& bug = Newest(bugs_.at(key));
    if (!bug) continue;
    // An older revision may have told of the failure, and the newest not any more.
    const std::optional<Hash128> told = FailureHash(*bug);
    if (owners.by_report && (!told || (told != FailureHash(run) && told != FormerFailureHash(run)))) continue;
    bugs.push_back(*bug);
  }
  return bugs;
}

Result<uint64_t> KnownBugs::NextNumber(const std::string& project) {
  const auto [there, is_first] = next_.try_emplace(project, 1);
  uint64_t& next = there->second;
  if (is_first && version_ != nullptr) {
    OSCOPE_RETURN_IF_ERROR(version_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
      if (segment.bug_revisions == 0) return {};
      OSCOPE_ASSIGN_OR_RETURN(const auto index, version_->store->Failures(segment));
      next = std::max(next, index->NextNumber(project));
      return {};
    }));
  }
  if (is_first) {
    for (const auto& [key, entry] : bugs_) {
      const auto number = key.project == project && entry.put ? NumberOf(key.id) : std::nullopt;
      if (number) next = std::max(next, *number + 1);
    }
  }
  return next;
}

Status KnownBugs::Put(Bug bug, std::string why) {
  OSCOPE_RETURN_IF_ERROR(Validate(bug));
  OSCOPE_ASSIGN_OR_RETURN(Entry* const entry, Get(bug.key));
  if (const auto next = next_.find(bug.key.project); next != next_.end()) {
    if (const auto number = NumberOf(bug.key.id)) next->second = std::max(next->second, *number + 1);
  }
  if (entry->stored == bug) {
    entry->put.reset();
    return {};
  }
  entry->put = std::move(bug);
  entry->why = std::move(why);
  return {};
}

void KnownBugs::Learn(const RunHeader& run, const std::string& bug) {
  if (const auto failure = FailureHash(run)) learnt_[*failure].insert(bug);
}

std::vector<BugRevision> KnownBugs::Changes(int64_t edited_ns, const std::string& by) const {
  std::vector<BugRevision> revisions;
  for (const auto& [key, entry] : bugs_) {
    if (entry.put) revisions.push_back({entry.revision + 1, edited_ns, *entry.put, by, entry.why});
  }
  return revisions;
}

uint64_t KnownBugs::added() const {
  return static_cast<uint64_t>(
      std::count_if(bugs_.begin(), bugs_.end(), [](const auto& bug) { return bug.second.put && !bug.second.stored; }));
}

uint64_t KnownBugs::changed() const {
  return static_cast<uint64_t>(
      std::count_if(bugs_.begin(), bugs_.end(), [](const auto& bug) { return bug.second.put && bug.second.stored; }));
}

Result<std::vector<RunDecision>> DecideRuns(std::span<const RunHeader* const> runs, const BugRule& rule,
                                            const std::string& why, KnownBugs& bugs) {
  std::vector<RunDecision> decisions(runs.size());
  for (const bool named : {true, false}) {
    for (size_t i = 0; i < runs.size(); ++i) {
      const RunHeader& run = *runs[i];
      if (run.bug.empty() == named) continue;
      RunDecision& decision = decisions[i];
      if (rule) {
        OSCOPE_ASSIGN_OR_RETURN(decision, rule(run, bugs));
      } else if (named) {
        decision = {.fate = RunFate::kNamed, .bug = {run.project, run.bug}};
      }
      if (named) {
        OSCOPE_ASSIGN_OR_RETURN(const std::optional<Bug> there, bugs.Find(decision.bug));
        if (!there) OSCOPE_RETURN_IF_ERROR(bugs.Put(BugNamedBy(run), why));
      }
      bugs.Learn(run, decision.bug.id);
    }
  }
  return decisions;
}

}  // namespace oscope
