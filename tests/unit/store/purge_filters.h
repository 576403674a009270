// A store with something for every filter of a purge to take and to leave, all combinations of the filters, and what
// each must take.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/unit/store/store_fixture.h"

namespace oscope {

struct KnownRun {
  uint64_t id = 0;
  BugKey bug;  // of a run without one: its project
  std::string test;
  int64_t age_ns = 0;  // when it started, else when it was stored
  bool failing = true;
};
struct KnownReport {
  BugKey key;
  int64_t newest_ns = 0;  // of its creation and its last edit
};

// Three projects; bugs with and without runs; old and new runs that passed and failed; reports that were edited,
// resolved and created late. Some segments hold one bug alone, others several.
struct PurgeDisk {
  std::unique_ptr<CrashFileSystem> fs;  // with the store "s"
  std::vector<KnownRun> runs;
  std::vector<KnownReport> reports;
  std::vector<AttachmentOwner> attachments;  // whose they are, one for each
  int64_t between_ns = 0;                    // after all but the late edits
};
const PurgeDisk& ThePurgeDisk();

// Every combination of some values of `runs` and `bugs`.
std::vector<PurgeFilter> NamedFilters();
// Every combination of some values of the other five with these two.
std::vector<PurgeFilter> FiltersLike(const PurgeFilter& named);
std::string ToString(const PurgeFilter& filter);

struct Purged {
  std::set<uint64_t> runs;
  std::set<BugKey> bugs;
  std::multiset<AttachmentOwner> attachments;  // by their owners
  auto operator<=>(const Purged&) const = default;
};
// What a purge must take, by the words of store.h.
Purged MustGo(const PurgeFilter& filter);

}  // namespace oscope
