// The falling bound of a LIMIT: how far the k-th nearest bug is that was found so far. Nothing farther can be in the
// answer.
//
// Counts bugs by their distance; exact up to kCounted, beyond which the bound stays as it was.
// Threads: may be used from any thread; a bound read late is only larger than need be.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace oscope {

class NearestBound {
 public:
  static constexpr uint64_t kCounted = 1024;

  NearestBound(std::optional<uint64_t> keep, uint64_t bound)
      : keep_(keep.value_or(UINT64_MAX)), bound_(keep_ == 0 ? 0 : bound) {}

  uint64_t bound() const { return bound_.load(std::memory_order_relaxed); }

  // A bug was found at `distance`, nearer than at `before` (nothing: for the first time).
  void Found(uint64_t distance, std::optional<uint64_t> before = {}) {
    if (keep_ == UINT64_MAX || distance >= kCounted) return;
    // In this order a reader may miss the bug, but never counts it twice.
    if (before && *before < kCounted) counts_[*before].fetch_sub(1, std::memory_order_release);
    counts_[distance].fetch_add(1, std::memory_order_release);
  }

  // Lowers the bound to what was found. O(bound).
  void Tighten() {
    if (keep_ == UINT64_MAX) return;
    const uint64_t now = bound();
    int64_t found = 0;
    for (uint64_t distance = 0; distance < std::min(now, kCounted); ++distance) {
      found += counts_[distance].load(std::memory_order_acquire);
      if (found >= 0 && static_cast<uint64_t>(found) >= keep_) {
        Lower(distance);
        return;
      }
    }
  }

 private:
  void Lower(uint64_t to) {
    uint64_t now = bound();
    while (to < now && !bound_.compare_exchange_weak(now, to, std::memory_order_relaxed)) {
    }
  }

  const uint64_t keep_;
  std::atomic<uint64_t> bound_;
  std::array<std::atomic<int64_t>, kCounted> counts_{};
};

}  // namespace oscope
