// Reads of one version. A lookup (a run, a bug, a trace) asks the index of each segment and reads one row; a walk
// (runs, scans, Send) goes segment by segment in the order of the manifest. The ranges of the placement hash narrow a
// lookup of a bug to the segments that can have it.
//
// ForEachSegment decides what happens when a segment is damaged: an error, or with SkipDamaged an entry in the list of
// what was left out. The callbacks of a caller run inside that walk, so their errors are held back and returned at its
// end; otherwise a full disk at the receiving end would be taken for damage of the segment that was being read.
#include "index/store/snapshot.h"

#include <algorithm>
#include <unordered_map>

#include "index/store/placement.h"
#include "index/store/segment_reader.h"
#include "index/store/store_state.h"
#include "tracer/model/error_keeping_sink.h"

namespace oscope {

bool RunFilter::Matches(const RunHeader& run) const {
  return (project.empty() || run.project == project) && (!bug || run.bug == *bug) &&
         (test.empty() || run.test == test) && (!failing || IsFailing(run.outcome) == *failing);
}

Snapshot::Snapshot(std::unique_ptr<SnapshotState> state) : state_(std::move(state)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

uint64_t Snapshot::version() const { return state_->manifest.version; }
const Manifest& Snapshot::manifest() const { return state_->manifest; }
const CancelToken& Snapshot::cancel() const { return state_->store->files.cancel(); }

void Snapshot::SkipDamaged(bool skip) { state_->skip_damaged = skip; }

std::vector<std::string> Snapshot::damaged() const {
  std::vector<std::string> list;
  for (const SegmentEntry& segment : state_->manifest.segments) {
    if (!segment.quarantined.empty())
      list.push_back(fmt::format("segment {}: quarantined: {}", segment.id, segment.quarantined));
  }
  const std::lock_guard lock(state_->damaged_mutex);
  for (const auto& [segment, message] : state_->damaged) list.push_back(message);
  return list;
}

StoreStats Snapshot::Stats() const {
  const Manifest& manifest = state_->manifest;
  StoreStats stats;
  stats.version = manifest.version;
  stats.segments = manifest.segments.size();
  stats.ranges = manifest.ranges.size();
  for (const SegmentEntry& segment : manifest.segments) {
    stats.quarantined += segment.quarantined.empty() ? 0 : 1;
    stats.runs += segment.runs;
    stats.traces += segment.traces;
    stats.events += segment.events;
    stats.bug_revisions += segment.bug_revisions;
    stats.bytes += segment.bytes();
    for (const TableFile& file : segment.tables) {
      StoreStats::PerTable& table = stats.tables[static_cast<int>(file.table)];
      ++table.files;
      table.rows += file.rows;
      table.bytes += file.size;
    }
  }
  return stats;
}

// --- bugs ---

Result<std::vector<BugRevision>> Snapshot::History(const BugKey& key) const { return state_->Revisions(key); }

Result<std::optional<Bug>> Snapshot::FindBug(const BugKey& key) const {
  OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions, state_->Revisions(key));
  if (revisions.empty()) return std::optional<Bug>();
  return std::optional<Bug>(std::move(revisions.back().bug));
}

Result<std::vector<Bug>> Snapshot::Bugs(std::string_view project, const std::function<Status()>& ask) const {
  std::map<BugKey, BugRevision> newest;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    OSCOPE_RETURN_IF_ERROR(ask());
    if (segment.bug_revisions == 0) return {};
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions, SegmentReader(state_->store->files, segment).Bugs());
    for (BugRevision& revision : revisions) {
      if (!project.empty() && revision.bug.key.project != project) continue;
      auto [at, is_new] = newest.try_emplace(revision.bug.key);
      if (is_new || at->second.revision < revision.revision) at->second = std::move(revision);
    }
    return {};
  }));
  std::vector<Bug> bugs;
  bugs.reserve(newest.size());
  for (auto& [key, revision] : newest) bugs.push_back(std::move(revision.bug));
  return bugs;
}

// --- runs ---

namespace {

struct FoundRun {
  const SegmentEntry* segment;
  RunLocation at;
};

Result<std::optional<FoundRun>> Locate(const SnapshotState& state, RunId id) {
  std::optional<FoundRun> found;
  OSCOPE_RETURN_IF_ERROR(state.ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (found || segment.runs == 0) return {};
    OSCOPE_ASSIGN_OR_RETURN(const auto index, state.store->Index(segment));
    if (const auto at = index->FindRun(id)) found = FoundRun{&segment, *at};
    return {};
  }));
  return found;
}

}  // namespace

