// Launch: runs a program under a recorder, as if it ran alone.
//
// The program has our standard streams, process group and working directory (unless told otherwise), so that a
// terminal, a pipe and job control work as ever. While it runs SIGINT and SIGQUIT are its own (a terminal sends them to
// it as well); SIGTERM and SIGHUP are passed on. Afterwards the recording's directory holds what
// tracer/raw/raw_format.h says. It is removed with the Recording.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "tracer/record/recorder.h"
#include "tracer/record/scratch_directory.h"
#include "tracer/record/trace_settings.h"

namespace oscope {

struct LaunchRequest {
  std::vector<std::string> command;
  std::string working_directory;                        // empty: ours
  std::optional<std::vector<std::string>> environment;  // "NAME=value", whole; else ours
  std::string output_file;                              // where both output streams go, appended; empty: ours
  bool no_input = false;                                // standard input is /dev/null; else ours
  std::chrono::milliseconds timeout{0};                 // 0: none; then all of its processes are ended
  std::chrono::milliseconds grace{2000};                // how long what is ended may take before it is killed
  bool end_if_stopped = false;  // whoever goes on for so long after a stop (see stop_asked) is ended as well
  TraceSettings settings;
  std::string scratch;  // where the recording's directory is made; empty: $TMPDIR or /tmp
  CancelToken cancel;   // a stop besides the signals that come while it runs; one that is older is passed on as SIGINT
};

// How a program ended.
struct ProgramEnd {
  int exit_code = 0;  // when `signal` is 0
  int signal = 0;
  bool timed_out = false;
  bool stop_asked = false;  // SIGINT, SIGTERM or SIGHUP came to us while it ran, or it was cancelled
  bool passed() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

struct Recording {
  ScratchDirectory directory;
  std::string recorder;  // "valgrind", "pin"
  ProgramEnd end;
  int64_t started_ns = 0;  // since the epoch
  uint64_t duration_ns = 0;
};

// kNotFound: the program, or the recorder; kInvalid: not executable, not for this machine (what exactly is in the
// message); kUnsupported: for another kind of machine; kIo. A program that failed is no error.
Result<Recording> Launch(const LaunchRequest& request, const Recorder& recorder);

// Runs it without a recorder, under the same rules.
Result<ProgramEnd> LaunchPlain(const LaunchRequest& request);

}  // namespace oscope
