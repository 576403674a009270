// Compaction: small segments of a range become one, and a range that has grown too large is cut in two.
//
// Each commit adds a segment to every range it touches, so many small uploads leave many small segments, and every
// query opens each of them. A compaction rewrites the small ones of a range together. It does not merge everything
// into one segment, as a log-structured store would: large segments stay as they are, so that the work is proportional
// to what was added.
//
// Rewriting takes minutes in a large store, and other writers go on. The new segments are therefore kept when a commit
// came between, as long as every input is still there and the ranges are the same: then they can be published on top
// of the newer version. Otherwise they are thrown away and planned anew. A range that is cut needs all its segments as
// inputs; one that was added meanwhile would lie across both halves.
#include <algorithm>

#include "base/log.h"
#include "index/store/rewrite.h"
#include "index/store/store.h"

namespace oscope {

namespace {

constexpr size_t kTooManySmall = 64;  // small segments in one range, before CompactIfNeeded does something

bool Contains(const HashRange& range, const SegmentEntry& segment) {
  return range.first <= segment.range.first && segment.range.last <= range.last;
}

// Large attachments are not written again and again for the sake of a few events beside them.
bool IsSmall(const SegmentEntry& segment, const CompactOptions& options) {
  const TableFile* attachments = segment.Find(Table::kAttachments);
  return segment.events < options.small_segment_events &&
         (attachments == nullptr || attachments->size < options.small_attachment_bytes);
}

// What to do with one range.
struct RangePlan {
  std::vector<SegmentEntry> inputs;
  std::vector<HashRange> outputs;  // one, or two for a split
};

RangePlan PlanRange(const Manifest& manifest, const HashRange& range, const CompactOptions& options) {
  RangePlan plan;
  std::vector<SegmentEntry> all, small;
  uint64_t events = 0, runs = 0;
  for (const SegmentEntry& segment : manifest.segments) {
    if (!segment.quarantined.empty() || !Contains(range, segment)) continue;
    events += segment.events;
    runs += segment.runs;
    all.push_back(segment);
    if (IsSmall(segment, options)) small.push_back(segment);
  }
  const bool split =
      (events > options.split_events || runs > options.split_runs) && all.size() > 1 && range.last - range.first > 1;
  if (split) {
    const uint64_t middle = range.first + (range.last - range.first) / 2;
    plan.outputs = {{range.first, middle}, {middle + 1, range.last}};
    plan.inputs = std::move(all);
  } else if (small.size() >= options.min_segments) {
    plan.outputs = {range};
    plan.inputs = std::move(small);
  }
  return plan;
}

}  // namespace

Result<CompactResult> Store::Compact(const CompactOptions& options) {
  const std::shared_ptr<StoreState> store = state_;
  CompactResult result;
  std::vector<SegmentEntry> replaced, written;
  const auto discard = [&] {
    RemoveSegmentFiles(store->files, written);
    written.clear();
  };
  // The merged segments are as good on top of a version that only added to the one they were made from. But a range
  // that is cut takes all its segments along: one that was added to it would lie across the halves.
  std::optional<Manifest> planned;
  std::vector<HashRange> ranges;
  const auto has = [](const std::vector<SegmentEntry>& segments, const SegmentEntry& segment) {
    return std::find(segments.begin(), segments.end(), segment) != segments.end();
  };
  const auto is_cut = [&](const SegmentEntry& segment) {
    return segment.quarantined.empty() && !has(replaced, segment) &&
           std::none_of(ranges.begin(), ranges.end(), [&](const HashRange& range) { return Contains(range, segment); });
  };
  const auto still_fits = [&](const Manifest& now) {
    return planned && now.ranges == planned->ranges &&
           std::all_of(replaced.begin(), replaced.end(),
                       [&](const SegmentEntry& segment) { return has(now.segments, segment); }) &&
           (ranges == now.ranges || std::none_of(now.segments.begin(), now.segments.end(), is_cut));
  };
  const auto make = [&](const SnapshotState& base) -> Result<VersionEdit> {
    if (!still_fits(base.manifest)) {
      discard();
      replaced.clear();
      ranges.clear();
      result.ranges_split = 0;
      for (const HashRange& range : base.manifest.ranges) {
        RangePlan plan = PlanRange(base.manifest, range, options);
        if (plan.inputs.empty()) {
          ranges.push_back(range);
          continue;
        }
        result.ranges_split += plan.outputs.size() - 1;
        OSCOPE_ASSIGN_OR_RETURN(std::vector<SegmentEntry> outputs,
                                RewriteSegments(*store, plan.inputs, {}, plan.outputs, options.target_events));
        std::move(outputs.begin(), outputs.end(), std::back_inserter(written));
        std::move(plan.inputs.begin(), plan.inputs.end(), std::back_inserter(replaced));
        ranges.insert(ranges.end(), plan.outputs.begin(), plan.outputs.end());
      }
      planned = base.manifest;
    }
    result.segments_before = base.manifest.segments.size();
    result.bytes_before = base.manifest.bytes();
    VersionEdit edit;
    edit.added = written;
    edit.removed = IdsOf(replaced);
    if (ranges != base.manifest.ranges) edit.ranges = ranges;
    result.segments_after = result.segments_before - replaced.size() + written.size();
    result.bytes_after = result.bytes_before - BytesOf(replaced) + BytesOf(written);
    return edit;
  };
  OSCOPE_ASSIGN_OR_RETURN(result.version, PublishChange(store, make, discard));
  if (!replaced.empty()) result.files_removed = RemoveReplaced(*store, replaced, result.version).files;
  LogInfo("store {}: compacted {} of {} segments to {}, {} to {} bytes in all, {} ranges split, {} files removed",
          path(), replaced.size(), result.segments_before, written.size(), result.bytes_before, result.bytes_after,
          result.ranges_split, result.files_removed);
  return result;
}

Status Store::CompactIfNeeded() {
  bool needed = false;
  {
    OSCOPE_ASSIGN_OR_RETURN(const auto newest, PinNewest(state_));
    const CompactOptions options;
    for (const HashRange& range : newest->manifest.ranges) {
      const auto small = std::count_if(
          newest->manifest.segments.begin(), newest->manifest.segments.end(), [&](const SegmentEntry& segment) {
            return segment.quarantined.empty() && Contains(range, segment) && IsSmall(segment, options);
          });
      needed = needed || static_cast<size_t>(small) >= kTooManySmall;
    }
  }
  if (!needed) return {};
  OSCOPE_RETURN_IF_ERROR(Compact());
  return {};
}

}  // namespace oscope
