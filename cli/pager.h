// Shows long output through $PAGER (less -R if not set) when stdout is a terminal; else does nothing.
//
// From Start until the object goes, stdout is the pager's input. Ask Context::color() and TerminalWidth() before Start.
#pragma once

#include <sys/types.h>

#include "cli/context.h"

namespace oscope::cli {

class Pager {
 public:
  explicit Pager(const Context& context) : context_(context) {}
  ~Pager();  // waits until the user leaves the pager
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // No pager, or one that cannot be started, is no error: the output goes to the terminal.
  void Start();
  bool closed() const;  // the user left the pager: nobody reads any more

 private:
  const Context& context_;
  pid_t pid_ = -1;
  int terminal_ = -1;
};

}  // namespace oscope::cli
