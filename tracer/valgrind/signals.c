/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Valgrind tells tools of no signal without a handler. After such a one it ends the program, calls the tool's end, and
 * last raises the signal against itself, by VG_(kill_self). The linker puts our function before that one (--wrap, see
 * CMakeLists.txt). By then the thread no longer runs, but its registers and its stack are still as they were, and a
 * fault while we read them can be caught. */
#include "tracer/valgrind/signals.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_libcsignal.h>
#include <pub_tool_machine.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/core_symbols.h"
#include "tracer/valgrind/exceptions.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"
#include "tracer/valgrind/stacks.h"

void __real_vgPlain_kill_self(Int number);
void __wrap_vgPlain_kill_self(Int number);
void __wrap_vgPlain_make_coredump(ThreadId tid, const vki_siginfo_t* info, ULong max_size);

static Bool program_ended;

static void WriteSignal(Int number, UInt fatal) {
  RecordBegin(OSC_RAW_SIGNAL);
  RecordWord((UInt)number);
  RecordWord(fatal);
  RecordEnd();
}

void SignalIsHandled(ThreadId tid, Int number, Bool on_other_stack) {
  (void)tid, (void)on_other_stack;
  WriteThrowStack();
  WriteSignal(number, 0);
}

/* Valgrind's processor lags behind the real one; a program compiled for this very machine may use what it does not
 * know. */
static void NoteInstruction(Addr ip) {
  UChar code[8];
  HChar text[128];
  if (!ReadClient(ip, code, sizeof code)) return;
  const Bool is_meant = code[0] == 0x0f && code[1] == 0x0b; /* ud2: __builtin_trap */
  if (is_meant) return;
  VG_(sprintf)(text, "SIGILL at %lx: %02x %02x %02x %02x %02x %02x: Valgrind may not know this instruction (AVX-512?)",
               ip, code[0], code[1], code[2], code[3], code[4], code[5]);
  SitesNote(text);
}

void SignalIsFatal(ThreadId tid, Int number) {
  Stack stack;
  StackOfDead(tid, &stack);
  if (number == VKI_SIGILL) NoteInstruction(stack.frames[0]);
  WriteThrowStack();
  WriteSignal(number, 1);
  WriteStack(&stack, OSC_RAW_SIGNAL);
}

void SignalsProgramEnded(void) { program_ended = True; }

/* Valgrind sends the signal to the process, whence the kernel may hand it to another thread that is just about to go:
 * this one would run on into Valgrind's "signal was supposed to be fatal" and an exit code of 1. What a thread sends to
 * itself kills before the call returns. */
static void DieOf(Int number) {
  vki_sigaction_toK_t action;
  vki_sigset_t mask;
  VG_(memset)(&action, 0, sizeof action);
  action.ksa_handler = VKI_SIG_DFL;
  VG_(do_syscall)(__NR_rt_sigaction, (RegWord)number, (RegWord)&action, 0, sizeof mask, 0, 0, 0, 0);
  VG_(sigemptyset)(&mask);
  VG_(sigaddset)(&mask, number);
  VG_(sigprocmask)(VKI_SIG_UNBLOCK, &mask, NULL);
  VG_(do_syscall)(__NR_tgkill, (RegWord)VG_(getpid)(), (RegWord)VG_(gettid)(), (RegWord)number, 0, 0, 0, 0, 0);
}

void __wrap_vgPlain_kill_self(Int number) {
  if (program_ended) SignalIsFatal(VG_(get_running_tid)(), number);
  DieOf(number);
  __real_vgPlain_kill_self(number);
}

/* No core file: it would be of Valgrind's making and lie in the recording. */
void __wrap_vgPlain_make_coredump(ThreadId tid, const vki_siginfo_t* info, ULong max_size) {
  (void)tid, (void)info, (void)max_size;
}
