// What the C and C++ run-time libraries print when a program aborts, and the lines of
// backtrace_symbols_fd(3).
//
//   *** Error in `./prog': double free or corruption (fasttop): 0x0000000001a2b010 ***
//   ======= Backtrace: =========
//   /lib/x86_64-linux-gnu/libc.so.6(abort+0x12b)[0x7f3c1a2b3c4d]
//   ./prog(main+0x1d)[0x4005fd]
//
// A failed assert() names its function, so it is a stack of one frame even without a backtrace. Any
// other message must be followed by a backtrace: without one there is no trace.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& GlibcImporter();

}  // namespace oscope
