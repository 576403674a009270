// Rows of one length: what they share with the query's end falls away, and those of which about equally much is left go
// to one class. For short_kernel.cc.
#pragma once

#include <memory>
#include <vector>

#include "query/distance/short_kernel_class.h"

namespace oscope {

template <typename Id>
class LengthRows {
 public:
  // Both lengths are at least 1, and they differ by at most `bound`.
  LengthRows(const ShortQuery& query, uint32_t row_length, uint64_t bound, const ShortLevel& level,
             std::span<uint16_t> distances)
      : query_(query),
        row_length_(row_length),
        bound_(bound),
        level_(level),
        distances_(distances),
        classes_(row_length / kStep + 2) {
    query_length_ = static_cast<uint32_t>(query.events().size());
    const uint32_t bound32 = static_cast<uint32_t>(std::min<uint64_t>(bound, kMaxShortEvents));
    sieve_ = {query.narrow().data(), query_length_, row_length, bound32, query.prefix_sets()};
  }

  void Add(uint32_t index, const Id* ids) {
    ids_[filled_] = ids;
    indexes_[filled_] = index;
    if (++filled_ == kSiftedRows) SiftRows();
  }

  void Finish() {
    SiftRows();
    // A group costs the same when it is not full; so the rows that wait are put together.
    RowClass<Id>* shorter = nullptr;
    for (const std::unique_ptr<RowClass<Id>>& rows : classes_) {
      if (rows == nullptr) continue;
      if (shorter != nullptr) shorter->MoveTo(*rows);
      shorter = rows.get();
    }
    if (shorter != nullptr) shorter->Run();
  }

 private:
  static constexpr uint32_t kStep = 8;  // lengths are rounded up to this; the loop handles as many columns at once

  void SiftRows() {
    SiftedRow kept[kSiftedRows];
    const uint32_t count = Sift(kept);
    if (count < filled_) {
      for (uint32_t i = 0; i < filled_; ++i) distances_[indexes_[i]] = kOverBound;
    }
    for (uint32_t i = 0; i < count; ++i) AddTo(kept[i].shared, indexes_[kept[i].row], ids_[kept[i].row]);
    filled_ = 0;
  }

  uint32_t Sift(SiftedRow* kept) const {
    if constexpr (sizeof(Id) == 2) {
      if (sieve_.query != nullptr) return level_.sift(sieve_, ids_, filled_, kept);
    }
    for (uint32_t i = 0; i < filled_; ++i) kept[i] = {i, SharedEnd(ids_[i])};
    return filled_;
  }

  uint32_t SharedEnd(const Id* ids) const {
    const Sequence events = query_.events();
    const uint32_t most = std::min(query_length_, row_length_);
    uint32_t shared = 0;
    while (shared < most && ids[row_length_ - 1 - shared] == events[query_length_ - 1 - shared]) ++shared;
    return shared;
  }

  void AddTo(uint32_t shared, uint32_t index, const Id* ids) {
    const uint32_t query_left = query_length_ - shared, row_left = row_length_ - shared;
    if (query_left == 0 || row_left == 0) {
      distances_[index] = static_cast<uint16_t>(query_left + row_left);
      return;
    }
    const uint32_t steps = (row_left + kStep - 1) / kStep;
    std::unique_ptr<RowClass<Id>>& rows = classes_[steps];
    if (rows == nullptr) {
      const uint32_t length = std::min(steps * kStep, row_length_);
      rows = std::make_unique<RowClass<Id>>(query_, query_length_ - (row_length_ - length), length, bound_, level_,
                                            distances_);
    }
    rows->Add(index, ids);
  }

  const ShortQuery& query_;
  uint32_t query_length_ = 0, row_length_;
  uint64_t bound_;
  const ShortLevel& level_;
  std::span<uint16_t> distances_;
  Sieve sieve_;
  std::vector<std::unique_ptr<RowClass<Id>>> classes_;  // by steps
  uint32_t filled_ = 0;
  const Id* ids_[kSiftedRows];
  uint32_t indexes_[kSiftedRows];
};

}  // namespace oscope
