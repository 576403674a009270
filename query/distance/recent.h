// What both did last: one minus the cosine of two vectors of events, in thousandths. Rare events and those near the
// failure (the end) count more.
//
// Each event counts once, at its last place: rarity(event) · 10 / (10 + k), k places before the end, in 16.16 fixed
// point. Neither the order of events counts nor how often each came, only how long before the end it came last: two
// tests that reach a bug by loops of different lengths are still near. 0 for equal sequences, 1000 when they
// share no event; symmetric. Two empty sequences are at 0, an empty one and another at 1000. Only the last kReach
// events of each count. All in integers, so that it is the same everywhere.
// The metric itself is over methods: query/semantics/recent_methods.h.
// Threads: pure functions; immutable once made.
// Example: a b b c and b c c, all as rare: b and c are at nearly the same places, a is missing: 132.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "query/distance/metric.h"

namespace oscope {

// A sequence as weighed events.
struct RecentEvents {
  static constexpr size_t kReach = 1024;

  struct Entry {
    uint32_t event = 0;
    uint32_t weight = 0;
  };
  std::vector<Entry> entries;   // by event, each once
  uint64_t squared_length = 0;  // 0: it is empty

  // How much a place counts, in 16.16: all at the end, half ten places before it.
  static constexpr std::array<uint32_t, kReach> kNearness = [] {
    constexpr uint32_t kHalf = 10;
    std::array<uint32_t, kReach> nearness{};
    for (uint32_t before_end = 0; before_end < kReach; ++before_end)
      nearness[before_end] = (kHalf << 16) / (kHalf + before_end);
    return nearness;
  }();
  // At least 1: every event counts. `before_end` is less than kReach.
  static uint32_t Weight(uint32_t rarity, size_t before_end) {
    return std::max(1u, static_cast<uint32_t>((uint64_t{rarity} * kNearness[before_end]) >> 16));
  }
};

RecentEvents WeighRecent(Sequence sequence, const EventWeights& weights);
uint64_t RecentDistance(const RecentEvents& a, const RecentEvents& b);

}  // namespace oscope
