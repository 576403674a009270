// Takes the place of base/cancel.cc: it defines all that is there, so that a linker does not take that one from its
// library.
#include "tests/support/counted_cancel.h"

#include <atomic>

#include "base/cancel.h"

namespace oscope {
namespace {

std::atomic<bool> cancelled = false;
std::atomic<uint64_t> checks = 0, after = 0, cancel_at = 0;

}  // namespace

void InstallCancelOnSignals() {}

bool Cancelled() {
  if (cancelled) {
    ++after;
    return true;
  }
  const uint64_t number = ++checks;
  if (number != cancel_at) return false;
  cancelled = true;
  return true;
}

Status CheckCancelled() {
  if (Cancelled()) return Error{ErrorCode::kCancelled, "cancelled"};
  return {};
}

void RequestCancel() { cancelled = true; }

void ClearCancel() {
  cancelled = false;
  cancel_at = 0;
}

void CancelAtCheck(uint64_t n) {
  cancelled = false;
  checks = after = 0;
  cancel_at = n;
}

uint64_t ChecksMade() { return checks; }
uint64_t ChecksAfterCancel() { return after; }

}  // namespace oscope
