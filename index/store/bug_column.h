// One field of the bugs of a segment: its values by row of the bugs table, as a query filters, sorts and shows them.
//
// Only the Parquet column of the field is read. Texts are one flat buffer with offsets: a third of a million short ones
// take a few megabytes and no allocation each.
// Threads: immutable once read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

class TableReader;

class BugColumn {
 public:
  // A column of the bugs table (status, severity, title, reporter, version, url, created, resolved); any other name is
  // of a custom field. kCorrupt, or another error of the file, when it cannot be read.
  static Result<BugColumn> Read(const TableReader& reader, std::string_view field);

  size_t size() const { return size_; }
  bool is_time() const { return is_time_; }

  // Of a row: empty when the bug does not say. Not for a time.
  std::string_view text(size_t row) const {
    return std::string_view(text_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  // Of a row, of a time.
  std::optional<int64_t> time(size_t row) const {
    return is_set_[row] ? std::optional<int64_t>(times_[row]) : std::nullopt;
  }
  // Whether the revision has the field at all: a custom field may be there and empty.
  bool is_set(size_t row) const { return is_set_[row]; }

 private:
  friend class BugColumnReader;
  size_t size_ = 0;
  bool is_time_ = false;
  std::string text_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int64_t> times_;
  std::vector<bool> is_set_;
};

}  // namespace oscope
