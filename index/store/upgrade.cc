// Upgrade: segments of older formats are rewritten as this release writes them.
//
// One segment after another, so that no more than a batch is on the disk twice and a stop loses no more than a batch.
// Segments are not merged: that is what a compaction is for.
#include <algorithm>

#include "index/store/rewrite.h"
#include "index/store/store.h"

namespace oscope {

namespace {

bool IsDue(const SegmentEntry& segment) { return segment.quarantined.empty() && segment.IsOlder(); }

// The next segments to rewrite.
std::vector<SegmentEntry> NextBatch(const Manifest& manifest, uint64_t batch_events) {
  std::vector<SegmentEntry> batch;
  uint64_t events = 0;
  for (const SegmentEntry& segment : manifest.segments) {
    if (!IsDue(segment)) continue;
    if (!batch.empty() && events + segment.events > batch_events) break;
    batch.push_back(segment);
    events += segment.events;
  }
  return batch;
}

class Upgrader {
 public:
  Upgrader(std::shared_ptr<StoreState> store, const UpgradeOptions& options, UpgradeResult& result)
      : store_(std::move(store)), options_(options), result_(result) {}

  // Returns whether there may be more to do.
  Result<bool> UpgradeBatch() {
    std::vector<SegmentEntry> replaced, written;
    bool was_older = false;
    const auto discard = [&] {
      RemoveSegmentFiles(store_->files, written);
      written.clear();
    };
    const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
      discard();
      was_older = base.manifest.format < kStoreFormat;
      replaced = NextBatch(base.manifest, options_.batch_events);
      // A store without such segments still gets a manifest of the new format.
      VersionEdit edit;
      edit.new_format = was_older;
      for (const SegmentEntry& segment : replaced) {
        OSCOPE_ASSIGN_OR_RETURN(
            std::vector<SegmentEntry> outputs,
            RewriteSegments(*store_, {segment}, {}, base.manifest.ranges, CompactOptions().target_events));
        std::move(outputs.begin(), outputs.end(), std::back_inserter(written));
      }
      edit.added = written;
      edit.removed = IdsOf(replaced);
      return edit;
    };
    OSCOPE_ASSIGN_OR_RETURN(result_.version, PublishChange(store_, make, discard));
    if (replaced.empty()) return false;
    RemoveReplaced(*store_, replaced, result_.version);
    ++result_.batches;
    result_.segments += replaced.size();
    result_.bytes_before += BytesOf(replaced);
    result_.bytes_after += BytesOf(written);
    return true;
  }

 private:
  const std::shared_ptr<StoreState> store_;
  const UpgradeOptions& options_;
  UpgradeResult& result_;
};

}  // namespace

Result<UpgradeResult> Store::Upgrade(const UpgradeOptions& options) {
  UpgradeResult result;
  {
    OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
    const Manifest& manifest = newest->manifest;
    result.version = manifest.version;
    result.format_before = manifest.format;
    for (const SegmentEntry& segment : manifest.segments) {
      if (!segment.quarantined.empty()) ++result.quarantined;
      if (!options.dry_run || !IsDue(segment)) continue;
      ++result.segments;
      result.bytes_before += segment.bytes();
    }
  }
  if (options.dry_run) return result;
  Upgrader upgrader(state_, options, result);
  for (bool more = true; more;) {
    OSCOPE_ASSIGN_OR_RETURN(more, upgrader.UpgradeBatch());
  }
  return result;
}

}  // namespace oscope
