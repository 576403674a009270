// Stack traces of the program.
#pragma once

#include <pin.H>

#include <cstdint>
#include <vector>

#include "tracer/pin/thread.h"

namespace oscope::pin {

// Innermost first: where the thread is, then a place in each call that led there. An analysis routine or a callback may
// call it.
std::vector<ADDRINT> StackAt(const CONTEXT* context);

// `why` is OSC_RAW_MARK, _THROW or _SIGNAL.
void WriteStack(Thread* thread, uint32_t why, const std::vector<ADDRINT>& frames);

// The stack of the last throw, before the record that shows that it mattered; once.
void WriteStackOfThrow(Thread* thread);

// The site of the call before a return address, ready for use.
uint32_t CallSite(ADDRINT return_address);

}  // namespace oscope::pin
