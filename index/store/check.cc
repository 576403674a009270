// The integrity check: every file against the manifest, every row decoded, and advice for what is wrong.
//
// A segment is checked in three steps, and a step that finds something ends them: the digests of its files, then its
// content (counts, and whether each run, bug and attachment lies in the segment's range), then its index. Comparing
// the content of a file whose digest differs would only repeat the finding. A problem says whether the bytes are
// damaged (restore them, or quarantine the segment) or the system could not read them (which may pass): only the first
// may lead to a quarantine.
#include <set>

#include "index/store/placement.h"
#include "index/store/reindex.h"
#include "index/store/segment_reader.h"
#include "index/store/store.h"
#include "index/store/store_state.h"
#include "tracer/model/null_sink.h"

namespace oscope {

bool CheckResult::healthy() const {
  for (const CheckProblem& problem : problems) {
    if (problem.fatal) return false;
  }
  return true;
}

namespace {

// Counts what a segment sends, to compare with what the manifest says.
class CountingSink : public NullSink {
 public:
  Status BeginRun(const RunHeader&, const SymbolTable&) override {
    ++runs;
    return {};
  }
  Status BeginTrace(const TraceHeader& trace) override {
    ++traces;
    announced += trace.event_count;
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    events += chunk.events.size();
    return {};
  }

  uint64_t runs = 0, traces = 0, events = 0, announced = 0;
};

constexpr const char* kRestoreAdvice =
    "restore the file from a backup, or take the segment out of use with 'oscope store check --quarantine'; what it "
    "held is then missing from answers, which say so";

constexpr const char* kUnreadableAdvice =
    "check again; if it stays so, restore the file from a backup, or remove it and quarantine the segment, which is "
    "then missing from answers";

class Checker {
 public:
  Checker(StoreState& store, const CheckOptions& options, CheckResult& result)
      : store_(store), options_(options), result_(result) {}

  void CheckSegment(const SegmentEntry& segment) {
    const size_t before = result_.problems.size();
    for (const TableFile& table : segment.tables) {
      ++result_.files_checked;
      result_.bytes_checked += table.size;
      auto reader = OpenTable(store_.files, segment.id, table, options_.deep);
      if (!reader.ok()) Report(segment.id, reader.error());
    }
    if (options_.deep && result_.problems.size() == before) CheckContent(segment);
    if (result_.problems.size() == before) CheckIndex(segment);
  }

  void CheckOrphans(const Manifest& manifest) {
    std::set<std::string> ids;
    for (const SegmentEntry& segment : manifest.segments) ids.insert(segment.id);
    for (const GroupEntry& group : manifest.groups) ids.insert(group.file);
    uint64_t orphans = 0;
    for (const char* directory : {"segments", "index", "groups", "tmp"}) {
      const auto names = store_.files.fs().List(store_.files.Directory(directory));
      if (!names.ok()) {
        Report({}, names.error());
        continue;
      }
      for (const std::string& name : *names) orphans += ids.contains(name.substr(0, name.find('.'))) ? 0 : 1;
    }
    if (orphans != 0) {
      Report({},
             fmt::format("{} files belong to no segment or group of version {} (an interrupted or running writer, or "
                         "an older version)",
                         orphans, manifest.version),
             "'oscope store collect' removes those that no version needs", false);
    }
  }

 private:
  void Report(const std::string& segment, const Error& error) {
    const bool damaged = error.code == ErrorCode::kCorrupt;
    result_.problems.push_back({segment, error.message, damaged ? kRestoreAdvice : kUnreadableAdvice, true, !damaged});
  }
  void Report(std::string segment, std::string what, std::string advice, bool fatal) {
    result_.problems.push_back({std::move(segment), std::move(what), std::move(advice), fatal, false});
  }

  void CheckContent(const SegmentEntry& segment) {
    const SegmentReader reader(store_.files, segment);
    CountingSink counts;
    bool misplaced = false;
    const Status sent = reader.SendRuns(
        [&](StoredRun& run) {
          misplaced = misplaced || !segment.range.Contains(PlacementOf(run.header));
          return true;
        },
        counts);
    if (!sent.ok()) return Report(segment.id, sent.error());
    const auto bugs = reader.Bugs();
    if (!bugs.ok()) return Report(segment.id, bugs.error());
    for (const BugRevision& revision : *bugs)
      misplaced = misplaced || !segment.range.Contains(PlacementOf(revision.bug.key));
    if (counts.runs != segment.runs || counts.traces != segment.traces || counts.events != segment.events ||
        counts.announced != segment.events || bugs->size() != segment.bug_revisions) {
      Report(segment.id, fmt::format("segment {}: its counts differ from the manifest's", segment.id), kRestoreAdvice,
             true);
    }
    const Status attachments = reader.ReadAttachments(
        [&](const StoredAttachment& attachment) {
          misplaced = misplaced || !segment.range.Contains(PlacementOf(attachment.header.owner));
          return true;
        },
        [](const StoredAttachment&, const std::string&) { return Status(); });
    if (!attachments.ok()) return Report(segment.id, attachments.error());
    if (misplaced)
      Report(segment.id, fmt::format("segment {}: it contains something that belongs to another range", segment.id),
             kRestoreAdvice, true);
  }

  void CheckIndex(const SegmentEntry& segment) {
    const auto state = options_.deep ? CompareIndex(store_.files, segment) : CheckStoredIndex(store_.files, segment);
    if (!state.ok()) return Report(segment.id, state.error());
    // An index of an older release is no fault: what it lacks is made from the tables when it is needed.
    if (state->fault != IndexFault::kNone && state->fault != IndexFault::kOlder) {
      Report(segment.id, fmt::format("index/{}.osix: {}", segment.id, state->reason),
             "'oscope store reindex' writes it anew; answers are right without it", false);
    }
  }

  StoreState& store_;
  const CheckOptions& options_;
  CheckResult& result_;
};

}  // namespace

Result<CheckResult> Store::Check(const CheckOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
  CheckResult result;
  result.version = newest->manifest.version;
  Checker checker(*state_, options, result);
  for (const SegmentEntry& segment : newest->manifest.segments) {
    if (!segment.quarantined.empty()) {
      result.problems.push_back({segment.id,
                                 fmt::format("segment {} is quarantined: {}", segment.id, segment.quarantined),
                                 "restore its files from a backup, or purge what it held", false, false});
      continue;
    }
    checker.CheckSegment(segment);
    OSCOPE_RETURN_IF_ERROR(state_->Step());
  }
  checker.CheckOrphans(newest->manifest);
  return result;
}

}  // namespace oscope
