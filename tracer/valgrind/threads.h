/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's threads: a number of ours each, given in the order in which they begin and never again, and what we
 * keep for one. */
#ifndef OSCOPE_TRACER_VALGRIND_THREADS_H_
#define OSCOPE_TRACER_VALGRIND_THREADS_H_

#include <pub_tool_basics.h>

#include "tracer/valgrind/frames.h"
#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/stacks.h"

typedef struct {
  UInt ordinal;
  Bool recorded; /* else its flow is left out; what went wrong in it is told all the same */
  Frame* frames; /* innermost last */
  UInt frame_count, frame_room;
  Int within;         /* the granularity that its innermost `chop within` sets, or kNotWithin */
  Granularity told;   /* what its records have said so far */
  Stack* throw_stack; /* of its last throw, until it is written */
  Addr thrown;        /* the object of its last throw, while there is one */
} Thread;

void ThreadsInit(void);

/* Valgrind's events. */
void ThreadBegins(ThreadId tid);
void ThreadRuns(ThreadId tid, ULong blocks_done);

/* After a fork, `tid` is the only thread and the first of its process. */
void ThreadsAfterFork(ThreadId tid);

/* The exception object is no more: its place is for the next one, of whatever thread. */
void ThreadsForgetThrown(Addr object);

/* The thread that runs, or that ran last. */
Thread* RunningThread(void);

#endif /* OSCOPE_TRACER_VALGRIND_THREADS_H_ */
