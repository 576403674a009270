// How much memory a query may still take. Counts what grows with the data, not every byte.
//
// Threads: may be used from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/quantity.h"
#include "base/result.h"

namespace oscope {

class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t bytes) : limit_(bytes) {}

  Status Take(uint64_t bytes) {
    if (taken_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return {};
    return Limit(
        "the query needs more than {} of memory: narrow it with FROM, a field predicate or a suffix, or raise "
        "--max-memory",
        FormatByteSize(limit_));
  }
  uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> taken_ = 0;
};

}  // namespace oscope
