// One pair of long sequences, cheapest question first; each step either decides or leaves less for the next.
//
// The lengths bound the distance from below. Equal ends are cut off, which costs little and often leaves little of two
// similar traces. Then events are counted: each event of one side that has no counterpart in the other costs an edit
// (CodeOther), which ends many comparisons of unlike traces.
//
// What is left is computed by diagonal transition when the distance is small: O(d²) steps, however long the sequences
// are. When that would take more steps than a bit-parallel pass over the band, it is given up for the band
// (BandDistance): Myers' bit vectors, 64 rows in a word and several words in a vector, only along the diagonals that a
// path within the bound can use. The band is cut into strips of rows; what passes between two strips is the change of
// the value along their border, one byte for each column.
//
// Neither method alone is enough. Diagonal transition degrades to the square of a large distance, and a band with a
// large bound is the whole table even where the distance turns out to be 3.
#include "query/distance/long_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "query/distance/long_kernel_level.h"

namespace oscope {
namespace {

const StripLevel& LevelOf(SimdLevel level) {
  switch (level) {
    case SimdLevel::kPortable: return kStripPortable;
    case SimdLevel::kAvx2: return kStripAvx2;
    case SimdLevel::kAvx512: return kStripAvx512;
  }
  return kStripPortable;
}

// How many events at the front two sequences share.
size_t CommonFront(const uint32_t* a, const uint32_t* b, size_t most) {
  size_t same = 0;
  // Two at a time.
  for (; same + 2 <= most; same += 2) {
    uint64_t x, y;
    std::memcpy(&x, a + same, 8);
    std::memcpy(&y, b + same, 8);
    if (x != y) break;
  }
  while (same < most && a[same] == b[same]) ++same;
  return same;
}

size_t CommonEnd(Sequence a, Sequence b) {
  const size_t most = std::min(a.size(), b.size());
  size_t same = 0;
  while (same < most && a[a.size() - 1 - same] == b[b.size() - 1 - same]) ++same;
  return same;
}

// Diagonal transition: on each diagonal k = i - j, how far along a the first e edits reach. Nothing when more than
// `bound` are needed.
std::optional<uint32_t> DiagonalTransition(Sequence a, Sequence b, uint32_t bound) {
  const int64_t m = static_cast<int64_t>(a.size()), n = static_cast<int64_t>(b.size()),
                last = static_cast<int64_t>(bound);
  // Indexed by k + last + 1; one more on each side, so that neighbours are always there. Never reached: far below.
  constexpr int64_t kNever = INT32_MIN;
  std::vector<int64_t> now(static_cast<size_t>(2 * last + 3), kNever), before(now);
  const auto at = [&](int64_t k) { return static_cast<size_t>(k + last + 1); };
  for (int64_t e = 0; e <= last; ++e) {
    std::swap(now, before);
    // Diagonals from which the end is still within reach of the other e' edits.
    const int64_t low = std::max(-e, m - n - (last - e)), high = std::min(e, m - n + (last - e));
    for (int64_t k = low; k <= high; ++k) {
      // i after: a replacement, an event only in a (from k - 1), an event only in b (from k + 1).
      int64_t i = e == 0 ? 0 : std::max({before[at(k)] + 1, before[at(k - 1)] + 1, before[at(k + 1)]});
      i = std::min({i, m, n + k});
      if (i < 0 || i < k) {
        now[at(k)] = kNever;
        continue;
      }
      const int64_t j = i - k;
      i += static_cast<int64_t>(CommonFront(a.data() + i, b.data() + j, static_cast<size_t>(std::min(m - i, n - j))));
      now[at(k)] = i;
      if (i == m && i - k == n) return static_cast<uint32_t>(e);
    }
    if (low > -last - 1) now[at(low - 1)] = kNever;
    if (high < last + 1) now[at(high + 1)] = kNever;
  }
  return std::nullopt;
}

}  // namespace

// One pair, once the lengths allow it.
class LongComparison {
 public:
  LongComparison(const LongQuery& query, Sequence other, uint32_t bound, const StripLevel& level)
      : query_(query), level_(level), bound_(bound), a_(query.events()), b_(other) {
    front_ = CommonFront(a_.data(), b_.data(), std::min(a_.size(), b_.size()));
    a_ = a_.subspan(front_);
    b_ = b_.subspan(front_);
    const size_t end = CommonEnd(a_, b_);
    a_ = a_.first(a_.size() - end);
    b_ = b_.first(b_.size() - end);
  }