Result<std::optional<StoredRun>> Snapshot::FindRun(RunId id) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<FoundRun> found, Locate(*state_, id));
  if (!found) return std::optional<StoredRun>();
  OSCOPE_ASSIGN_OR_RETURN(StoredRun run, SegmentReader(state_->store->files, *found->segment).RunAt(found->at.run_row));
  if (run.header.id != id) return Corrupt("segment {}: its index points to another run", found->segment->id);
  return std::optional<StoredRun>(std::move(run));
}

Result<std::optional<RunPlace>> Snapshot::PlaceOf(RunId id) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<FoundRun> found, Locate(*state_, id));
  if (!found) return std::optional<RunPlace>();
  RunPlace place{found->segment, std::nullopt};
  if (found->at.trace_row != kNoRow) place.trace_row = found->at.trace_row;
  return std::optional<RunPlace>(place);
}

Result<RunId> Snapshot::ResolveRun(std::string_view text) const {
  if (text.size() == 32) {
    OSCOPE_ASSIGN_OR_RETURN(const RunId id, ParseRunId(text));
    OSCOPE_ASSIGN_OR_RETURN(const std::optional<FoundRun> found, Locate(*state_, id));
    if (!found) return NotFound("no run {}", text);
    return id;
  }
  if (text.size() < 4 || text.size() > 32 ||
      text.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
    return Invalid("'{}': a run is named by at least the first 4 of its 32 hexadecimal digits", text);
  }
  const std::string padding(32 - text.size(), '0');
  OSCOPE_ASSIGN_OR_RETURN(const RunId first, ParseRunId(std::string(text) + padding));
  OSCOPE_ASSIGN_OR_RETURN(const RunId last, ParseRunId(std::string(text) + std::string(padding.size(), 'f')));
  std::vector<RunId> found;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (segment.runs == 0) return {};
    OSCOPE_ASSIGN_OR_RETURN(const auto index, state_->store->Index(segment));
    for (size_t i = index->LowerBound(first); i < index->runs() && index->run_id(i) <= last && found.size() < 4; ++i) {
      found.push_back(index->run_id(i));
    }
    return {};
  }));
  if (found.empty()) return NotFound("no run begins with '{}'", text);
  if (found.size() == 1) return found[0];
  return Conflict("several runs begin with '{}', such as {} and {}", text, ToString(found[0]), ToString(found[1]));
}

Status Snapshot::ForEachRun(const RunFilter& filter, bool with_inputs,
                            const std::function<bool(const StoredRun&)>& run) const {
  bool go_on = true;
  return state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (!go_on || segment.runs == 0) return {};
    if (filter.bug && !filter.bug->empty() && !filter.project.empty() &&
        !segment.range.Contains(PlacementOf(BugKey{filter.project, *filter.bug}))) {
      return {};
    }
    return SegmentReader(state_->store->files, segment).ForEachRun(with_inputs, [&](const StoredRun& stored) {
      if (filter.Matches(stored.header)) go_on = run(stored);
      return go_on;
    });
  });
}

// --- traces ---

Result<std::vector<TraceHeader>> Snapshot::Traces(RunId run) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<FoundRun> found, Locate(*state_, run));
  if (!found) return NotFound("no run {}", ToString(run));
  return SegmentReader(state_->store->files, *found->segment).TraceHeaders(run, found->at.trace_row);
}

Result<Trace> Snapshot::ReadTrace(const TraceId& id, SymbolTable& symbols, uint64_t first, uint64_t count) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<FoundRun> found, Locate(*state_, id.run));
  if (!found) return NotFound("no run {}", ToString(id.run));
  return SegmentReader(state_->store->files, *found->segment).ReadTrace(id, found->at.trace_row, symbols, first, count);
}

// --- attachments ---

Result<std::vector<StoredAttachment>> Snapshot::Attachments(const AttachmentOwner& owner) const {
  std::vector<StoredAttachment> found;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (segment.Find(Table::kAttachments) == nullptr || !segment.range.Contains(PlacementOf(owner))) return {};
    OSCOPE_ASSIGN_OR_RETURN(std::vector<StoredAttachment> all,
                            SegmentReader(state_->store->files, segment).Attachments());
    std::copy_if(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()), std::back_inserter(found),
                 [&](const StoredAttachment& attachment) { return attachment.header.owner == owner; });
    return {};
  }));
  std::sort(found.begin(), found.end(),
            [](const StoredAttachment& a, const StoredAttachment& b) { return a.header < b.header; });
  return found;
}

Result<std::string> Snapshot::ReadAttachment(const AttachmentHeader& attachment) const {
  std::optional<std::string> found;
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (found || !segment.range.Contains(PlacementOf(attachment.owner))) return {};
    return SegmentReader(state_->store->files, segment)
        .ReadAttachments([&](const StoredAttachment& one) { return one.header == attachment; },
                         [&](const StoredAttachment&, const std::string& bytes) {
                           found = bytes;
                           return Status();
                         });
  }));
  if (!found)
    return NotFound("{} has no attachment '{}' with these bytes", ToString(attachment.owner), attachment.name);
  return *std::move(found);
}

