// The tables of a query: for every code and every position the events from there on that equal it, as bits
// (FillWindows), so that the kernel finds a column's matches with one load. They are made once for each query and
// segment, and are small: a window for each position and code.
#include <algorithm>

#include "query/distance/short_kernel.h"
#include "query/distance/short_kernel_level.h"

namespace oscope {
namespace {

// A window that starts before the first event or reaches the last has fewer than a lane's bits; those wholly outside
// are all zero, so one on each side is enough.
template <typename Lane>
constexpr int32_t kLaneBits = sizeof(Lane) * 8;

void AddTo(HashedEvents& set, uint16_t id) {
  for (int i = 0; i < kEventHashes; ++i) {
    const uint32_t hash = static_cast<uint16_t>(uint32_t{id} * kEventHashFactors[i]) >> 8;
    uint8_t& byte = set.bits[i][hash >> 7][hash & 15];
    byte = static_cast<uint8_t>(byte | (1u << (hash >> 4 & 7)));
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
  HashedEvents set;
  prefix_sets_.push_back(set);
  for (size_t i = 0; i < events_.size(); ++i) {
    const uint16_t id = events_[i] < ids ? static_cast<uint16_t>(events_[i]) : none;
    std::fill_n(repeated_.begin() + static_cast<ptrdiff_t>((i + kRepeatedPad) * kRepeats), kRepeats, id);
    narrow_.push_back(id);
    if (id != none) AddTo(set, id);
    prefix_sets_.push_back(set);
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

template const uint16_t* ShortQuery::Window<uint16_t>(int32_t) const;
template const uint32_t* ShortQuery::Window<uint32_t>(int32_t) const;
template const uint64_t* ShortQuery::Window<uint64_t>(int32_t) const;

}  // namespace oscope
