// Rewriting segments: what compaction, purge, links and range splits have in common. Internal to index/store.
#pragma once

#include <functional>

#include "index/store/segment_builder.h"
#include "index/store/store_state.h"

namespace oscope {

struct RewriteRules {
  std::function<bool(StoredRun&)> keep_run = [](StoredRun&) { return true; };  // may change the bug
  std::function<bool(const BugRevision&)> keep_bug = [](const BugRevision&) { return true; };
  std::function<bool(const AttachmentHeader&)> keep_attachment = [](const AttachmentHeader&) { return true; };
};

// Reads `inputs` and writes what the rules keep into new segments, cut by `ranges` and of about `target_events` each.
// The caller publishes or removes them. On failure nothing is left behind.
Result<std::vector<SegmentEntry>> RewriteSegments(StoreState& store, const std::vector<SegmentEntry>& inputs,
                                                  const RewriteRules& rules, const std::vector<HashRange>& ranges,
                                                  uint64_t target_events);

// Removes the files of segments that the newest version no longer names, except those that a reader still has pinned.
// Old manifests without a reader are removed too: a purge must not be undone by opening yesterday's version.
struct Removed {
  uint64_t files = 0, bytes = 0, manifests = 0;
  uint64_t pinned = 0;
};
Removed RemoveReplaced(StoreState& store, const std::vector<SegmentEntry>& replaced, uint64_t newest);

}  // namespace oscope
