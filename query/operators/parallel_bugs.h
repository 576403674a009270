// Work over all bugs, shared among threads, that stops at the first error or when it is cancelled.
//
// Threads: `work` is called from many at once, each bug once.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "query/operators/query_context.h"

namespace oscope {

// Keeps the first error of several threads.
class FirstError {
 public:
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  void Set(Error error) {
    const std::lock_guard lock(mutex_);
    if (!failed_.exchange(true)) status_ = std::move(error);
  }
  Status status() const { return status_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> failed_ = false;
  Status status_;
};

// Calls work(i) -> Status for every i below `count`, `grain` of them between two looks at the context.
template <typename Work>
Status ForEachInParallel(size_t count, size_t grain, const QueryContext& context, const Work& work) {
  FirstError error;
  tbb::parallel_for(tbb::blocked_range<size_t>(0, count, grain), [&](const tbb::blocked_range<size_t>& range) {
    for (size_t i = range.begin(); i != range.end(); ++i) {
      if (error.failed()) return;
      if ((i - range.begin()) % grain == 0) {
        if (Status status = context.Check(); !status.ok()) return error.Set(std::move(status).error());
      }
      if (Status status = work(i); !status.ok()) return error.Set(std::move(status).error());
    }
  });
  return error.status();
}

}  // namespace oscope
