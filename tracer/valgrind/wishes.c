/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/wishes.h"

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/exceptions.h"
#include "tracer/valgrind/marks.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/threads.h"
#include "tracer/valgrind/values.h"

UWord ArgumentOf(const Registers* registers, UInt index) {
  switch (index) {
    case 0: return registers->guest_RDI;
    case 1: return registers->guest_RSI;
    case 2: return registers->guest_RDX;
    case 3: return registers->guest_RCX;
    case 4: return registers->guest_R8;
    case 5: return registers->guest_R9;
    default: return ReadClientWord(registers->guest_RSP + 8 * (index - 5));
  }
}

Addr CallerOf(const Registers* registers) { return CallBefore(ReadClientWord(registers->guest_RSP)); }

void FulfilWishes(const Registers* registers, const Wishes* wishes) {
  if (wishes->values) ValuesEntered(registers, wishes->site);
  switch (wishes->role) {
    case kThrow: Thrown(registers); break;
    case kBeginCatch: Caught(registers); break;
    case kRethrow: Rethrown(registers); break;
    case kThrowOn: ThrownOn(registers); break;
    case kFreeException: ThreadsForgetThrown(ArgumentOf(registers, 0)); break;
    case kPlain: break;
  }
  for (UInt i = 0; i < wishes->mark_count; ++i) MarkEntered(registers, wishes->marks[i]);
}
