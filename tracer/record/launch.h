// Launch: runs a program under a recorder, as if it ran alone.
//
// The program has our standard streams, process group and working directory (unless the request says otherwise), so
// that terminals, pipes and job control work as usual. While it runs, SIGINT and SIGQUIT are meant for the program (a
// terminal sends them to it as well); SIGTERM and SIGHUP are passed on to it. Afterwards the recording's directory
// contains the files that tracer/raw/raw_format.h describes. The directory is removed when the Recording is destroyed.
// Threads: one launch at a time in a process, because signal handlers belong to the process.
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
  std::chrono::milliseconds timeout{0};                 // after this time all of its processes are ended; 0: never
  std::chrono::milliseconds grace{2000};                // time between SIGTERM and SIGKILL
  bool end_if_stopped = false;  // also end the processes that still run one `grace` after a stop (see stop_asked)
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

// Runs the program and waits for its end. A program that fails is a result, not an error. Fails with kNotFound when
// there is no such program or working directory, with kInvalid when the program cannot be executed (the message says
// why) or the settings contradict each other, with kUnsupported when the program is for another kind of machine, and
// with kIo when the system cannot start it.
Result<Recording> Launch(const LaunchRequest& request, const Recorder& recorder);

// Runs the program without a recorder, under the same rules. When it is ended, only the program itself is ended, since
// its other processes are not known.
Result<ProgramEnd> LaunchPlain(const LaunchRequest& request);

}  // namespace oscope
