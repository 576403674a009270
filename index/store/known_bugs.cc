// What a commit knows about bugs while it decides: stored revisions, read when they are first asked for, and on top of
// them what this very commit has put.
//
// Both layers are needed. Of ten runs with the same new failure in one upload the first makes a bug and the other nine
// must find it, though no segment has it yet: told_ and learnt_ hold what reports and runs of this commit say, and
// owners_ what the stored version says.
//
// Stored bugs are read in bulk where the caller can say which it needs (Load, LoadWithFailure). One at a time, every
// bug would open every segment of its range again.
#include "index/store/known_bugs.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"
#include "index/store/failure_index.h"
#include "index/store/placement.h"
#include "index/store/segment_reader.h"
#include "index/store/store_state.h"

namespace oscope {

namespace {

// The greater number; a text that is none comes before all numbers.
bool IsLater(const BugKey& a, const BugKey& b) {
  const auto first = NumberOf(a.id), second = NumberOf(b.id);
  return first == second ? a.id > b.id : first > second;
}

std::string TitleFrom(const RunHeader& run) {
  constexpr size_t kMaxTitle = 120;
  std::string title = run.failure.message.substr(0, run.failure.message.find('\n'));
  if (title.empty()) title = run.test;
  if (title.empty()) title = fmt::format("bug {}", run.bug);
  return CutToBytes(std::move(title), kMaxTitle);
}

// A bug that a run names and that has no report.
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

Result<const Bug*> KnownBugs::Find(const BugKey& key) {
  OSCOPE_ASSIGN_OR_RETURN(const Entry* entry, Get(key));
  return Newest(*entry);
}

namespace {

// As a run has it, and as earlier releases would have called it.
std::set<Hash128> FailuresOf(const RunHeader& run) {
  std::set<Hash128> failures;
  if (const auto failure = FailureHash(run)) failures.insert(*failure);
  if (const auto former = FormerFailureHash(run)) failures.insert(*former);
  return failures;
}

}  // namespace

Status KnownBugs::LoadOwners(const std::set<Hash128>& failures) {
  std::vector<std::pair<const Hash128, Stored>*> asked;
  for (const Hash128& failure : failures) {
    const auto [entry, is_new] = owners_.try_emplace(failure);
    if (is_new) asked.push_back(&*entry);
  }
  if (version_ == nullptr || asked.empty()) return {};
  return version_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_ASSIGN_OR_RETURN(const auto index, version_->store->Failures(segment));
    for (auto* entry : asked) {
      for (const FailureIndex::Owner& owner : index->Owners(entry->first))
        (owner.by_report ? entry->second.by_reports : entry->second.by_runs).emplace(owner.bug);
    }
    return {};
  });
}

Result<KnownBugs::Owners> KnownBugs::OwnersOf(const RunHeader& run) {
  const std::set<Hash128> failures = FailuresOf(run);
  OSCOPE_RETURN_IF_ERROR(LoadOwners(failures));
  std::set<std::string> by_runs, by_reports;
  const auto add = [](const std::set<std::string>& from, std::set<std::string>& to) {
    to.insert(from.begin(), from.end());
  };
  for (const Hash128& failure : failures) {
    const Stored& stored = owners_.at(failure);
    add(stored.by_runs, by_runs);
    add(stored.by_reports, by_reports);
    if (const auto there = learnt_.find(failure); there != learnt_.end()) add(there->second, by_runs);
    if (const auto there = told_.find(failure); there != told_.end()) add(there->second, by_reports);
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
  std::set<Hash128> failures;
  for (const RunHeader* run : runs) failures.merge(FailuresOf(*run));
  OSCOPE_RETURN_IF_ERROR(LoadOwners(failures));
  std::vector<BugKey> keys;
  for (const RunHeader* run : runs) {
    OSCOPE_ASSIGN_OR_RETURN(const Owners owners, OwnersOf(*run));
    keys.insert(keys.end(), owners.keys.begin(), owners.keys.end());
  }
  return Load(keys);
}

Result<std::vector<const Bug*>> KnownBugs::WithFailure(const RunHeader& run) {
  OSCOPE_ASSIGN_OR_RETURN(const Owners owners, OwnersOf(run));
  OSCOPE_RETURN_IF_ERROR(Load(owners.keys));
  std::vector<const Bug*> bugs;
  for (const BugKey& key : owners.keys) {
    const Bug* bug = Newest(bugs_.at(key));
    if (bug == nullptr) continue;
    // An older revision may have had the failure's fields, and the newest may have lost them.
    const std::optional<Hash128> told = FailureHash(*bug);
    if (owners.by_report && (!told || (told != FailureHash(run) && told != FormerFailureHash(run)))) continue;
    bugs.push_back(bug);
  }
  return bugs;
}

Result<uint64_t> KnownBugs::NextNumber(const std::string& project) {
  const auto [there, is_first] = next_.try_emplace(project, 1);
  uint64_t& next = there->second;
  if (is_first && version_ != nullptr) {
    const std::map<std::string, uint64_t>& purged = version_->manifest.settings.next_numbers;
    if (const auto least = purged.find(project); least != purged.end()) next = least->second;
    OSCOPE_RETURN_IF_ERROR(version_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
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
  if (why.size() > limits::kMaxTextBytes)
    return Limit("bug {}: the reason for the change has {} bytes; the limit is {}", ToString(bug.key), why.size(),
                 limits::kMaxTextBytes);
  const auto number = NumberOf(bug.key.id);
  const auto next = next_.find(bug.key.project);
  // Nothing is stored under the next number or a later one.
  if (number && next != next_.end() && *number >= next->second) bugs_.try_emplace(bug.key);
  if (number && next != next_.end()) next->second = std::max(next->second, *number + 1);
  OSCOPE_ASSIGN_OR_RETURN(Entry* const entry, Get(bug.key));
  if (entry->stored == bug) {
    entry->put.reset();
    return {};
  }
  if (const auto failure = FailureHash(bug)) told_[*failure].insert(bug.key.id);
  entry->put = std::move(bug);
  entry->why = std::move(why);
  return {};
}

void KnownBugs::Learn(const RunHeader& run, const std::string& bug) {
  if (const auto failure = FailureHash(run)) learnt_[*failure].insert(bug);
}

std::vector<BugRevision> KnownBugs::Changes(int64_t edited_ns, const std::string& by) && {
  std::vector<BugRevision> revisions;
  revisions.reserve(added() + changed());
  for (auto& [key, entry] : bugs_) {
    if (entry.put)
      revisions.push_back({entry.revision + 1, edited_ns, *std::move(entry.put), by, std::move(entry.why)});
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
  BugKey there;  // that was looked up last: the runs of a bug come together
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
      if (named && decision.bug != there) {
        OSCOPE_ASSIGN_OR_RETURN(const Bug* found, bugs.Find(decision.bug));
        if (found == nullptr && decision.bug.id == run.bug) OSCOPE_RETURN_IF_ERROR(bugs.Put(BugNamedBy(run), why));
        there = decision.bug;
      }
      bugs.Learn(run, decision.bug.id);
    }
  }
  return decisions;
}

}  // namespace oscope
