// What is wrong with a segment's index file. Internal to index/store.
#pragma once

#include "index/store/index_file.h"

namespace oscope {

enum class IndexFault { kNone, kMissing, kOlder, kDamaged, kWrong };

struct IndexState {
  IndexFault fault = IndexFault::kNone;
  std::string reason;
  std::vector<IndexSection> sections;  // what the file should hold, when it was compared
};

// The file alone: its checksums, and whether a search can use it. An error when the system could not read it: then
// nobody knows.
Result<IndexState> CheckStoredIndex(const StoreFiles& files, const SegmentEntry& segment);
// The file against the tables, byte for byte. An error when the tables cannot be read.
Result<IndexState> CompareIndex(const StoreFiles& files, const SegmentEntry& segment);

}  // namespace oscope
