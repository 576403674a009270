// A program that answers lines with lines, and may crash, hang or answer nonsense at any moment.
//
// Runs in a process group of its own, which is killed when this object is destroyed; its standard error is thrown away.
// No shell is involved.
// Threads: one at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace oscope {

class MetricProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // `cancel` is asked while an answer is waited for.
  static Result<MetricProcess> Start(const std::vector<std::string>& argv, CancelToken cancel = {});
  MetricProcess(MetricProcess&& other) noexcept;
  MetricProcess& operator=(MetricProcess&&) = delete;
  ~MetricProcess();

  // Writes `lines` and reads `answers` lines. Fails when an answer takes longer than `each` after the one before it or
  // all of them take until `until` (kLimit); when a line is longer than kMaxMetricAnswer, more lines come than were
  // asked for, or the program ends or closes its output (kInvalid); when it is cancelled (kCancelled). No other
  // call may follow an error.
  Result<std::vector<std::string>> Ask(std::string_view lines, size_t answers, std::chrono::milliseconds each,
                                       std::optional<Clock::time_point> until);

 private:
  MetricProcess(pid_t pid, Descriptor in, Descriptor out, CancelToken cancel)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)), cancel_(std::move(cancel)) {}
  Status WriteSome(std::string_view& rest);
  Status ReadSome(size_t wanted, std::vector<std::string>& lines);
  Error Ended();

  pid_t pid_;
  Descriptor in_, out_;  // ours: to its standard input, from its standard output
  CancelToken cancel_;
  bool asked_ = false;
  std::string buffer_;
};

}  // namespace oscope
