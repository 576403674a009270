// What an open store keeps of the bugs of its segments: their names and the columns of their fields. Segments never
// change, so what was read once is right for every later version that has the segment. Internal to index/store.
//
// Threads: any; two that ask for the same at once may both read it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "index/store/bug_column.h"
#include "index/store/bug_name_table.h"
#include "index/store/manifest.h"
#include "index/store/store_files.h"

namespace oscope {

class SegmentBugs {
 public:
  // The names of the segment's bugs: of its index file, else made from its bugs table, in memory.
  Result<std::shared_ptr<const BugNameTable>> Names(const StoreFiles& files, const SegmentEntry& entry);
  // A field of all rows of the segment's bugs table.
  Result<std::shared_ptr<const BugColumn>> Column(const StoreFiles& files, const SegmentEntry& entry,
                                                  std::string_view field);
  // Whether every report of the segment can be read, as the error of the first that cannot. For who reads on past
  // damage: a segment with any is left out whole, whichever of its columns a query needs.
  Status CheckReports(const StoreFiles& files, const SegmentEntry& entry);

  template <typename IsOther>
  void ForgetIf(const IsOther& is_other) {
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const auto& entry) { return is_other(entry.first); });
  }

 private:
  struct Kept {
    std::shared_ptr<const BugNameTable> names;
    std::map<std::string, std::shared_ptr<const BugColumn>, std::less<>> columns;
    std::optional<Status> reports;
  };
  std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> kept_;  // by segment
};

}  // namespace oscope
