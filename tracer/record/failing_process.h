// Which of a run's processes went wrong: the program, or the one whose failure it passed on.
//
// A shell, `env` or `timeout` ends with the code of what it ran: the code of an exit without other signs of a failure
// is followed down to the process that had it first. Others, like `make` and `ctest`, have codes of their own: then a
// process that did more than exit (it crashed, threw, failed a test) is taken.
//
// A process id is one process, whatever programs it executes one after another; its last program (image) is what it
// ended by, and what an earlier one started was not waited for by that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tracer/raw/raw_format.h"

namespace oscope {

// An image: what one ordinal of a recording is.
struct ProcessFate {
  uint32_t ordinal = 0;
  uint32_t parent = OSC_RAW_NO_PROCESS;  // the ordinal it was forked from
  bool forked = false;                   // false: executed, by the launcher or in a process that was there
  uint32_t pid = 0;
  int code = 0;            // its end, as a shell reports it: the exit code, or 128 plus the signal's number
  bool only_exit = false;  // if something went wrong in it, only its exit code shows that
};

// The last image of the program, which is the first of `images`. They are there (one at least), by ordinal.
size_t LastImageOfProgram(std::span<const ProcessFate> images);

// The image in which it went wrong: the program's last one, unless that only exited, with a `code` (not 0) that a
// process which it started ended with too. Of those the one that was started last; its children before theirs, since a
// failure that came up to the program passed through them. That one may have passed it on as well. Where no code leads
// further, the last such process that failed by more than its exit.
size_t FailingProcess(std::span<const ProcessFate> images, int code);

}  // namespace oscope
