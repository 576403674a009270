/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's threads: a number of ours each, given in the order in which they begin and never again, and what we keep for one. */
#ifndef OSCOPE_TRACER_VALGRIND_THREADS_H_
#define OSCOPE_TRACER_VALGRIND_THREADS_H_

#include <pub_tool_basics.h>

typedef struct {
  UInt ordinal;
  Bool recorded; /* else its flow is left out; what went wrong in it is told all the same */
} Thread;

void ThreadsInit(void);

/* Valgrind's events. */
void ThreadBegins(ThreadId tid);
void ThreadRuns(ThreadId tid, ULong blocks_done);

/* After a fork, `tid` is the only thread and the first of its process. */
void ThreadsAfterFork(ThreadId tid);

/* The thread that runs, or that ran last. */
Thread* RunningThread(void);

#endif /* OSCOPE_TRACER_VALGRIND_THREADS_H_ */
