// Entries of special functions: those with marks, values, chop points, and the exception runtime.
#pragma once

#include <pin.H>

#include "tracer/pin/functions.h"
#include "tracer/pin/thread.h"

namespace oscope::pin {

// An analysis routine, at the function's first instruction. Writes in this order: ends of calls that turn out to be
// left, CHOP, ENTRY, VALUES, THROW / CATCH / RETHROW, MARK with its stack.
VOID PIN_FAST_ANALYSIS_CALL EnterSpecial(Thread* thread, const Function* function, const CONTEXT* context);

// The same for a chop point at a line, where a statement there begins.
VOID PIN_FAST_ANALYSIS_CALL ReachLineChop(Thread* thread, const ChopPoint* chop, ADDRINT sp);

}  // namespace oscope::pin
