// What the operators of one query share: the wish to stop, the limits, and how far the work is.
//
// Threads: may be used from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "base/cancel.h"
#include "base/result.h"
#include "query/operators/memory_budget.h"
#include "query/operators/partial_matches.h"
#include "query/semantics/answer.h"

namespace oscope {

// When a statement has to end: when it is cancelled, or whatever it is a part of, and when its time is up. The time
// begins with the object, and is one for all that the statement does: checking it, opening the store, each of its
// searches.
class QueryDeadline {
 public:
  using Clock = std::chrono::steady_clock;

  QueryDeadline(std::optional<std::chrono::milliseconds> time, CancelToken cancel)
      : time_(time), start_(Clock::now()), cancel_(std::move(cancel)) {}

  Status Check() const {
    OSCOPE_RETURN_IF_ERROR(cancel_.Check());
    if (time_ && Clock::now() - start_ > *time_) {
      return Limit("the query ran longer than {} ms: narrow it with FROM or LIMIT, or raise --max-time",
                   time_->count());
    }
    return {};
  }
  std::chrono::nanoseconds elapsed() const { return Clock::now() - start_; }

 private:
  std::optional<std::chrono::milliseconds> time_;
  Clock::time_point start_;
  CancelToken cancel_;
};

class QueryContext {
 public:
  QueryContext(uint64_t memory_bytes, const QueryDeadline& deadline) : memory(memory_bytes), deadline_(deadline) {}
  QueryContext(uint64_t memory_bytes, std::optional<std::chrono::milliseconds> time, CancelToken cancel)
      : QueryContext(memory_bytes, QueryDeadline(time, std::move(cancel))) {}

  // Asked at least every few milliseconds of work.
  Status Check() const { return deadline_.Check(); }
  std::chrono::nanoseconds elapsed() const { return deadline_.elapsed(); }

  MemoryBudget memory;
  PartialMatches partial;
  // Traces looked at, out of how many; and what each filter took away.
  std::atomic<uint64_t> total = 0, done = 0, by_length = 0, by_sketch = 0, by_postings = 0, verified = 0;

 private:
  const QueryDeadline deadline_;
};

}  // namespace oscope
