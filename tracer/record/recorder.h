// Recorder: the command line that runs a program under Valgrind or Intel Pin with our tool. Pin is used where it is
// found (in PIN_ROOT, or as `pin` in PATH), Valgrind otherwise.
// Threads: immutable; may be used from any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual std::string_view name() const = 0;  // "valgrind"
  // Returns the command line that runs `command` and records it into `directory`; Environment returns the variables
  // that it needs, as "NAME=value".
  virtual std::vector<std::string> CommandLine(const std::string& directory,
                                               const std::vector<std::string>& command) const = 0;
  virtual std::vector<std::string> Environment() const = 0;
  // Returns why nothing was recorded, from the logs that the recorder left in `directory`; empty when the recorder
  // reported no problem.
  virtual std::string Complaint(const std::string& directory) const = 0;
};

// Returns the recorder called `name`: "valgrind" or "pin"; for an empty name Pin if it is found, otherwise Valgrind.
// Fails with kNotFound, and says what to install, when the recorder or our tool for it is missing; with kInvalid for
// another name. Our tools are looked for in the directory $OSCOPE_TOOLS if that is set, otherwise beside this program
// and in ../lib/oscope.
Result<std::unique_ptr<Recorder>> FindRecorder(std::string_view name);

}  // namespace oscope
