// The calls whose end matters: those with RESULT records, and those of a `chop within`.
#pragma once

#include <pin.H>

#include "tracer/pin/functions.h"
#include "tracer/pin/thread.h"

namespace oscope::pin {

// On the entry of a special function, before anything is written of it.
void EnterCall(Thread* thread, const Function& function, ADDRINT sp, ADDRINT return_address);

// A handler begins at a call of the exception runtime with this stack pointer.
void CatchAt(Thread* thread, ADDRINT sp);

// The thread is about to execute some other instruction: with chop points, what it is recorded at is brought up to
// date.
void ReachAt(Thread* thread, ADDRINT sp);

// At a `ret`: analysis routines, the second of which Pin calls only where the first gives something but 0.
ADDRINT PIN_FAST_ANALYSIS_CALL MayEndCalls(const Thread* thread, ADDRINT sp);
VOID PIN_FAST_ANALYSIS_CALL ReturnAt(Thread* thread, ADDRINT sp, ADDRINT result);

// Takes over what the switch and the open calls say, and writes a CHOP record if that is a change.
void UpdateChop(Thread* thread);

}  // namespace oscope::pin
