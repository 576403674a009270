#include "query/distance/short_kernel.h"

#include <algorithm>

#include "query/distance/short_kernel_level.h"

namespace oscope {
namespace {

// A window that starts before the first event or reaches the last has fewer than a lane's bits; those wholly outside are all zero, so
// one on each side is enough.
template <typename Lane>
constexpr int32_t kLaneBits = sizeof(Lane) * 8;

const ShortLevel& LevelOf(SimdLevel level) {
  switch (level) {
    case SimdLevel::kPortable: return kShortPortable;
    case SimdLevel::kAvx2: return kShortAvx2;
    case SimdLevel::kAvx512: return kShortAvx512;
  }
  return kShortPortable;
}

uint32_t CodeRow(const ShortLevel& level, const RowCoding<uint16_t>& row) { return level.code_narrow(row); }
uint32_t CodeRow(const ShortLevel& level, const RowCoding<uint32_t>& row) { return level.code_wide(row); }

// The diagonals that a path of at most `bound` edits can use, for rows of one length.
struct Band {
  uint32_t low = 0;        // how many of them lie below diagonal 0
  uint32_t width = 0;      // at most bound + 1
  uint32_t final_bit = 0;
  uint32_t start_score = 0;
};

// Both lengths are at least 1, and they differ by at most `bound`.
Band BandOf(uint32_t query_length, uint32_t row_length, uint32_t bound) {
  const uint32_t row_longer = row_length > query_length ? row_length - query_length : 0;
  const uint32_t query_longer = query_length > row_length ? query_length - row_length : 0;
  const uint32_t difference = row_longer + query_longer;
  const uint32_t half = (bound - difference) / 2;
  return {half + row_longer, difference + 1 + 2 * half, half + query_longer, difference};
}

BandWidth WidthFor(uint32_t bits) {
  if (bits <= 16) return BandWidth::k16;
  if (bits <= 32) return BandWidth::k32;
  if (bits <= 64) return BandWidth::k64;
  return bits <= 128 ? BandWidth::k128 : BandWidth::k256;
}

// Where each column's windows lie, in the order of ShortGroup::windows.
void FindWindows(const ShortQuery& query, BandWidth width, uint32_t low, uint32_t columns, std::vector<const void*>& windows) {
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

constexpr uint32_t kTrialRows = 64;

// Takes rows of one length and runs them a group at a time.
template <typename Id>
class LengthClass {
 public:
  LengthClass(const ShortQuery& query, uint32_t row_length, uint64_t bound, const ShortLevel& level, std::span<uint16_t> distances)
      : query_(query), row_length_(row_length), level_(level), distances_(distances) {
    const uint32_t query_length = static_cast<uint32_t>(query.events().size());
    const uint32_t longer = std::max(query_length, row_length);
    // The distance is at most `longer`; so above `longer - 1` there is only one answer.
    over_ = bound >= longer ? static_cast<uint16_t>(longer) : kOverBound;
    const uint32_t band_bound = static_cast<uint32_t>(std::min<uint64_t>(bound, longer - 1));
    const Band band = BandOf(query_length, row_length, band_bound);
    width_ = WidthFor(band.width);
    lanes_ = level.lanes[static_cast<int>(width_)];
    compares_ = sizeof(Id) == 2 && band.width <= 32 && !query.repeated().empty();
    group_.width = band.width;
    group_.repeated = query.repeated().data();
    // A group of 16 bits gives up so early that to code its rows does not pay.
    counts_absent_ = !compares_ || width_ != BandWidth::k16;
    if (!compares_) {
      FindWindows(query, width_, band.low, row_length, windows_);
      group_.stride = (row_length + 15) / 16 * 16;
    }
    codes_.resize(lanes_ * group_.stride + row_length);
    group_.codes = codes_.data();
    group_.windows = windows_.data();
    group_.low = band.low;
    group_.final_bit = band.final_bit;
    group_.start_score = band.start_score;
    group_.bound = band_bound;
    group_.scores = scores_;
  }

  void Add(uint32_t index, const Id* ids) {
    if (counts_absent_ && TooManyAbsent(ids)) {
      distances_[index] = over_;
      return;
    }
    ids_[filled_] = ids;
    indexes_[filled_] = index;
    if (++filled_ == lanes_) Flush();
  }

  void Flush() {
    if (filled_ == 0) return;
    // Lanes without a row run along; what they give is not read.
    std::fill(ids_ + filled_, ids_ + lanes_, ids_[0]);
    group_.columns = row_length_ - CommonEnd();
    if constexpr (sizeof(Id) == 2) group_.ids = ids_;
    (compares_ ? level_.compare : level_.run)[static_cast<int>(width_)](group_);
    for (uint32_t i = 0; i < filled_; ++i) distances_[indexes_[i]] = scores_[i] <= group_.bound ? scores_[i] : over_;
    filled_ = 0;
  }

 private:
  // Each event that the query does not have costs an edit. A class that does not need the codes stops to look when few rows are ruled out.
  bool TooManyAbsent(const Id* ids) {
    const RowCoding<Id> coding{query_.codes(), ids, row_length_, group_.bound, codes_.data() + filled_ * group_.stride};
    const bool too_many = CodeRow(level_, coding) > group_.bound;
    ++looked_;
    ruled_out_ += too_many;
    if (compares_ && looked_ == kTrialRows) counts_absent_ = ruled_out_ > kTrialRows / 2;
    return too_many;
  }

  // How many events at the end all rows of the group share with the query: without them the distance is the same.
  uint32_t CommonEnd() const {
    const Sequence events = query_.events();
    uint32_t common = std::min(static_cast<uint32_t>(events.size()), row_length_);
    for (uint32_t lane = 0; lane < filled_ && common > 0; ++lane) {
      const Id* last = ids_[lane] + row_length_ - 1;
      uint32_t same = 0;
      while (same < common && *(last - same) == events[events.size() - 1 - same]) ++same;
      common = same;
    }
    return common;
  }

  const ShortQuery& query_;
  uint32_t row_length_;
  const ShortLevel& level_;
  std::span<uint16_t> distances_;
  uint16_t over_ = kOverBound;
  BandWidth width_ = BandWidth::k16;
  bool compares_ = false, counts_absent_ = true;
  uint32_t looked_ = 0, ruled_out_ = 0;
  uint32_t lanes_ = 0, filled_ = 0;
  std::vector<const void*> windows_;
  std::vector<uint8_t> codes_;
  ShortGroup group_;
  const Id* ids_[kMostLanes];
  uint32_t indexes_[kMostLanes];
  uint16_t scores_[kMostLanes];
};

constexpr size_t kRowsAhead = 64;  // whose events are fetched before they are needed

template <typename Id>
void Prefetch(std::span<const Id> column, const RowTail& row) {
  const Id* begin = column.data() + row.end - row.length;
  const Id* end = column.data() + row.end;
  for (const Id* at = begin; at < end; at += 64 / sizeof(Id)) __builtin_prefetch(at);
}

// What a query of more events than there are codes makes of rows that seem near.
template <typename Id>
void Recompute(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
               std::span<uint16_t> distances) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (distances[i] > bound) continue;
    const std::span<const Id> ids = column.subspan(rows[i].end - rows[i].length, rows[i].length);
    const std::vector<uint32_t> events(ids.begin(), ids.end());
    const uint32_t most = static_cast<uint32_t>(std::min<uint64_t>(bound, UINT32_MAX));
    const std::optional<uint32_t> distance = LevenshteinWithin(query.events(), events, most);
    distances[i] = distance ? static_cast<uint16_t>(*distance) : kOverBound;
  }
}

// The rows whose length is not the query's, by length.
template <typename Id>
void RunOtherLengths(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
                     std::vector<uint32_t>& others, const ShortLevel& level, std::span<uint16_t> distances) {
  std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) { return rows[a].length < rows[b].length; });
  for (size_t i = 0; i < others.size();) {
    const uint32_t length = rows[others[i]].length;
    LengthClass<Id> group(query, length, bound, level, distances);
    for (; i < others.size() && rows[others[i]].length == length; ++i) {
      group.Add(others[i], column.data() + rows[others[i]].end - length);
    }
    group.Flush();
  }
}

}  // namespace

