// Rows of which equally much is left, against as much of the query as is left with them: waits until a group is full
// and runs it. For short_kernel_rows.h.
#pragma once

#include <algorithm>
#include <vector>

#include "query/distance/short_kernel.h"
#include "query/distance/short_kernel_level.h"

namespace oscope {

inline uint32_t CodeRow(const ShortLevel& level, const RowCoding<uint16_t>& row) { return level.code_narrow(row); }
inline uint32_t CodeRow(const ShortLevel& level, const RowCoding<uint32_t>& row) { return level.code_wide(row); }

// The diagonals that a path of at most `bound` edits can use, for rows of one length.
struct Band {
  uint32_t low = 0;    // how many of them lie below diagonal 0
  uint32_t width = 0;  // at most bound + 1
  uint32_t final_bit = 0;
  uint32_t start_score = 0;
};

// Both lengths are at least 1, and they differ by at most `bound`.
inline Band BandOf(uint32_t query_length, uint32_t row_length, uint32_t bound) {
  const uint32_t row_longer = row_length > query_length ? row_length - query_length : 0;
  const uint32_t query_longer = query_length > row_length ? query_length - row_length : 0;
  const uint32_t difference = row_longer + query_longer;
  const uint32_t half = (bound - difference) / 2;
  return {half + row_longer, difference + 1 + 2 * half, half + query_longer, difference};
}

inline BandWidth WidthFor(uint32_t bits) {
  if (bits <= 16) return BandWidth::k16;
  if (bits <= 32) return BandWidth::k32;
  if (bits <= 64) return BandWidth::k64;
  return bits <= 128 ? BandWidth::k128 : BandWidth::k256;
}

// Where each column's windows lie, in the order of ShortGroup::windows.
inline void FindWindows(const ShortQuery& query, BandWidth width, uint32_t low, uint32_t columns,
                        std::vector<const void*>& windows) {
  windows.clear();
  const int32_t words = width == BandWidth::k128 ? 2 : width == BandWidth::k256 ? 4 : 1;
  for (uint32_t column = 0; column < columns; ++column) {
    const int32_t first = static_cast<int32_t>(column) - static_cast<int32_t>(low);
    for (int32_t word = 0; word < words; ++word) {
      const int32_t i = first + word * 64;
      windows.push_back(width == BandWidth::k16   ? static_cast<const void*>(query.Window<uint16_t>(i))
                        : width == BandWidth::k32 ? static_cast<const void*>(query.Window<uint32_t>(i))
                                                  : static_cast<const void*>(query.Window<uint64_t>(i)));
    }
  }
}

template <typename Id>
class RowClass {
 public:
  // `query_length`, `row_length`: how many events at the start are left, of either; at least 1. They differ by at most
  // `bound`.
  RowClass(const ShortQuery& query, uint32_t query_length, uint32_t row_length, uint64_t bound, const ShortLevel& level,
           std::span<uint16_t> distances)
      : query_(query), row_length_(row_length), level_(level), distances_(distances) {
    const uint32_t longer = std::max(query_length, row_length);
    // The distance is at most `longer`; so above `longer - 1` there is only one answer.
    over_ = bound >= longer ? static_cast<uint16_t>(longer) : kOverBound;
    const uint32_t band_bound = static_cast<uint32_t>(std::min<uint64_t>(bound, longer - 1));
    const Band band = BandOf(query_length, row_length, band_bound);
    width_ = WidthFor(band.width);
    lanes_ = level.lanes[static_cast<int>(width_)];
    compares_ = sizeof(Id) == 2 && band.width <= 32 && !query.repeated().empty();
    if (!compares_) {
      FindWindows(query, width_, band.low, row_length, windows_);
      group_.stride = (row_length + 15) / 16 * 16;
      codes_.resize(lanes_ * group_.stride);
    }
    group_.codes = codes_.data();
    group_.windows = windows_.data();
    group_.repeated = query.repeated().data();
    group_.width = band.width;
    group_.columns = row_length;
    group_.low = band.low;
    group_.final_bit = band.final_bit;
    group_.start_score = band.start_score;
    group_.bound = band_bound;
    group_.scores = scores_;
  }

  void Add(uint32_t index, const Id* ids) {
    if (!compares_ && TooManyAbsent(ids)) {
      distances_[index] = over_;
      return;
    }
    ids_[filled_] = ids;
    indexes_[filled_] = index;
    if (++filled_ == lanes_) Run();
  }

  // Gives the rows that wait to a class of longer rows: what they share with the query's end may be computed too.
  void MoveTo(RowClass& longer) {
    for (uint32_t i = 0; i < filled_; ++i) longer.Add(indexes_[i], ids_[i]);
    filled_ = 0;
  }

  // Computes the rows that wait.
  void Run() {
    if (filled_ == 0) return;
    // Lanes without a row run along; what they give is not read.
    std::fill(ids_ + filled_, ids_ + lanes_, ids_[0]);
    if constexpr (sizeof(Id) == 2) group_.ids = ids_;
    (compares_ ? level_.compare : level_.run)[static_cast<int>(width_)](group_);
    for (uint32_t i = 0; i < filled_; ++i) distances_[indexes_[i]] = scores_[i] <= group_.bound ? scores_[i] : over_;
    filled_ = 0;
  }

 private:
  // Each event that the query does not have costs an edit.
  bool TooManyAbsent(const Id* ids) {
    const RowCoding<Id> coding{query_.codes(), ids, row_length_, group_.bound, codes_.data() + filled_ * group_.stride};
    return CodeRow(level_, coding) > group_.bound;
  }

  const ShortQuery& query_;
  uint32_t row_length_;
  const ShortLevel& level_;
  std::span<uint16_t> distances_;
  uint16_t over_ = kOverBound;
  BandWidth width_ = BandWidth::k16;
  bool compares_ = false;
  uint32_t lanes_ = 0, filled_ = 0;
  std::vector<const void*> windows_;
  std::vector<uint8_t> codes_;
  ShortGroup group_;
  const Id* ids_[kMostLanes];
  uint32_t indexes_[kMostLanes];
  uint16_t scores_[kMostLanes];
};

}  // namespace oscope
