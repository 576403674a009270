// Attachments are added by an Ingest, as everything is; here they are taken away again.
#include <set>

#include "index/store/rewrite.h"
#include "index/store/segment_reader.h"
#include "index/store/store.h"

namespace oscope {

Result<DetachResult> Store::Detach(const std::vector<AttachmentHeader>& attachments) {
  const std::shared_ptr<StoreState> store = state_;
  const std::set<AttachmentHeader> wanted(attachments.begin(), attachments.end());
  std::vector<SegmentEntry> replaced, written;
  const auto discard = [&] {
    RemoveSegmentFiles(store->files, written);
    written.clear();
  };
  const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
    discard();
    replaced.clear();
    std::set<AttachmentHeader> missing = wanted;
    for (const SegmentEntry& segment : base.manifest.segments) {
      if (segment.Find(Table::kAttachments) == nullptr || !segment.quarantined.empty()) continue;
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> stored,
                              SegmentReader(store->files, segment).Attachments());
      bool has_some = false;
      for (const StoredAttachment& one : stored) {
        has_some = has_some || wanted.contains(one.header);
        missing.erase(one.header);
      }
      if (has_some) replaced.push_back(segment);
    }
    if (!missing.empty())
      return NotFound("{} has no attachment '{}'", ToString(missing.begin()->owner), missing.begin()->name);
    RewriteRules rules;
    rules.keep_attachment = [&](const AttachmentHeader& attachment) { return !wanted.contains(attachment); };
    OSCOPE_ASSIGN_OR_RETURN(
        written, RewriteSegments(*store, replaced, rules, base.manifest.ranges, CompactOptions().target_events));
    VersionEdit edit;
    edit.added = written;
    edit.removed = IdsOf(replaced);
    return edit;
  };
  DetachResult result;
  OSCOPE_ASSIGN_OR_RETURN(result.version, PublishChange(store, make, discard));
  // Deleting is real: the bytes go now, not when the next collection comes.
  if (!replaced.empty()) result.files_pinned = RemoveReplaced(*store, replaced, result.version).pinned;
  return result;
}

}  // namespace oscope