  std::optional<uint32_t> Distance() {
    const uint32_t longer = static_cast<uint32_t>(std::max(a_.size(), b_.size()));
    if (a_.empty() || b_.empty()) return longer <= bound_ ? std::optional(longer) : std::nullopt;
    bound_ = std::min(bound_, longer);
    if (!CodeOther()) return std::nullopt;
    // What the band costs, in steps of a word; diagonal transition may take about as many.
    const double words = std::min<double>(bound_ / 64.0 + 2, static_cast<double>(a_.size()) / 64 + 1);
    const uint32_t worth =
        std::min(bound_, static_cast<uint32_t>(std::sqrt(words * static_cast<double>(b_.size())) / 2) + 8);
    if (least_ <= worth) {
      if (const std::optional<uint32_t> distance = DiagonalTransition(a_, b_, worth)) return distance;
      if (worth == bound_) return std::nullopt;
    }
    const uint32_t distance = BandDistance();
    return distance <= bound_ ? std::optional(distance) : std::nullopt;
  }

 private:
  // Makes codes of b, and counts its events that a has too few of: each costs an edit. False as soon as they are too
  // many.
  bool CodeOther() {
    std::vector<uint32_t> left = query_.counts_;
    // What was cut off the ends is not there to be paired with.
    for (size_t i = 0; i < front_; ++i) --left[query_.codes_[i]];
    for (size_t i = front_ + a_.size(); i < query_.codes_.size(); ++i) --left[query_.codes_[i]];
    const uint64_t longer_a = a_.size() > b_.size() ? a_.size() - b_.size() : 0;
    codes_.resize(b_.size());
    uint64_t unpaired = 0;
    for (size_t j = 0; j < b_.size(); ++j) {
      const uint32_t code = query_.CodeOf(b_[j]);
      codes_[j] = code;
      if (code != 0 && left[code] != 0) {
        --left[code];
      } else if (++unpaired + longer_a > bound_) {
        return false;
      }
    }
    least_ = static_cast<uint32_t>(unpaired + longer_a);
    return true;
  }

  // Rows are a's events, with `padding` rows before the first so that strips are whole; columns are b's.
  uint32_t BandDistance() {
    const int64_t m = static_cast<int64_t>(a_.size()), n = static_cast<int64_t>(b_.size());
    const bool wide = bound_ >= level_.wide_words * 64;
    const int64_t strip_words = wide ? level_.wide_words : level_.narrow_words;
    const int64_t strip_rows = strip_words * 64;
    const int64_t strips = (m + strip_rows - 1) / strip_rows, padding = strips * strip_rows - m;
    MakeMasks(static_cast<uint64_t>(strips * strip_words), static_cast<uint64_t>(padding));

    // The diagonals i - j that a path can use.
    const int64_t half = (static_cast<int64_t>(bound_) - std::abs(m - n)) / 2;
    const int64_t lowest = std::min<int64_t>(0, m - n) - half, highest = std::max<int64_t>(0, m - n) + half;
    std::vector<int8_t> change(static_cast<size_t>(n),
                               1);  // along the row above the strip, by column; beyond what is known it rises
    std::vector<uint64_t> falling(static_cast<size_t>(strip_words));
    int64_t value = padding;  // of the pair above the strip's first row and before its first column
    int64_t first = 0;        // that column
    for (int64_t strip = 0; strip < strips; ++strip) {
      const int64_t top = strip * strip_rows - padding,
                    bottom = top + strip_rows;  // of a's rows, above the first and the last
      const int64_t begin = strip == 0 ? 0 : std::clamp<int64_t>(top - highest, first, n);
      const int64_t end = strip + 1 == strips ? n : std::clamp<int64_t>(bottom - lowest + 1, begin, n);
      for (; first < begin; ++first) value += change[static_cast<size_t>(first)];
      for (int64_t w = 0; w < strip_words; ++w) {
        const int64_t pad = strip == 0 ? std::clamp<int64_t>(padding - w * 64, 0, 64) : 0;
        falling[static_cast<size_t>(w)] = pad == 64 ? ~uint64_t{0} : (uint64_t{1} << pad) - 1;
      }
      MyersStrip call;
      call.masks = masks_.data() + strip * strip_words;
      call.stride = stride_;
      call.codes = mask_codes_.data() + begin;
      call.columns = static_cast<uint32_t>(end - begin);
      call.falling = falling.data();
      call.above = change.data() + begin;
      call.below = change.data() + begin;
      (wide ? level_.wide : level_.narrow)(call);
      value += strip_rows - (strip == 0 ? 2 * padding : 0);
      std::fill(change.begin() + end, change.end(), int8_t{1});
      if (LeastThrough(value, begin, end, m - bottom, n, change) > static_cast<int64_t>(bound_)) return bound_ + 1;
    }
    for (; first < n; ++first) value += change[static_cast<size_t>(first)];
    return static_cast<uint32_t>(value);
  }

