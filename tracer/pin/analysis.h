// What translated code calls to write records. Small enough that Pin copies most of it into the code: no branch, no
// call.
//
// Without chop points a basic block checks once whether there is space (IsFull, TakeChunk) and then writes. With chop
// points each record is a call that checks everything.
#pragma once

#include <pin.H>

#include "tracer/pin/thread.h"

namespace oscope::pin {

ADDRINT PIN_FAST_ANALYSIS_CALL IsFull(const Thread* thread);
VOID PIN_FAST_ANALYSIS_CALL TakeChunk(Thread* thread);

VOID PIN_FAST_ANALYSIS_CALL WriteEntry(Thread* thread, UINT32 word, ADDRINT sp);
VOID PIN_FAST_ANALYSIS_CALL WriteBranch(Thread* thread, UINT32 word, BOOL taken);
VOID PIN_FAST_ANALYSIS_CALL WriteWord(Thread* thread, UINT32 word);

VOID PIN_FAST_ANALYSIS_CALL ChoppedEntry(Thread* thread, UINT32 word, ADDRINT sp);
VOID PIN_FAST_ANALYSIS_CALL ChoppedBranch(Thread* thread, UINT32 word, ADDRINT sp, BOOL taken);
VOID PIN_FAST_ANALYSIS_CALL ChoppedStatement(Thread* thread, UINT32 word, ADDRINT sp);
VOID PIN_FAST_ANALYSIS_CALL ChoppedInstruction(Thread* thread, UINT32 word, ADDRINT sp);

}  // namespace oscope::pin
