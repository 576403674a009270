// Applies an edit to a manifest. Old segments stand in group files that many versions share; a group is given up only
// when one of its segments goes, and what is left of it then stands in the root manifest again until the next
// regrouping. So a commit rewrites the root, which is short, and not the list of every segment.
#include "index/store/version_edit.h"

#include <algorithm>
#include <set>

#include "base/quantity.h"

namespace oscope {

namespace {

void ReplaceSegments(Manifest& manifest, const std::vector<std::string>& removed,
                     const std::vector<SegmentEntry>& added) {
  const std::set<std::string> gone(removed.begin(), removed.end());
  const auto is_gone = [&](const SegmentEntry& segment) { return gone.contains(segment.id); };
  std::vector<SegmentEntry> kept_in_groups, loose;
  std::vector<GroupEntry> groups;
  std::vector<uint32_t> sizes;
  size_t at = 0;
  for (size_t g = 0; g < manifest.groups.size(); ++g) {
    const auto begin = manifest.segments.begin() + static_cast<ptrdiff_t>(at), end = begin + manifest.group_sizes[g];
    at += manifest.group_sizes[g];
    if (std::none_of(begin, end, is_gone)) {
      groups.push_back(manifest.groups[g]);
      sizes.push_back(manifest.group_sizes[g]);
      kept_in_groups.insert(kept_in_groups.end(), begin, end);
    } else {
      std::copy_if(begin, end, std::back_inserter(loose), [&](const SegmentEntry& s) { return !is_gone(s); });
    }
  }
  std::copy_if(manifest.segments.begin() + static_cast<ptrdiff_t>(at), manifest.segments.end(),
               std::back_inserter(loose), [&](const SegmentEntry& s) { return !is_gone(s); });
  manifest.groups = std::move(groups);
  manifest.group_sizes = std::move(sizes);
  manifest.segments = std::move(kept_in_groups);
  std::move(loose.begin(), loose.end(), std::back_inserter(manifest.segments));
  manifest.segments.insert(manifest.segments.end(), added.begin(), added.end());
}

}  // namespace

Manifest Apply(const Manifest& base, const VersionEdit& edit) {
  Manifest next = base;
  next.version = base.version + 1;
  if (edit.ranges) next.ranges = *edit.ranges;
  if (edit.settings) next.settings = *edit.settings;
  ReplaceSegments(next, edit.removed, edit.added);
  return next;
}

Status CheckQuota(const Manifest& base, const VersionEdit& edit, const Manifest& next) {
  if (edit.added.empty() || !edit.removed.empty()) return {};
  const StoreSettings& settings = base.settings;
  if (settings.max_bytes && next.bytes() > *settings.max_bytes) {
    return Limit("the store would hold {} and its quota is {}: purge runs, or raise it with 'oscope store quota'",
                 FormatByteSize(next.bytes()), FormatByteSize(*settings.max_bytes));
  }
  if (settings.max_runs && next.runs() > *settings.max_runs && next.runs() > base.runs()) {
    return Limit("the store would hold {} runs and its quota is {}: purge runs, or raise it with 'oscope store quota'",
                 next.runs(), *settings.max_runs);
  }
  return {};
}

}  // namespace oscope
