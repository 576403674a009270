// Ctrl-C must end a query, but also wake a shell that waits for input. The handler does two things that a handler may
// do: it sets the flag that queries ask, and writes a byte to a pipe that the editors poll.
#include "cli/shell/interrupts.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <utility>

namespace oscope::cli::interrupts {
namespace {

int wake_pipe[2] = {-1, -1};
std::atomic<bool> leave = false;
std::optional<CancelSource> source;  // set before the handler is

void OnSignal(int signal_number) {
  const int kept = errno;
  if (signal_number == SIGTERM) leave.store(true, std::memory_order_relaxed);
  source->Cancel();
  // A full pipe wakes just as well.
  [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "!", 1);
  errno = kept;
}

}  // namespace

void Install(CancelSource process) {
  source = std::move(process);
  OSCOPE_CHECK(pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) == 0);
  struct sigaction action{};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  OSCOPE_CHECK(sigaction(SIGINT, &action, nullptr) == 0);
  OSCOPE_CHECK(sigaction(SIGTERM, &action, nullptr) == 0);
}

int Descriptor() { return wake_pipe[0]; }

bool Requested() { return source && source->requested(); }

bool LeaveRequested() { return leave.load(std::memory_order_relaxed); }

void Forget() {
  char buffer[64];
  while (read(wake_pipe[0], buffer, sizeof buffer) > 0) {
  }
  if (!LeaveRequested()) source->Reset();
}

}  // namespace oscope::cli::interrupts
