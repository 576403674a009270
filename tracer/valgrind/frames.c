/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/frames.h"

#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>

#include "tracer/valgrind/chop.h"
#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/threads.h"
#include "tracer/valgrind/values.h"

UWord g_frames_waiting;

Bool FramesAreUsed(void) {
  if (g_settings.value_count > 0) return True;
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    if (g_settings.chops[i].kind == kChopWithin) return True;
  }
  return False;
}

static Bool OnSignalStack(Addr sp) {
  const ThreadId tid = VG_(get_running_tid)();
  const Addr low = VG_(thread_get_altstack_min)(tid);
  return sp - low < VG_(thread_get_altstack_size)(tid);
}

/* Is `frame` deeper than `sp`? Addresses of two stacks say nothing of each other. */
static Bool IsDeeper(const Frame* frame, Addr sp) {
  return frame->sp < sp && OnSignalStack(frame->sp) == OnSignalStack(sp);
}

static Frame Pop(Thread* thread) {
  const Frame frame = thread->frames[--thread->frame_count];
  g_frames_waiting = thread->frame_count;
  return frame;
}

static Frame* Top(Thread* thread) { return thread->frame_count == 0 ? NULL : &thread->frames[thread->frame_count - 1]; }

static void Leave(Thread* thread) {
  const Frame frame = Pop(thread);
  if (frame.is_within) {
    ChopLeave(frame.before);
  } else {
    ValuesLeft(frame.site, frame.sp);
  }
}

static void DropDeeper(Thread* thread, Addr sp) {
  while (Top(thread) != NULL && IsDeeper(Top(thread), sp)) Leave(thread);
}

/* Two functions at the same place of the stack: either the first ended by jumping to the second (a tail call), which
 * then returns for both, or it was left and the place is used again. */
static Bool IsTailCall(const Frame* first, const Frame* second) {
  return first->return_address == second->return_address && first->site != second->site;
}

Frame FrameEntered(const Registers* registers, UInt site) {
  Thread* const thread = RunningThread();
  const Frame frame = {
      .sp = registers->guest_RSP, .return_address = ReadClientWord(registers->guest_RSP), .site = site};
  DropDeeper(thread, frame.sp);
  while (Top(thread) != NULL && Top(thread)->sp == frame.sp && !IsTailCall(Top(thread), &frame)) Leave(thread);
  return frame;
}

void FramesPush(Frame frame) {
  Thread* const thread = RunningThread();
  if (thread->frame_count == thread->frame_room) {
    thread->frame_room = 2 * thread->frame_room + 16;
    thread->frames = VG_(realloc)("oscope.frames", thread->frames, thread->frame_room * sizeof(Frame));
  }
  thread->frames[thread->frame_count++] = frame;
  g_frames_waiting = thread->frame_count;
}

void FramesReturned(Addr sp, UWord result) {
  Thread* const thread = RunningThread();
  const Addr entry_sp = sp - sizeof(Addr);
  DropDeeper(thread, entry_sp);
  while (Top(thread) != NULL && Top(thread)->sp == entry_sp) {
    const Frame frame = Pop(thread);
    if (frame.is_within) {
      ChopLeave(frame.before);
    } else {
      ValuesReturned(frame.site, frame.sp, result);
    }
  }
}

void FramesUnwound(Addr sp) { DropDeeper(RunningThread(), sp + 1); }
