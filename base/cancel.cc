// A token is a function that is asked; the sources behind it are shared atomic flags, and a source with a parent asks
// that too. So a chain of wishes (process, session, statement) is one call, and no list of listeners must be kept.
//
// The signal handler sets one flag. There is a flag for the whole process because a handler can have no other; it is
// reachable only through the source that InstallCancelOnSignals returns, which the program's main function hands on.
#include "base/cancel.h"

#include <signal.h>
#include <unistd.h>

#include <utility>

namespace oscope {
namespace {

constexpr int kExitAfterInterrupt = 130;

std::atomic<bool> signalled = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler stores to it");

void OnSignal(int signal_number) {
  if (signalled.exchange(true, std::memory_order_relaxed) && signal_number == SIGINT) {
    _exit(kExitAfterInterrupt);
  }
}

}  // namespace

CancelToken::CancelToken(std::function<bool()> asked)
    : asked_(std::make_shared<const std::function<bool()>>(std::move(asked))) {}

Status CancelToken::Check() const {
  if (cancelled()) return Error{ErrorCode::kCancelled, "cancelled"};
  return {};
}

CancelSource::CancelSource(CancelToken parent)
    : CancelSource(std::make_shared<std::atomic<bool>>(false), std::move(parent)) {}

CancelSource::CancelSource(std::shared_ptr<std::atomic<bool>> requested, CancelToken parent)
    : requested_(std::move(requested)), token_([requested = requested_, parent = std::move(parent)] {
        return requested->load(std::memory_order_relaxed) || parent.cancelled();
      }) {}

CancelSource InstallCancelOnSignals() {
  struct sigaction action{};
  action.sa_handler = OnSignal;  // no SA_RESTART: whoever waits is to wake and look
  sigemptyset(&action.sa_mask);
  OSCOPE_CHECK(sigaction(SIGINT, &action, nullptr) == 0);
  OSCOPE_CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
  // The flag is the process's own and lives as long: nothing is to be deleted with the last source.
  return CancelSource({std::shared_ptr<void>(), &signalled}, {});
}

}  // namespace oscope
