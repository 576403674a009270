/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The recording's directory and this process's place in it: its ordinal, and files under names of that ordinal.
 *
 * Every descriptor we keep lies above those that the program can have and is closed at exec. The directory is held
 * open, so that the program may change its root, its working directory and its limits. */
#ifndef OSCOPE_TRACER_VALGRIND_RECORDING_H_
#define OSCOPE_TRACER_VALGRIND_RECORDING_H_

#include <pub_tool_basics.h>

/* Opens the directory and its control file; exits with 125 where there is none. */
void RecordingOpen(const HChar* directory);

/* Takes the next ordinal for this process. False: there are `process_limit` of them already; it records nothing. */
Bool RecordingJoin(void);

UInt RecordingOrdinal(void);

/* Opens <ordinal>.<suffix>, new, for reading and writing, with `flags` besides. -1: it cannot be. */
Int RecordingCreate(const HChar* suffix, Int flags);

/* May `count` bytes be written at `offset` without a signal? The limit on the size of files is the program's to set,
 * and a write past it would send the program a SIGXFSZ that it never earned. */
Bool RecordingMayWrite(ULong offset, ULong count);

#endif /* OSCOPE_TRACER_VALGRIND_RECORDING_H_ */