ShortQuery::ShortQuery(Sequence events, uint32_t ids, uint64_t max_bound)
    : events_(events.begin(), events.end()), max_bound_(std::min<uint64_t>(max_bound, kMaxShortEvents)), codes_(ids) {
  OSCOPE_CHECK(events.size() <= kMaxShortEvents);
  for (const uint32_t event : events_) {
    if (event < ids && codes_[event] == 0) {
      exact_ = exact_ && code_count_ <= UINT8_MAX;
      codes_[event] = static_cast<uint8_t>(exact_ ? code_count_++ : UINT8_MAX);
    }
    event_codes_.push_back(event < ids ? codes_[event] : 0);
  }
  RepeatEvents(ids);
  FillWindows(windows16_);
  if (max_bound_ >= 16) FillWindows(windows32_);
  if (max_bound_ >= 32) FillWindows(windows64_);
}

void ShortQuery::RepeatEvents(uint32_t ids) {
  if (ids > UINT16_MAX) return;
  const uint16_t none = UINT16_MAX;
  repeated_.assign((events_.size() + 2 * kRepeatedPad) * kRepeats, none);
  for (size_t i = 0; i < events_.size(); ++i) {
    const uint16_t id = events_[i] < ids ? static_cast<uint16_t>(events_[i]) : none;
    std::fill_n(repeated_.begin() + static_cast<ptrdiff_t>((i + kRepeatedPad) * kRepeats), kRepeats, id);
  }
}

