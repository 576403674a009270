// MARK records: a failure function was entered.
#pragma once

#include <pin.H>

#include "tracer/pin/settings.h"
#include "tracer/pin/thread.h"

namespace oscope::pin {

// If the rule's argument is as it says: the stack of the throw before it, if there was one, MARK with what it captures,
// and the stack.
void WriteMarkIfFits(Thread* thread, const MarkRule& mark, ADDRINT sp, ADDRINT caller, const CONTEXT* context);

}  // namespace oscope::pin
