// The files of a uftrace data directory.
//
//   info             magic "Ftrace!", a binary header, then "key:value" lines: exename, exit_status, cmdline, …
//   task.txt         SESS, TASK, FORK and DLOP lines: which program, tasks, children and libraries, and when
//   sid-<id>.map     of a session: where objects were mapped, as in /proc/<pid>/maps
//   <object>.sym     "ADDRESS TYPE NAME" lines, addresses from the object's first mapping
//   <tid>.dat        of a task: records of 16 bytes: time u64; type:2 more:1 magic:3 depth:10 addr:48
// Data recorded with arguments or return values has more bytes between the records, whose number only uftrace knows:
// such a directory is refused; `uftrace dump` prints it.
#pragma once

#include <span>

#include "tracer/import/import_batch.h"
#include "tracer/import/tar_members.h"

namespace oscope {

inline constexpr std::string_view kUftraceMagic{"Ftrace!\0", 8};

// Adds the run of a data directory's files to the batch. Problems have line 0.
void ParseUftraceFiles(std::span<const TarMember> files, ImportBatch& batch);

}  // namespace oscope
