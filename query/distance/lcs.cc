// Bit i of `row` is 0 when the LCS of a's first i + 1 events and b's first j is one longer than that of a's first i
// (Crochemore et al.). a is cut into words of 64 events; each word passes over all of b, and hands on what its addition
// carries at each j to the next.
#include "query/distance/lcs.h"

#include <algorithm>
#include <bit>

namespace oscope {
namespace {

constexpr size_t kWord = 64;

// a's distinct events numbered from 0, and b in these numbers; an event that a does not have gets one more.
struct Numbered {
  std::vector<uint32_t> a, b;
  size_t events = 0;
};

Numbered NumberEvents(Sequence a, Sequence b) {
  std::vector<uint32_t> distinct(a.begin(), a.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto number = [&](uint32_t event) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), event);
    const bool known = found != distinct.end() && *found == event;
    return static_cast<uint32_t>(known ? found - distinct.begin() : distinct.size());
  };
  Numbered out;
  out.events = distinct.size();
  for (const uint32_t event : a) out.a.push_back(number(event));
  for (const uint32_t event : b) out.b.push_back(number(event));
  return out;
}

// One word of a over all of b. `where[event]` has a bit for each place of the event in the word. Returns the row's last
// value.
uint64_t PassOver(const std::vector<uint32_t>& b, const std::vector<uint64_t>& where, std::vector<uint8_t>& carries) {
  uint64_t row = ~uint64_t{0};
  for (size_t j = 0; j < b.size(); ++j) {
    const uint64_t matches = row & where[b[j]];
    uint64_t sum = 0;
    const bool over = __builtin_add_overflow(row, matches, &sum);
    const bool over_carry = __builtin_add_overflow(sum, uint64_t{carries[j]}, &sum);
    carries[j] = over || over_carry;
    row = sum | (row & ~matches);
  }
  return row;
}

class Lcs : public SequenceMetric {
 public:
  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    const uint64_t difference = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
    if (difference > bound) return std::optional<uint64_t>();
    const uint64_t distance = LcsDistance(a, b);
    return distance <= bound ? std::optional(distance) : std::nullopt;
  }
};

}  // namespace

uint64_t LcsLength(Sequence a, Sequence b) {
  if (a.size() > b.size()) std::swap(a, b);
  uint64_t length = 0;
  // What both begin and end with belongs to some longest one: often most of two similar traces.
  while (!a.empty() && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1), ++length;
  while (!a.empty() && a.back() == b.back()) a = a.first(a.size() - 1), b = b.first(b.size() - 1), ++length;
  const Numbered numbered = NumberEvents(a, b);
  std::vector<uint64_t> where(numbered.events + 1, 0);
  std::vector<uint8_t> carries(b.size(), 0);
  for (size_t begin = 0; begin < a.size(); begin += kWord) {
    const size_t count = std::min(kWord, a.size() - begin);
    for (size_t i = 0; i < count; ++i) where[numbered.a[begin + i]] |= uint64_t{1} << i;
    uint64_t gained = ~PassOver(numbered.b, where, carries);
    if (count < kWord) gained &= (uint64_t{1} << count) - 1;
    length += static_cast<uint64_t>(std::popcount(gained));
    for (size_t i = 0; i < count; ++i) where[numbered.a[begin + i]] = 0;
  }
  return length;
}

uint64_t LcsDistance(Sequence a, Sequence b) { return a.size() + b.size() - 2 * LcsLength(a, b); }

std::unique_ptr<SequenceMetric> MakeLcs() { return std::make_unique<Lcs>(); }

}  // namespace oscope