  // The least that a path through the row below a strip can cost in all; `rows` are left below it.
  static int64_t LeastThrough(int64_t value, int64_t begin, int64_t end, int64_t rows, int64_t n,
                              const std::vector<int8_t>& change) {
    int64_t least = value + std::abs(rows - (n - begin));
    for (int64_t column = begin; column < end; ++column) {
      value += change[static_cast<size_t>(column)];
      least = std::min(least, value + std::abs(rows - (n - column - 1)));
    }
    return least;
  }

  // Only the events that b has too get masks, numbered in the order in which b has them: a small table is a fast one.
  void MakeMasks(uint64_t words, uint64_t padding) {
    std::vector<uint32_t> number_of(query_.counts_.size(), 0);
    mask_codes_.resize(codes_.size());
    uint32_t numbers = 1;
    for (size_t j = 0; j < codes_.size(); ++j) {
      const uint32_t code = codes_[j];
      if (code != 0 && number_of[code] == 0) number_of[code] = numbers++;
      mask_codes_[j] = code == 0 ? 0 : number_of[code];
    }
    stride_ = words;
    masks_.assign(numbers * words, 0);
    for (size_t i = 0; i < a_.size(); ++i) {
      const uint32_t number = number_of[query_.codes_[front_ + i]];
      if (number == 0) continue;
      const uint64_t row = i + padding;
      masks_[number * words + row / 64] |= uint64_t{1} << (row % 64);
    }
  }

  const LongQuery& query_;
  const StripLevel& level_;
  uint32_t bound_;
  Sequence a_, b_;    // without the ends that they share
  size_t front_ = 0;  // how many events of the query lie before a_
  uint32_t least_ = 0;
  std::vector<uint32_t> codes_, mask_codes_;
  std::vector<uint64_t> masks_;
  uint64_t stride_ = 0;
};

LongQuery::LongQuery(Sequence events) : events_(events.begin(), events.end()), counts_(1) {
  const size_t slots = std::bit_ceil(std::max<size_t>(16, events.size() * 2));
  slots_.resize(slots);
  shift_ = 32 - static_cast<uint32_t>(std::countr_zero(slots));
  for (const uint32_t event : events_) {
    size_t slot = (event * 0x9e3779b1u) >> shift_;
    while (slots_[slot].code != 0 && slots_[slot].event != event) slot = (slot + 1) & (slots - 1);
    if (slots_[slot].code == 0) {
      slots_[slot] = {event, static_cast<uint32_t>(counts_.size())};
      counts_.push_back(0);
    }
    codes_.push_back(slots_[slot].code);
    ++counts_[slots_[slot].code];
  }
}

uint32_t LongQuery::CodeOf(uint32_t event) const {
  size_t slot = (event * 0x9e3779b1u) >> shift_;
  while (slots_[slot].code != 0 && slots_[slot].event != event) slot = (slot + 1) & (slots_.size() - 1);
  return slots_[slot].code;
}

std::optional<uint32_t> LongQuery::DistanceWithin(Sequence other, uint64_t bound, SimdLevel level) const {
  const size_t longer = std::max(events_.size(), other.size()), shorter = std::min(events_.size(), other.size());
  if (longer - shorter > bound) return std::nullopt;
  const uint32_t most = static_cast<uint32_t>(std::min<uint64_t>(bound, longer));
  return LongComparison(*this, other, most, LevelOf(level)).Distance();
}

std::optional<uint32_t> LongDistanceWithin(Sequence a, Sequence b, uint64_t bound) {
  return LongQuery(a).DistanceWithin(b, bound);
}

}  // namespace oscope
