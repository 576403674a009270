// A commit of runs, reports and attachments: everything that an import, an upload or a recording adds to a store.
//
// While data arrives it goes to a SegmentBuilder, in memory or spilled to disk. Commit then decides against the newest
// version which of it is new: runs that are stored already (by id, with an equal content hash) are left out, other
// content under a stored id is a conflict, each new run gets its bug from the rule, and reports become revisions. Only
// then are segments written, since all of these decisions change what a segment holds.
//
// All decisions are made in one function that PublishChange calls again whenever another writer published first. So it
// starts from what the runs said when they came (given_), not from what an earlier attempt decided. The alternative,
// one lock around decision and publication, would make every writer wait for the slowest one's compression.
//
// A run that was spilled has its bug in its files already. If the decision gives it another bug, the files are
// rewritten before they are published; that is rare and costs one run.
//
// What is left out: there is no partial commit. If anything fails, nothing is visible, and the builder keeps the runs
// so that Commit can be called again. Only when the new manifest may be visible in spite of an error are its files
// left alone.
#include "index/store/ingest.h"

#include <algorithm>
#include <unordered_set>

#include "base/limits.h"
#include "index/store/rewrite.h"
#include "index/store/segment_reader.h"

namespace oscope {

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

class StoreIngest : public Ingest {
 public:
  StoreIngest(std::shared_ptr<StoreState> store, const IngestOptions& options)
      : store_(std::move(store)), options_(options), builder_(store_->files, options.spill_events) {
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

  Status AddAttachment(const Attachment& attachment) override { return builder_.AddAttachment(attachment); }

  uint64_t pending_runs() const override { return builder_.run_count(); }
  uint64_t pending_events() const override { return builder_.event_count(); }
  uint64_t pending_attachment_bytes() const override { return builder_.attachment_bytes(); }

  Result<IngestResult> Commit() override {
    const std::vector<SegmentBuilder::Held> held = builder_.runs();
    runs_.clear();
    given_.clear();
    for (const SegmentBuilder::Held& one : held) {
      runs_.push_back(one.run);
      given_.push_back(one.run->header.bug);
    }
    std::vector<const StoredRun*> sorted = runs_;
    std::sort(sorted.begin(), sorted.end(),
              [](const StoredRun* a, const StoredRun* b) { return a->header.id < b->header.id; });

    IngestResult result;
    std::vector<SegmentEntry> written;
    const auto discard = [&] {
      builder_.Discard(written);
      written.clear();
    };
    const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
      discard();
      result = IngestResult();
      RunSet known;
      for (const SegmentEntry& segment : base.manifest.segments) {
        if (segment.runs == 0 || !segment.quarantined.empty() || sorted.empty()) continue;
        OSCOPE_ASSIGN_OR_RETURN(const auto index, store_->Index(segment));
        OSCOPE_RETURN_IF_ERROR(FindKnown(sorted, *index, known));
      }
      KnownBugs bugs(base);
      OSCOPE_RETURN_IF_ERROR(LinkRuns(known, bugs, result));
      for (const StoredRun* run : sorted) {
        if (known.contains(run->header.id)) continue;
        ++result.runs_added;
        result.traces_added += run->trace_count;
        result.events_added += run->event_count;
      }
      result.runs_known = known.size();
      OSCOPE_RETURN_IF_ERROR(CheckOwners(base, bugs));
      OSCOPE_ASSIGN_OR_RETURN(const std::set<AttachmentHeader> attached, FindAttached(base));
      result.attachments_known = attached.size();
      result.attachments_added = builder_.attachments().size() - attached.size();
      result.bugs_added = bugs.added();
      result.bugs_changed = bugs.changed();
      std::vector<BugRevision> revisions = std::move(bugs).Changes(NowNs(), options_.by);
      VersionEdit edit;
      if (result.runs_added == 0 && revisions.empty() && result.attachments_added == 0) return edit;
      OSCOPE_RETURN_IF_ERROR(RewriteSpilled(known));
      const SegmentBuilder::Drops drops{[&](RunId id) { return known.contains(id); },
                                        [&](const AttachmentHeader& one) { return attached.contains(one); }};
      OSCOPE_ASSIGN_OR_RETURN(written, builder_.Write(base.manifest.ranges, drops, std::move(revisions)));
      edit.added = written;
      return edit;
    };
    bool visible = false;
    Result<uint64_t> version = PublishChange(store_, make, discard, [&] {
      visible = true;
      builder_.Published(written);
    });
    // The files of runs that a version may name no longer belong to the builder.
    if (!version.ok() && visible) return std::move(version).error();
    if (!version.ok()) {
      // Whoever tries again begins with what the runs said themselves.
      for (size_t i = 0; i < given_.size(); ++i) builder_.LinkRun(i, given_[i]);
      return std::move(version).error();
    }
    result.version = *version;
    builder_.Clear();
    builder_.SetStoredTime(NowNs());
    bugs_.clear();
    return result;
  }

 private:
  // All bugs that the reports and the new runs name, and those that may have a new run's failure.
  Status LoadBugs(std::span<const RunHeader* const> runs, KnownBugs& bugs) const {
    std::vector<BugKey> keys;
    std::vector<const RunHeader*> unnamed;
    for (const auto& [key, bug] : bugs_) keys.push_back(key);
    for (const RunHeader* run : runs) {
      if (run->bug.empty()) {
        unnamed.push_back(run);
      } else {
        BugKey key{run->project, run->bug};
        if (keys.empty() || keys.back() != key) keys.push_back(std::move(key));
      }
    }
    OSCOPE_RETURN_IF_ERROR(bugs.Load(keys));
    return options_.rule ? bugs.LoadWithFailure(unnamed) : Status();
  }

