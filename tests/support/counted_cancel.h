// A wish to stop that counts how often it is asked for, and can come at any of these questions: at every place where long
// work asks.
//
// Threads: its token may be asked from any thread; which thread's question is the n-th is then a matter of chance.
// Example: a cancel at every step of a compaction.
//   CountedCancel cancel;
//   Store store = Must(Store::Open(fs, "s", {.cancel = cancel.token()}));
//   for (uint64_t n = 1;; ++n) {
//     cancel.CancelAt(n);
//     const auto result = store.Compact();
//     const bool asked = cancel.questions() >= n;
//     cancel.Reset();
//     if (!asked) break;
//     EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
//   }
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cancel.h"

namespace oscope {

class CountedCancel {
 public:
  CountedCancel() : token_([this] { return Ask(); }) {}
  CountedCancel(const CountedCancel&) = delete;
  CountedCancel& operator=(const CountedCancel&) = delete;

  const CancelToken& token() const { return token_; }  // must not be asked after this object is gone

  // From now on questions are counted from 1, and the n-th is the first that is answered with yes. 0: none is.
  void CancelAt(uint64_t n) {
    cancelled_ = false;
    questions_ = 0;
    cancel_at_ = n;
  }
  void Cancel() { cancelled_ = true; }
  // Nobody wants to stop any more.
  void Reset() {
    cancelled_ = false;
    cancel_at_ = 0;
  }
  // How often it was asked since the last CancelAt, until the wish was known.
  uint64_t questions() const { return questions_; }

 private:
  bool Ask() {
    if (cancelled_) return true;
    if (++questions_ != cancel_at_) return false;
    cancelled_ = true;
    return true;
  }

  std::atomic<bool> cancelled_ = false;
  std::atomic<uint64_t> questions_ = 0, cancel_at_ = 0;
  CancelToken token_;
};

}  // namespace oscope
