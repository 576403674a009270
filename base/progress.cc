// Threads add to an atomic counter; whichever thread finds that a tenth of a second has passed draws the line. So no
// thread is needed for drawing, and counting costs one addition.
#include "base/progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <string_view>

#include "base/escape.h"
#include "base/quantity.h"

namespace oscope {
namespace {

constexpr int64_t kRedrawMs = 100;
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string ClockTime(uint64_t seconds) {
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

size_t TerminalWidth(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80u;
}

// A terminal that takes no more text is no reason to stop the work.
void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

std::string FormatProgress(const std::string& label, const std::string& unit, uint64_t done, uint64_t total,
                           int64_t elapsed_ms) {
  std::string line = label;
  const double portion = total == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  if (total != 0) line += fmt::format("  {}%", static_cast<int>(portion * 100));
  line += fmt::format("  {} {}", FormatCount(done), unit);
  if (elapsed_ms <= 0 || done == 0) return line;
  const double per_second = static_cast<double>(done) * 1000 / static_cast<double>(elapsed_ms);
  line += fmt::format("  {}/s", FormatCount(static_cast<uint64_t>(per_second)));
  if (total > done) {
    line += fmt::format("  {} left", ClockTime(static_cast<uint64_t>(static_cast<double>(total - done) / per_second)));
  }
  return line;
}

Progress::Progress(std::string label, std::string unit, uint64_t total, bool quiet, int fd)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      fd_(fd),
      shown_(!quiet && ::isatty(fd) == 1),
      start_(std::chrono::steady_clock::now()),
      next_draw_ms_(kRedrawMs) {}

Progress::~Progress() {
  if (shown_) WriteAll(fd_, kClearLine);
}

void Progress::Add(uint64_t count) {
  const uint64_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
  if (!shown_) return;
  const int64_t now = ElapsedMilliseconds();
  int64_t due = next_draw_ms_.load(std::memory_order_relaxed);
  // Of the threads that find it due, the one that moves the date draws.
  if (now < due || !next_draw_ms_.compare_exchange_strong(due, now + kRedrawMs)) return;
  Draw(done, now);
}

int64_t Progress::ElapsedMilliseconds() const {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start_).count();
}

void Progress::Draw(uint64_t done, int64_t elapsed_ms) const {
  const std::string line = EscapeForTerminal(FormatProgress(label_, unit_, done, total_, elapsed_ms));
  WriteAll(fd_, std::string(kClearLine) + Truncate(line, TerminalWidth(fd_) - 1));
}

}  // namespace oscope