  Status PutReports(KnownBugs& bugs, IngestResult& result) const {
    for (const auto& [key, bug] : bugs_) {
      OSCOPE_ASSIGN_OR_RETURN(const Bug* stored, bugs.Find(key));
      if (stored == nullptr || *stored == bug || !options_.combine) {
        OSCOPE_RETURN_IF_ERROR(bugs.Put(bug, options_.why));
        continue;
      }
      result.bugs_combined.push_back(key);
      OSCOPE_ASSIGN_OR_RETURN(Bug combined, options_.combine(*stored, bug));
      OSCOPE_RETURN_IF_ERROR(bugs.Put(std::move(combined), options_.why));
    }
    return {};
  }

  Status LinkRuns(const RunSet& known, KnownBugs& bugs, IngestResult& result) {
    std::vector<size_t> places;
    std::vector<const RunHeader*> runs;
    for (size_t i = 0; i < runs_.size(); ++i) {
      builder_.LinkRun(i, given_[i]);
      if (known.contains(runs_[i]->header.id)) continue;
      places.push_back(i);
      runs.push_back(&runs_[i]->header);
    }
    OSCOPE_RETURN_IF_ERROR(LoadBugs(runs, bugs));
    OSCOPE_RETURN_IF_ERROR(PutReports(bugs, result));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<RunDecision> decisions, DecideRuns(runs, options_.rule, options_.why, bugs));
    for (size_t i = 0; i < runs.size(); ++i) {
      const RunFate fate = decisions[i].fate;
      builder_.LinkRun(places[i], decisions[i].bug.id);
      if (fate != RunFate::kUnlinked && fate != RunFate::kNamed)
        result.decisions.push_back({runs[i]->id, std::move(decisions[i]), !given_[places[i]].empty()});
    }
    return {};
  }

  // An attachment of nothing would never be found, nor purged.
  Status CheckOwners(const SnapshotState& base, KnownBugs& bugs) const {
    std::set<RunId> missing;
    for (const PendingAttachment& attachment : builder_.attachments()) {
      const AttachmentOwner& owner = attachment.stored.header.owner;
      if (owner.is_run()) {
        missing.insert(owner.run);
        continue;
      }
      OSCOPE_ASSIGN_OR_RETURN(const Bug* bug, bugs.Find(owner.bug));
      if (bug == nullptr)
        return NotFound("no bug {} to attach '{}' to", ToString(owner.bug), attachment.stored.header.name);
    }
    for (const StoredRun* run : runs_) missing.erase(run->header.id);
    for (const SegmentEntry& segment : base.manifest.segments) {
      if (missing.empty()) return {};
      if (segment.runs == 0 || !segment.quarantined.empty()) continue;
      OSCOPE_ASSIGN_OR_RETURN(const auto index, store_->Index(segment));
      std::erase_if(missing, [&](RunId run) { return index->FindRun(run).has_value(); });
    }
    if (!missing.empty()) return NotFound("no run {} to attach something to", ToString(*missing.begin()));
    return {};
  }

  // Those of our attachments that the version has already.
  Result<std::set<AttachmentHeader>> FindAttached(const SnapshotState& base) const {
    std::set<AttachmentHeader> ours, found;
    for (const PendingAttachment& attachment : builder_.attachments()) ours.insert(attachment.stored.header);
    for (const SegmentEntry& segment : base.manifest.segments) {
      if (ours.empty() || segment.Find(Table::kAttachments) == nullptr || !segment.quarantined.empty()) continue;
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> stored,
                              SegmentReader(store_->files, segment).Attachments());
      for (const StoredAttachment& one : stored) {
        if (ours.contains(one.header)) found.insert(one.header);
      }
    }
    return found;
  }

  // A run whose traces are on the disk already has its bug there too, in every row: where that is another one now, they
  // are written once more.
  Status RewriteSpilled(const RunSet& known) {
    for (size_t i = 0; i < runs_.size(); ++i) {
      const SegmentEntry* spilled = builder_.spilled_segment(i);
      const std::string& bug = runs_[i]->header.bug;
      if (spilled == nullptr || builder_.spilled_bug(i) == bug || known.contains(runs_[i]->header.id)) continue;
      RewriteRules rules;
      rules.keep_run = [&](StoredRun& run) {
        run.header.bug = bug;
        return true;
      };
      OSCOPE_ASSIGN_OR_RETURN(std::vector<SegmentEntry> segments,
                              RewriteSegments(*store_, {*spilled}, rules, {HashRange()}, options_.spill_events));
      if (segments.size() != 1) {
        RemoveSegmentFiles(store_->files, segments);
        return Corrupt("segment {}: it does not have the one run that was written there", spilled->id);
      }
      builder_.ReplaceSpilled(i, std::move(segments[0]));
    }
    return {};
  }

  std::shared_ptr<StoreState> store_;
  const IngestOptions options_;
  SegmentBuilder builder_;
  std::map<BugKey, Bug> bugs_;
  // While a commit is under way: the runs in the order in which they came, and the bugs that they named.
  std::vector<const StoredRun*> runs_;
  std::vector<std::string> given_;
};

}  // namespace

Status CheckAuthor(const std::string& by) {
  if (by.size() <= limits::kMaxNameBytes) return {};
  return Limit("the author of a revision has {} bytes; the limit is {}", by.size(), limits::kMaxNameBytes);
}

std::unique_ptr<Ingest> MakeIngest(std::shared_ptr<StoreState> store, const IngestOptions& options) {
  return std::make_unique<StoreIngest>(std::move(store), options);
}

}  // namespace oscope
