// Recorder: how a program is put under one of the tracers. Valgrind's is the default, Pin's is taken where Pin is
// (PIN_ROOT or `pin` in PATH).
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
  // The command line that runs `command` and records it into `directory`, and "NAME=value" of the environment that it
  // needs.
  virtual std::vector<std::string> CommandLine(const std::string& directory,
                                               const std::vector<std::string>& command) const = 0;
  virtual std::vector<std::string> Environment() const = 0;
  // Why it cannot record, from what it left in `directory`; empty when it is not to blame.
  virtual std::string Complaint(const std::string& directory) const = 0;
};

// `name`: "valgrind", "pin", or empty: Pin where it is, else Valgrind. kNotFound says what to install.
// Our tools are looked for in the directory $OSCOPE_TOOLS if that is set, else beside the program and in ../lib/oscope.
Result<std::unique_ptr<Recorder>> FindRecorder(std::string_view name);

}  // namespace oscope
