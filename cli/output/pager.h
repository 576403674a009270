// Shows long output through $PAGER (less -R if not set).
//
// From Start until the object is destroyed, stdout is the pager's input. Ask Context::color() and TerminalWidth()
// before Start.
#pragma once

#include <sys/types.h>

#include "base/descriptor.h"

namespace oscope::cli {

class Pager {
 public:
  // Where it is not wanted, Start does nothing (Context::wants_pager()).
  explicit Pager(bool wanted) : wanted_(wanted) {}
  ~Pager();  // waits until the user leaves the pager
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // No pager, or one that cannot be started, is no error: the output goes to the terminal.
  void Start();
  bool closed() const;  // whether the user has left the pager

 private:
  bool wanted_;
  pid_t pid_ = -1;
  Descriptor terminal_;  // what stdout was
};

}  // namespace oscope::cli
