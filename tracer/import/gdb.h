// Backtraces of gdb: `bt`, `bt full`, `thread apply all bt`, live or of a core file.
//
//   Program received signal SIGSEGV, Segmentation fault.
//   #0  0x0000555555555131 in net::Socket::read (this=0x0) at /src/socket.cc:12
//   #1  0x00007ffff7df01ca in ?? () from /lib/x86_64-linux-gnu/libc.so.6
//
// Threads keep gdb's numbers less one. A second signal, or a second stack of the same thread,
// begins another run.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& GdbImporter();

}  // namespace oscope
