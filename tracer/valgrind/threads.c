/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/threads.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>

#include "tracer/valgrind/chop.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"

static Thread* threads; /* by ThreadId, which Valgrind gives again */
static Thread* running;
static UInt next_ordinal;

void ThreadsInit(void) {
  threads = VG_(calloc)("oscope.threads", VG_N_THREADS, sizeof *threads);
  running = &threads[1];
}

void ThreadBegins(ThreadId tid) {
  Thread* const thread = &threads[tid];
  if (thread->frames != NULL) VG_(free)(thread->frames);
  if (thread->throw_stack != NULL) VG_(free)(thread->throw_stack);
  VG_(memset)(thread, 0, sizeof *thread);
  thread->ordinal = next_ordinal++;
  thread->recorded = thread->ordinal == 0 || !g_settings.main_thread_only;
  thread->within = kNotWithin;
  thread->told = ChopAtFirst();
  SitesTellThread(thread->ordinal, VG_(gettid)());
}

void ThreadRuns(ThreadId tid, ULong blocks_done) {
  (void)blocks_done;
  running = &threads[tid];
  g_frames_waiting = running->frame_count;
  if (running->recorded) {
    SinkListen(running->ordinal);
  } else {
    SinkIgnore();
  }
  ChopThreadRuns();
}

void ThreadsAfterFork(ThreadId tid) {
  next_ordinal = 0;
  running = &threads[tid];
  running->ordinal = next_ordinal++;
  running->recorded = True;
  running->told = ChopAtFirst();
  SitesTellThread(running->ordinal, VG_(gettid)());
}

void ThreadsForgetThrown(Addr object) {
  for (UInt i = 0; i < VG_N_THREADS; ++i) {
    if (threads[i].thrown == object) threads[i].thrown = 0;
  }
}

Thread* RunningThread(void) { return running; }
