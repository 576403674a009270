// A bar on the terminal that shows how far a query has come.
//
//   [############........]  searching  60%  1,234,567 traces  2,345,678/s  0:01 left  17 rows
// Silent unless stderr is a terminal; drawn from a quarter of a second on, at most ten times a second; cleared when the
// object goes.
// Threads: Show from one thread at a time; it must not be called while the object is destroyed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "query/run/session.h"

namespace oscope::cli {

class QueryProgressBar {
 public:
  explicit QueryProgressBar(bool quiet);
  ~QueryProgressBar();
  QueryProgressBar(const QueryProgressBar&) = delete;
  QueryProgressBar& operator=(const QueryProgressBar&) = delete;

  void Show(const QueryProgress& progress);

 private:
  const bool shown_;
  const std::chrono::steady_clock::time_point start_;
  int64_t next_draw_ms_;
  bool drawn_ = false;
};

// A bar for each statement that a session runs while the object lives: its on_job and on_progress are taken for that,
// and are none afterwards.
class ShownProgress {
 public:
  ShownProgress(Session& session, bool quiet);
  ~ShownProgress();
  ShownProgress(const ShownProgress&) = delete;
  ShownProgress& operator=(const ShownProgress&) = delete;

 private:
  Session& session_;
  std::optional<QueryProgressBar> bar_;
};

// The bar without line ends; `elapsed_ms` is what rows a second are reckoned by.
std::string FormatQueryProgress(const QueryProgress& progress, int64_t elapsed_ms);

}  // namespace oscope::cli
