// What uftrace recorded: the output of `uftrace dump`, or the data directory itself.
//
//   reading 31588.dat
//   2681.184992359  31588: [entry] main(55ff1decc3cf) depth: 0
//   2681.184992519  31588: [entry] net::Socket::read(55ff1decc4fa) depth: 1
//   2681.184992569  31588: [exit ] net::Socket::read(55ff1decc4fa) depth: 1
//
// A recording is one run, each task an execution trace of the functions entered, with their depths. A directory comes
// as a tar archive (PackUftraceDirectory makes one; so does tar); it also tells processes from threads, the exit status
// and the command. A run that a signal ended has its mark, and the stack of open calls, in the thread that recorded
// last.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& UftraceImporter();

// Whether `path` is a directory that uftrace wrote.
bool IsUftraceDirectory(const std::string& path);

// The files of a data directory that matter, as an archive for the importer. kLimit when they exceed `max_bytes`.
Result<std::string> PackUftraceDirectory(const std::string& path, uint64_t max_bytes);

}  // namespace oscope
