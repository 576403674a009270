// A line on the terminal that shows how far long work has come.
//
// Nothing is shown unless the descriptor is a terminal and `quiet` is false. The line is drawn at most ten times a
// second, by the thread that calls Add, and cleared when the object is destroyed.
// Threads: Add may be called from any thread.
// Example:   importing  45%  1,234,567 traces  12,345/s  0:07 left
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace oscope {

class Progress {
 public:
  // `total` is 0 when it is not known; then no percentage is shown.
  Progress(std::string label, std::string unit, uint64_t total, bool quiet, int fd = STDERR_FILENO);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Add(uint64_t count);

 private:
  int64_t ElapsedMilliseconds() const;
  void Draw(uint64_t done, int64_t elapsed_ms) const;

  const std::string label_;
  const std::string unit_;
  const uint64_t total_;
  const int fd_;
  const bool shown_;
  const std::chrono::steady_clock::time_point start_;
  std::atomic<uint64_t> done_ = 0;
  std::atomic<int64_t> next_draw_ms_;
};

// The line without colours or line ends.
std::string FormatProgress(const std::string& label, const std::string& unit, uint64_t done, uint64_t total,
                           int64_t elapsed_ms);

}  // namespace oscope
