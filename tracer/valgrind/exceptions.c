/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/exceptions.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/frames.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/stacks.h"
#include "tracer/valgrind/threads.h"

/* libstdc++ on x86-64: an exception object lies behind a __cxa_exception of 112 bytes, whose first word points at the
 * type_info. */
enum { kMaxTypeName = 256, kMaxBases = 32, kExceptionHeaderBytes = 112 };

/* The name in the type_info at `type`: its second word points at it. */
static Bool TypeNameIs(Addr type, const HChar* name) {
  HChar found[kMaxTypeName];
  UInt size;
  if (!ReadClientString(ReadClientWord(type + 8), found, kMaxTypeName - 1, &size)) return False;
  found[size] = '\0';
  return VG_STREQ(found, name);
}

/* Does the type have one base and no more? Then its type_info is of the class for that, which its own type_info names
 * (one word before its virtual functions), and the third word points at the base. */
static Bool HasSingleBase(Addr type) {
  const Addr functions = ReadClientWord(type);
  return functions != 0 && TypeNameIs(ReadClientWord(functions - 8), "N10__cxxabiv120__si_class_type_infoE");
}

/* libstdc++ keeps the message of these two behind the pointer that follows the virtual functions. */
static Bool HasMessage(Addr type) {
  for (UInt i = 0; i < kMaxBases && type != 0; ++i) {
    if (TypeNameIs(type, "St13runtime_error") || TypeNameIs(type, "St11logic_error")) return True;
    if (!HasSingleBase(type)) return False;
    type = ReadClientWord(type + 16);
  }
  return False;
}

static void TellThrow(const Registers* registers, Addr object, Addr type) {
  RecordBegin(OSC_RAW_THROW);
  RecordWord((UInt)registers->guest_RSP);
  RecordCode(CallerOf(registers));
  RecordStringAt(ReadClientWord(type + 8), True);
  if (HasMessage(type)) {
    RecordStringAt(ReadClientWord(object + 8), False);
  } else {
    RecordNoText();
  }
  RecordEnd();
  Thread* const thread = RunningThread();
  thread->thrown = object;
  if (thread->throw_stack == NULL) thread->throw_stack = VG_(malloc)("oscope.throw", sizeof(Stack));
  StackOf(VG_(get_running_tid)(), thread->throw_stack);
}

void Thrown(const Registers* registers) { TellThrow(registers, ArgumentOf(registers, 0), ArgumentOf(registers, 1)); }

void Caught(const Registers* registers) {
  FramesUnwound(registers->guest_RSP);
  RecordBegin(OSC_RAW_CATCH);
  RecordWord((UInt)registers->guest_RSP);
  RecordCode(CallerOf(registers));
  RecordEnd();
}

void Rethrown(const Registers* registers) {
  RecordBegin(OSC_RAW_RETHROW);
  RecordWord((UInt)registers->guest_RSP);
  RecordCode(CallerOf(registers));
  RecordEnd();
}

/* The argument is the address of an exception_ptr, whose only word points at the object that was thrown first: what
 * flies from here on depends on it. */
void ThrownOn(const Registers* registers) {
  const Addr object = ReadClientWord(ArgumentOf(registers, 0));
  if (object != 0 && object == RunningThread()->thrown) {
    Rethrown(registers);
  } else {
    TellThrow(registers, object, ReadClientWord(object - kExceptionHeaderBytes));
  }
}

void WriteThrowStack(void) {
  Thread* const thread = RunningThread();
  if (thread->throw_stack == NULL) return;
  WriteStack(thread->throw_stack, OSC_RAW_THROW);
  VG_(free)(thread->throw_stack);
  thread->throw_stack = NULL;
}
