// Starts a program. The one place where this process makes another: without a shell, and never by fork, so that it is
// safe beside threads.
//
// Whoever starts one reaps it with WaitForExit.
// Threads: may be called from any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace oscope {

struct SpawnRequest {
  std::vector<std::string> argv;                        // at least the program's name
  std::string program;                                  // its path; empty: argv[0], looked up in PATH without a slash
  std::optional<std::vector<std::string>> environment;  // "NAME=value", all of it; else ours
  std::string working_directory;                        // empty: ours
  // Descriptors of ours, above 2, that become its standard streams; -1: it has ours.
  int in = -1, out = -1, err = -1;
  bool only_standard_streams = false;  // nothing else is inherited, not even what lacks O_CLOEXEC
  bool own_group = false;              // it leads a process group, so that its children can be signalled with it
  // Signals that we ignore are not ignored in it. (None is blocked in it, whatever we block.)
  bool usual_signals = false;
};

// Its process. kNotFound when there is no such program or directory, kIo when it cannot be started.
Result<pid_t> Spawn(const SpawnRequest& request);

// A descriptor that is readable once the process has ended; none when the system cannot give one, with the reason in
// errno.
Descriptor OpenProcess(pid_t pid);

// Waits for the end of a child and returns its status, as waitpid tells it.
int WaitForExit(pid_t pid);

}  // namespace oscope
