/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/stacks.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcsetjmp.h>
#include <pub_tool_machine.h>
#include <pub_tool_signals.h>
#include <pub_tool_stacktrace.h>
#include <pub_tool_vki.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/records.h"

static VG_MINIMAL_JMP_BUF(unreadable);

static void GiveUp(Int signal, Addr address) {
  (void)signal, (void)address;
  VG_MINIMAL_LONGJMP(unreadable);
}

/* Valgrind's unwinder goes on past the program's first function, into its arguments. */
static void CutAtNoCode(Stack* stack) {
  for (UInt i = 1; i < stack->count; ++i) {
    if (!VG_(am_is_valid_for_client)(stack->frames[i], 1, VKI_PROT_EXEC)) stack->count = i;
  }
}

void StackOf(ThreadId tid, Stack* stack) {
  stack->count = VG_(get_StackTrace)(tid, stack->frames, OSC_RAW_MAX_STACK, NULL, NULL, 0);
  CutAtNoCode(stack);
}

/* A call through a bad pointer has left the code: the caller is where the return address says. */
static void UnwindFromCaller(ThreadId tid, Stack* stack) {
  const Addr ip = VG_(get_IP)(tid);
  const Addr caller = CallBefore(ReadClientWord(VG_(get_SP)(tid)));
  stack->count = 1 + VG_(get_StackTrace_with_deltas)(tid, stack->frames + 1, OSC_RAW_MAX_STACK - 1, NULL, NULL,
                                                     (Word)(caller - ip), sizeof(Addr));
  CutAtNoCode(stack);
}

void StackOfDead(ThreadId tid, Stack* stack) {
  stack->frames[0] = VG_(get_IP)(tid);
  stack->count = 1;
  fault_catcher_t const before = VG_(set_fault_catcher)(GiveUp);
  if (VG_MINIMAL_SETJMP(unreadable) == 0) {
    if (VG_(am_is_valid_for_client)(stack->frames[0], 1, VKI_PROT_EXEC)) {
      StackOf(tid, stack);
    } else {
      UnwindFromCaller(tid, stack);
    }
  }
  VG_(set_fault_catcher)(before);
}

void WriteStack(const Stack* stack, OscRawExtended why) {
  RecordBegin(OSC_RAW_STACK);
  RecordWord(why);
  RecordWord(stack->count);
  for (UInt i = 0; i < stack->count; ++i) RecordCode(stack->frames[i]);
  RecordEnd();
}
