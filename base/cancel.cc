#include "base/cancel.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace oscope {
namespace {

constexpr int kExitAfterInterrupt = 130;

std::atomic<bool> cancelled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores to it");

void OnSignal(int signal_number) {
  if (cancelled.exchange(true, std::memory_order_relaxed) && signal_number == SIGINT) {
    _exit(kExitAfterInterrupt);
  }
}

}  // namespace

void InstallCancelOnSignals() {
  struct sigaction action{};
  action.sa_handler = OnSignal;  // no SA_RESTART: whoever waits is to wake and look
  sigemptyset(&action.sa_mask);
  OSCOPE_CHECK(sigaction(SIGINT, &action, nullptr) == 0);
  OSCOPE_CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
}

bool Cancelled() { return cancelled.load(std::memory_order_relaxed); }

Status CheckCancelled() {
  if (Cancelled()) return Error{ErrorCode::kCancelled, "cancelled"};
  return {};
}

void RequestCancel() { cancelled.store(true, std::memory_order_relaxed); }
void ClearCancel() { cancelled.store(false, std::memory_order_relaxed); }

}  // namespace oscope
