#include "index/store/ingest.h"

#include <algorithm>
#include <unordered_set>

#include "base/quantity.h"
#include "index/store/placement.h"
#include "index/store/segment_reader.h"

namespace oscope {

Status CheckQuota(const Manifest& now, const Manifest& next) {
  const StoreSettings& settings = next.settings;
  if (settings.max_bytes && next.bytes() > *settings.max_bytes && next.bytes() > now.bytes()) {
    return Limit("the store would hold {} and its quota is {}: purge runs, or raise it with 'oscope store quota'",
                 FormatByteSize(next.bytes()), FormatByteSize(*settings.max_bytes));
  }
  if (settings.max_runs && next.runs() > *settings.max_runs && next.runs() > now.runs()) {
    return Limit("the store would hold {} runs and its quota is {}: purge runs, or raise it with 'oscope store quota'",
                 next.runs(), *settings.max_runs);
  }
  return {};
}

namespace {

using RunSet = std::unordered_set<RunId, RunIdHash>;

// Which of the pending runs a segment has already; kConflict when one of them has other content there.
Status FindKnown(const std::vector<const StoredRun*>& sorted, const SegmentIndex& index, RunSet& known) {
  size_t at = 0;
  for (const StoredRun* run : sorted) {
    at = index.LowerBound(run->header.id, at);
    if (at == index.runs()) return {};
    if (index.run_id(at) != run->header.id) continue;
    if (index.run(at).content_hash_low != run->content_hash.low) {
      return Conflict("run {} is stored already with other content", ToString(run->header.id));
    }
    known.insert(run->header.id);
  }
  return {};
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

class StoreIngest : public Ingest {
 public:
  StoreIngest(std::shared_ptr<StoreState> store, const IngestOptions& options)
      : store_(std::move(store)), combine_(options.combine), builder_(store_->files, options.spill_events) {
    builder_.SetStoredTime(NowNs());
  }

  Status AddBug(const Bug& bug) override {
    OSCOPE_RETURN_IF_ERROR(Validate(bug));
    bugs_.insert_or_assign(bug.key, bug);
    return {};
  }
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override { return builder_.BeginRun(run, symbols); }
  Status BeginTrace(const TraceHeader& trace) override { return builder_.BeginTrace(trace); }
  Status AddEvents(const EventChunk& chunk) override { return builder_.AddEvents(chunk); }
  Status EndTrace() override { return builder_.EndTrace(); }
  Status EndRun() override { return builder_.EndRun(); }

  uint64_t pending_runs() const override { return builder_.run_count(); }
  uint64_t pending_events() const override { return builder_.event_count(); }

  Result<IngestResult> Commit() override {
    std::vector<const StoredRun*> sorted;
    for (const SegmentBuilder::Held& held : builder_.runs()) sorted.push_back(held.run);
    std::sort(sorted.begin(), sorted.end(),
              [](const StoredRun* a, const StoredRun* b) { return a->header.id < b->header.id; });

    IngestResult result;
    std::vector<SegmentEntry> written;
    const auto discard = [&] {
      builder_.Discard(written);
      written.clear();
    };
    const auto make = [&](const SnapshotState& base) -> Result<NextVersion> {
      discard();
      result = IngestResult();
      RunSet known;
      for (const SegmentEntry& segment : base.manifest.segments) {
        if (segment.runs == 0 || !segment.quarantined.empty() || sorted.empty()) continue;
        OSCOPE_ASSIGN_OR_RETURN(const auto index, store_->Index(segment));
        OSCOPE_RETURN_IF_ERROR(FindKnown(sorted, *index, known));
      }
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> revisions, MakeRevisions(base, sorted, known, result));
      for (const StoredRun* run : sorted) {
        if (known.contains(run->header.id)) continue;
        ++result.runs_added;
        result.traces_added += run->trace_count;
        result.events_added += run->event_count;
      }
      result.runs_known = known.size();
      NextVersion next{base.manifest, result.runs_added != 0 || !revisions.empty()};
      if (!next.changed) return next;
      OSCOPE_ASSIGN_OR_RETURN(
          written, builder_.Write(base.manifest.ranges, [&](RunId id) { return known.contains(id); }, revisions));
      ReplaceSegments(next.manifest, {}, written);
      OSCOPE_RETURN_IF_ERROR(CheckQuota(base.manifest, next.manifest));
      return next;
    };
    OSCOPE_ASSIGN_OR_RETURN(result.version, PublishChange(store_, make, discard, [&] { builder_.Published(written); }));
    builder_.Clear();
    builder_.SetStoredTime(NowNs());
    bugs_.clear();
    return result;
  }

 private:
  // New revisions for the reports that came, and first ones for bugs that only a run names.
  Result<std::vector<BugRevision>> MakeRevisions(const SnapshotState& base, const std::vector<const StoredRun*>& runs,
                                                 const RunSet& known, IngestResult& result) const {
    std::vector<BugRevision> revisions;
    std::map<BugKey, const RunHeader*> named;
    for (const StoredRun* run : runs) {
      const RunHeader& header = run->header;
      if (header.bug.empty() || known.contains(header.id)) continue;
      const BugKey key{header.project, header.bug};
      if (!bugs_.contains(key)) named.try_emplace(key, &header);
    }
    OSCOPE_ASSIGN_OR_RETURN(const auto current, CurrentRevisions(base, named));
    const int64_t now = NowNs();
    for (const auto& [key, bug] : bugs_) {
      const auto found = current.find(key);
      if (found == current.end()) {
        ++result.bugs_added;
        revisions.push_back({1, now, bug});
        continue;
      }
      const Bug& stored = found->second.bug;
      if (stored == bug) continue;
      if (combine_) result.bugs_combined.push_back(key);
      Bug next = combine_ ? combine_(stored, bug) : bug;
      if (stored == next) continue;
      ++result.bugs_changed;
      revisions.push_back({found->second.revision + 1, now, std::move(next)});
    }
    for (const auto& [key, header] : named) {
      if (current.contains(key)) continue;
      Bug bug;
      bug.key = key;
      bug.title = TitleFrom(*header);
      bug.version = header->version;
      bug.created_ns = header->started_ns;
      ++result.bugs_added;
      revisions.push_back({1, now, std::move(bug)});
    }
    return revisions;
  }

  // The newest revisions of the bugs at hand. Segments whose index has none of them are not read.
  Result<std::map<BugKey, BugRevision>> CurrentRevisions(const SnapshotState& base,
                                                         const std::map<BugKey, const RunHeader*>& named) const {
    std::vector<uint64_t> placements;
    for (const auto& [key, bug] : bugs_) placements.push_back(PlacementOf(key));
    for (const auto& [key, run] : named) placements.push_back(PlacementOf(key));
    std::sort(placements.begin(), placements.end());
    std::map<BugKey, BugRevision> newest;
    for (const SegmentEntry& segment : base.manifest.segments) {
      if (segment.bug_revisions == 0 || !segment.quarantined.empty()) continue;
      OSCOPE_ASSIGN_OR_RETURN(const auto index, store_->Index(segment));
      if (!index->HasBugAmong(placements)) continue;
      OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions, SegmentReader(store_->files, segment).Bugs());
      for (BugRevision& revision : revisions) {
        if (!bugs_.contains(revision.bug.key) && !named.contains(revision.bug.key)) continue;
        auto [at, is_new] = newest.try_emplace(revision.bug.key);
        if (is_new || at->second.revision < revision.revision) at->second = std::move(revision);
      }
    }
    return newest;
  }

  std::shared_ptr<StoreState> store_;
  const std::function<Bug(const Bug& stored, const Bug& given)> combine_;
  SegmentBuilder builder_;
  std::map<BugKey, Bug> bugs_;
};

}  // namespace

std::unique_ptr<Ingest> MakeIngest(std::shared_ptr<StoreState> store, const IngestOptions& options) {
  return std::make_unique<StoreIngest>(std::move(store), options);
}

}  // namespace oscope
