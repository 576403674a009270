#include "cli/session/query_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/escape.h"
#include "base/progress.h"
#include "cli/context/context.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

constexpr int64_t kFirstDrawMs = 250;
constexpr int64_t kRedrawMs = 100;
constexpr uint64_t kBarWidth = 20;

size_t ErrorWidth() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80u;
}

}  // namespace

std::string FormatQueryProgress(const QueryProgress& progress, int64_t elapsed_ms) {
  std::string line;
  if (progress.total > 0) {
    const double portion =
        static_cast<double>(std::min(progress.done, progress.total)) / static_cast<double>(progress.total);
    const auto full = static_cast<size_t>(portion * kBarWidth);
    line = "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "]  ";
  }
  line += FormatProgress("searching", "traces", progress.done, progress.total, elapsed_ms);
  return progress.rows == 0 ? line : line + "  " + Counted(progress.rows, "row");
}

QueryProgressBar::QueryProgressBar(bool quiet)
    : shown_(!quiet && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_draw_ms_(kFirstDrawMs) {}

QueryProgressBar::~QueryProgressBar() {
  if (drawn_) PrintToStderr("\r\x1b[K");
}

void QueryProgressBar::Show(const QueryProgress& progress) {
  if (!shown_) return;
  using std::chrono::milliseconds;
  const int64_t now = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start_).count();
  if (now < next_draw_ms_) return;
  next_draw_ms_ = now + kRedrawMs;
  drawn_ = true;
  PrintToStderr("\r\x1b[K{}", Truncate(FormatQueryProgress(progress, now), ErrorWidth() - 1));
}

ShownProgress::ShownProgress(Session& session, bool quiet) : session_(session) {
  session_.options().on_job = [this, quiet](const Job&) { bar_.emplace(quiet); };
  session_.options().on_progress = [this](const QueryProgress& progress) {
    if (bar_) bar_->Show(progress);
  };
}

ShownProgress::~ShownProgress() {
  session_.options().on_job = nullptr;
  session_.options().on_progress = nullptr;
}

}  // namespace oscope::cli
