// base/cancel.h with a counter: a test program that has counted_cancel.cc among its sources asks it instead of
// base/cancel.cc, and can request the cancellation at any of the places where long work asks.
//
// Threads: as base/cancel.h; which thread's question is the n-th is then a matter of chance.
// Example: a cancel at every step of a compaction.
//   for (uint64_t n = 1;; ++n) {
//     CancelAtCheck(n);
//     const auto result = store.Compact();
//     const bool asked = ChecksMade() >= n;
//     ClearCancel();
//     if (!asked) break;
//     EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
//   }
#pragma once

#include <cstdint>

namespace oscope {

// From now on questions are counted from 1, and the n-th is the first that is answered with yes. 0: none is.
void CancelAtCheck(uint64_t n);
// How often Cancelled() or CheckCancelled() were asked since then.
uint64_t ChecksMade();
// How often they were asked after the wish to stop was known: the first answer of yes not counted.
uint64_t ChecksAfterCancel();

}  // namespace oscope
