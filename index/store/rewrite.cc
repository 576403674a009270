// Reads segments run by run and sends what the rules keep through a SegmentBuilder, so that a rewritten segment is
// made by the same code as a new one. A segment ends between two runs, when it has enough events, runs or bytes of
// attachments. What was written is removed again if the rewrite fails; the caller takes it over with Take.
//
// RemoveReplaced comes after the new version is published. Files that a reader of an older version still needs are
// left to a later collection.
#include "index/store/rewrite.h"

#include <algorithm>

#include "index/store/segment_reader.h"

namespace oscope {

namespace {

constexpr uint64_t kRunsPerSegment = 500'000;
constexpr uint64_t kAttachmentBytesPerSegment = 256 << 20;

// Passes runs on to a builder with the time they were first stored, and closes a segment when it is full.
class Rewriter {
 public:
  Rewriter(const StoreFiles& files, const std::vector<HashRange>& ranges, uint64_t target_events)
      : files_(files), ranges_(ranges), target_events_(target_events), builder_(files, target_events) {}
  ~Rewriter() { RemoveSegmentFiles(files_, written_); }

  Status Add(const SegmentEntry& input, const RewriteRules& rules) {
    const SegmentReader reader(files_, input);
    OSCOPE_ASSIGN_OR_RETURN(std::vector<BugRevision> revisions, reader.Bugs());
    for (BugRevision& revision : revisions) {
      if (rules.keep_bug(revision)) builder_.AddRevision(std::move(revision));
    }
    Status flushed;
    const auto keep = [&](StoredRun& run) {
      // Between two runs is the one place where a segment may end.
      if (flushed.ok() && (builder_.event_count() >= target_events_ || builder_.run_count() >= kRunsPerSegment))
        flushed = Flush();
      if (!flushed.ok() || !rules.keep_run(run)) return false;
      builder_.SetStoredTime(run.stored_ns);
      return true;
    };
    OSCOPE_RETURN_IF_ERROR(reader.SendRuns(keep, builder_));
    OSCOPE_RETURN_IF_ERROR(flushed);
    return reader.ReadAttachments(
        [&](const StoredAttachment& attachment) { return rules.keep_attachment(attachment.header); },
        [&](const StoredAttachment& attachment, const std::string& bytes) -> Status {
          if (builder_.attachment_bytes() >= kAttachmentBytesPerSegment) OSCOPE_RETURN_IF_ERROR(Flush());
          builder_.AddStored(attachment, bytes);
          return {};
        });
  }

  Status Flush() {
    if (builder_.empty()) return {};
    OSCOPE_ASSIGN_OR_RETURN(std::vector<SegmentEntry> segments, builder_.Write(ranges_));
    builder_.Published(segments);
    builder_.Clear();
    std::move(segments.begin(), segments.end(), std::back_inserter(written_));
    return {};
  }

  std::vector<SegmentEntry> Take() { return std::exchange(written_, {}); }

 private:
  const StoreFiles& files_;
  const std::vector<HashRange>& ranges_;
  const uint64_t target_events_;
  SegmentBuilder builder_;
  std::vector<SegmentEntry> written_;
};

}  // namespace

Result<std::vector<SegmentEntry>> RewriteSegments(StoreState& store, const std::vector<SegmentEntry>& inputs,
                                                  const RewriteRules& rules, const std::vector<HashRange>& ranges,
                                                  uint64_t target_events) {
  Rewriter rewriter(store.files, ranges, target_events);
  for (const SegmentEntry& input : inputs) {
    OSCOPE_RETURN_IF_ERROR(rewriter.Add(input, rules));
    OSCOPE_RETURN_IF_ERROR(store.Step());
  }
  OSCOPE_RETURN_IF_ERROR(rewriter.Flush());
  return rewriter.Take();
}

Removed RemoveReplaced(StoreState& store, const std::vector<SegmentEntry>& replaced, uint64_t newest) {
  Removed removed;
  const Pruned pruned = PruneManifests(store, newest, 0);
  removed.manifests = pruned.manifests;
  std::vector<SegmentEntry> gone;
  for (const SegmentEntry& segment : replaced) {
    const bool pinned =
        !pruned.complete || std::any_of(pruned.pinned.begin(), pruned.pinned.end(), [&](const Manifest& manifest) {
          return std::any_of(manifest.segments.begin(), manifest.segments.end(),
                             [&](const SegmentEntry& s) { return s.id == segment.id; });
        });
    if (pinned) {
      removed.pinned += segment.tables.size();
    } else {
      removed.files += segment.tables.size();
      removed.bytes += segment.bytes();
      gone.push_back(segment);
    }
  }
  store.Forget(gone);
  RemoveSegmentFiles(store.files, gone);
  return removed;
}

}  // namespace oscope