// --- all of it ---

namespace {

// Remembers, of the runs that are sent, those that have attachments.
class AttachedRuns {
 public:
  Status Load(const SnapshotState& state) {
    return state.ForEachSegment([&](const SegmentEntry& segment) -> Status {
      if (segment.Find(Table::kAttachments) == nullptr) return {};
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> all,
                              SegmentReader(state.store->files, segment).Attachments());
      for (const StoredAttachment& one : all) {
        if (one.header.owner.is_run()) sent_.emplace(one.header.owner.run, false);
      }
      return {};
    });
  }
  void Sent(RunId run) {
    if (const auto at = sent_.find(run); at != sent_.end()) at->second = true;
  }
  bool WasSent(RunId run) const {
    const auto at = sent_.find(run);
    return at != sent_.end() && at->second;
  }

 private:
  std::map<RunId, bool> sent_;
};

}  // namespace

Status Snapshot::Send(const std::function<bool(const StoredRun&)>& keep, RunSink& to,
                      const std::function<bool(const AttachmentHeader&)>& keep_attachment) const {
  ErrorKeepingSink sink(to);
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, Bugs());
  for (const Bug& bug : bugs) OSCOPE_RETURN_IF_ERROR(sink.AddBug(bug));
  AttachedRuns attached;
  OSCOPE_RETURN_IF_ERROR(attached.Load(*state_));
  const auto keep_run = [&](StoredRun& run) {
    const bool kept = keep(run);
    if (kept) attached.Sent(run.header.id);
    return kept;
  };
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (sink.failed()) return {};
    const Status sent = SegmentReader(state_->store->files, segment).SendRuns(keep_run, sink);
    // Told at the end: here it would be taken for damage of the segment, which SkipDamaged leaves out.
    if (sink.failed()) return {};
    OSCOPE_RETURN_IF_ERROR(sent);
    return state_->store->Step();
  }));
  OSCOPE_RETURN_IF_ERROR(sink.status());
  const auto is_wanted = [&](const StoredAttachment& one) {
    const AttachmentOwner& owner = one.header.owner;
    const bool owner_sent =
        owner.is_run() ? attached.WasSent(owner.run) : std::ranges::binary_search(bugs, owner.bug, {}, &Bug::key);
    return owner_sent && keep_attachment(one.header);
  };
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (sink.failed()) return {};
    const Status sent = SegmentReader(state_->store->files, segment)
                            .ReadAttachments(is_wanted, [&](const StoredAttachment& one, const std::string& bytes) {
                              return sink.AddAttachment({one.header, bytes});
                            });
    return sink.failed() ? Status() : sent;
  }));
  return sink.status();
}

// --- scans ---

Status Snapshot::ScanSegment(const SegmentEntry& segment, const ScanColumns& columns,
                             const std::function<Status(const TraceBatch&)>& batch) const {
  const bool check_whole = !state_->store->IsVerified(segment.id);
  OSCOPE_RETURN_IF_ERROR(SegmentReader(state_->store->files, segment).Scan(columns, check_whole, batch));
  state_->store->SetVerified(segment.id);
  return {};
}

Status Snapshot::ScanTraces(const ScanColumns& columns, const std::function<Status(const TraceBatch&)>& batch) const {
  Status stopped;
  const std::function<Status(const TraceBatch&)> watched = [&](const TraceBatch& rows) {
    return stopped = batch(rows);
  };
  OSCOPE_RETURN_IF_ERROR(state_->ForEachSegment([&](const SegmentEntry& segment) -> Status {
    if (!stopped.ok()) return {};
    Status scanned = ScanSegment(segment, columns, watched);
    // As in Send: the caller's own error is no damage.
    return stopped.ok() ? scanned : Status();
  }));
  return stopped;
}

// --- search ---

Result<std::shared_ptr<const SegmentSearch>> Snapshot::Search(const SegmentEntry& segment) const {
  if (!segment.quarantined.empty()) return std::shared_ptr<const SegmentSearch>();
  auto search = state_->store->Search(segment);
  if (!search.ok() && state_->LeavesOut(segment, search.error())) return std::shared_ptr<const SegmentSearch>();
  return search;
}

Status Snapshot::ReadRows(const SegmentEntry& segment, std::span<const uint32_t> rows, std::optional<uint64_t> suffix,
                          const std::function<Status(const TraceEvents&)>& events) const {
  OSCOPE_ASSIGN_OR_RETURN(const auto search, state_->store->Search(segment));
  return SegmentReader(state_->store->files, segment).ReadRows(search->tails(), rows, suffix, events);
}

}  // namespace oscope
