// A field of the bugs of a corpus, by their number: the columns of the segments, and in which of them each bug's newest
// revision is. Nothing is copied: a value is looked up where it was read to.
//
// Threads: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "index/store/bug_column.h"

namespace oscope {

// Where the newest revision of a bug is.
struct ReportPlace {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t segment = kNone;  // of the manifest; kNone: the bug has no report, or a damaged segment held it
  uint32_t row = 0;          // of the segment's bugs table
};
using ReportPlaces = std::vector<ReportPlace>;  // by bug

class FieldColumn {
 public:
  // `columns` are parallel to the manifest's segments; those that no place names may be null.
  FieldColumn(std::shared_ptr<const ReportPlaces> places, std::vector<std::shared_ptr<const BugColumn>> columns,
              bool is_time)
      : places_(std::move(places)), columns_(std::move(columns)), is_time_(is_time) {}

  bool is_time() const { return is_time_; }
  // Empty when the bug does not say. Not for a time.
  std::string_view text(uint32_t bug) const {
    const ReportPlace& at = (*places_)[bug];
    return at.segment == ReportPlace::kNone ? std::string_view() : columns_[at.segment]->text(at.row);
  }
  std::optional<int64_t> time(uint32_t bug) const {
    const ReportPlace& at = (*places_)[bug];
    return at.segment == ReportPlace::kNone ? std::nullopt : columns_[at.segment]->time(at.row);
  }

 private:
  std::shared_ptr<const ReportPlaces> places_;
  std::vector<std::shared_ptr<const BugColumn>> columns_;
  bool is_time_ = false;
};

}  // namespace oscope
