// Runs another program to its end and collects what it prints.
//
// No shell is involved. The program is looked up in PATH when its name has no slash, runs in a process group of its
// own, and inherits no descriptor but its standard three. Without `input` its standard input is /dev/null.
// Threads: may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace oscope {

struct SubprocessOptions {
  std::vector<std::string> argv;
  std::optional<std::string> input;
  std::string working_directory;                        // empty: ours
  std::optional<std::vector<std::string>> environment;  // "NAME=value", all of it; else ours
  bool one_stream = false;                              // what it prints on standard error comes with `out`, in order
  std::chrono::milliseconds timeout{0};                 // 0: none; then the whole process group is killed
  size_t max_output_bytes = size_t{64} << 20;           // of each stream; what exceeds it is read and thrown away
  CancelToken cancel;                                   // asked all the time
};

struct SubprocessOutput {
  int exit_code = 0;  // -1 when a signal ended it
  int signal = 0;     // 0 when it exited by itself
  bool timed_out = false;
  bool truncated = false;  // output exceeded max_output_bytes
  std::string out;
  std::string err;

  bool ok() const { return exit_code == 0 && !timed_out; }
};

// Fails only when there is no outcome to tell: kNotFound when the program or the working directory does not exist, kIo
// when it cannot be started, kCancelled (the process group is killed) when `cancel` says so.
// Returns when the program itself has ended; a descendant that lives on with our pipes is not waited for.
Result<SubprocessOutput> RunSubprocess(const SubprocessOptions& options);

}  // namespace oscope
