// VALUES records: the arguments of a function.
#pragma once

#include <pin.H>

#include <cstdint>

#include "tracer/pin/thread.h"

namespace oscope::pin {

// The argument that is passed in a register, at a function's first instruction; `number` is below kArguments.
ADDRINT ArgumentOf(const CONTEXT* context, uint32_t number);

void WriteValues(Thread* thread, uint32_t site, ADDRINT sp, const CONTEXT* context);

}  // namespace oscope::pin