template <typename Lane>
void ShortQuery::FillWindows(std::vector<Lane>& windows) const {
  const int32_t events = static_cast<int32_t>(event_codes_.size());
  windows.assign(static_cast<size_t>(kLaneBits<Lane> + events + 1) * code_count_, 0);
  for (int32_t event = 0; event < events; ++event) {
    const uint8_t code = event_codes_[static_cast<size_t>(event)];
    if (code == 0) continue;
    // The windows that it lies in start at event - b.
    for (int32_t b = 0; b < kLaneBits<Lane>; ++b) {
      Lane& window = windows[static_cast<size_t>(event - b + kLaneBits<Lane>) * code_count_ + code];
      window = static_cast<Lane>(window | (Lane{1} << b));
    }
  }
}

template <typename Lane>
const Lane* ShortQuery::Window(int32_t i) const {
  const int32_t inside = std::clamp(i, -kLaneBits<Lane>, static_cast<int32_t>(events_.size()));
  const size_t offset = static_cast<size_t>(inside + kLaneBits<Lane>) * code_count_;
  if constexpr (sizeof(Lane) == 2) return windows16_.data() + offset;
  if constexpr (sizeof(Lane) == 4) return windows32_.data() + offset;
  if constexpr (sizeof(Lane) == 8) return windows64_.data() + offset;
}

template <typename Id>
void DistancesWithin(const ShortQuery& query, std::span<const Id> column, std::span<const RowTail> rows, uint64_t bound,
                     std::span<uint16_t> distances, SimdLevel level) {
  OSCOPE_CHECK(rows.size() == distances.size() && std::min<uint64_t>(bound, kMaxShortEvents) <= query.max_bound());
  const uint32_t query_length = static_cast<uint32_t>(query.events().size());
  const ShortLevel& functions = LevelOf(level);
  std::vector<uint32_t> others;
  std::optional<LengthClass<Id>> equal;
  if (query_length > 0) equal.emplace(query, query_length, bound, functions, distances);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (i + kRowsAhead < rows.size()) Prefetch(column, rows[i + kRowsAhead]);
    const uint32_t length = rows[i].length;
    if (length == query_length && length > 0) {
      equal->Add(i, column.data() + rows[i].end - length);
      continue;
    }
    OSCOPE_CHECK(length <= kMaxShortEvents);
    const uint32_t longer = std::max(length, query_length), shorter = std::min(length, query_length);
    if (longer - shorter > bound) {
      distances[i] = kOverBound;
    } else if (shorter == 0) {
      distances[i] = static_cast<uint16_t>(longer);
    } else {
      others.push_back(i);
    }
  }
  if (equal) equal->Flush();
  RunOtherLengths(query, column, rows, bound, others, functions, distances);
  if (!query.exact()) Recompute(query, column, rows, bound, distances);
}

template void DistancesWithin<uint16_t>(const ShortQuery&, std::span<const uint16_t>, std::span<const RowTail>, uint64_t,
                                        std::span<uint16_t>, SimdLevel);
template void DistancesWithin<uint32_t>(const ShortQuery&, std::span<const uint32_t>, std::span<const RowTail>, uint64_t,
                                        std::span<uint16_t>, SimdLevel);

}  // namespace oscope
