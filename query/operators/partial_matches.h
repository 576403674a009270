// The nearest bugs found so far, for someone who watches a query run. Not part of the answer.
//
// Threads: may be used from any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>
#include <vector>

#include "query/operators/search_result.h"

namespace oscope {

class PartialMatches {
 public:
  static constexpr size_t kKept = 100;

  // Nobody watches: Add does nothing.
  bool watched() const { return watched_.load(std::memory_order_relaxed); }
  void Watch() { watched_ = true; }

  void Add(std::span<const BugMatch> matches) {
    if (!watched() || matches.empty()) return;
    const std::lock_guard lock(mutex_);
    nearest_.insert(nearest_.end(), matches.begin(), matches.end());
    if (nearest_.size() > 16 * kKept) Cut();
  }

  // By distance, then bug; each bug once.
  std::vector<BugMatch> Nearest() {
    const std::lock_guard lock(mutex_);
    Cut();
    return nearest_;
  }

 private:
  void Cut() {
    // Of a bug that was found several times the nearest stays.
    std::sort(nearest_.begin(), nearest_.end());
    nearest_.erase(std::unique(nearest_.begin(), nearest_.end(),
                               [](const BugMatch& a, const BugMatch& b) { return a.bug == b.bug; }),
                   nearest_.end());
    std::sort(nearest_.begin(), nearest_.end(), [](const BugMatch& a, const BugMatch& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.bug < b.bug;
    });
    if (nearest_.size() > kKept) nearest_.resize(kKept);
  }

  std::atomic<bool> watched_ = false;
  std::mutex mutex_;
  std::vector<BugMatch> nearest_;
};

}  // namespace oscope
