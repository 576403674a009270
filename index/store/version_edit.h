// The change from one version of a store to the next, as a value: what a commit, a compaction or a purge decides, and
// one place applies.
//
// A change of a store lists what is removed and what is added; how a manifest is made of that (which groups of segments
// stay, which number the version gets, whether the quota allows it) is written once, here and in PublishChange.
// Threads: plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/store/manifest.h"

namespace oscope {

struct VersionEdit {
  std::vector<SegmentEntry> added;
  std::vector<std::string> removed;              // ids of segments; one that is not there is ignored
  std::optional<std::vector<HashRange>> ranges;  // all of them, where they change
  std::optional<StoreSettings> settings;         // the new settings; nullopt: unchanged
  bool new_format = false;                       // a version is made even if nothing else changes

  // Nothing changes, so there is no version to be made.
  bool empty() const { return added.empty() && removed.empty() && !ranges && !settings && !new_format; }
};

// The manifest of the next version. Groups of segments that are not touched stay; what is left of others stands in the
// root again, before what is added.
Manifest Apply(const Manifest& base, const VersionEdit& edit);

// kLimit when an edit that only adds makes the store larger than its settings allow. An edit that also removes is
// always allowed: a store over its quota can still be compacted, linked and purged.
Status CheckQuota(const Manifest& base, const VersionEdit& edit, const Manifest& next);

}  // namespace oscope
