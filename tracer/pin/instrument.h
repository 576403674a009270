// Puts the writing of records into translated code. Pin calls it for each trace of instructions before it runs for the
// first time.
#pragma once

#include <pin.H>

#include "tracer/pin/settings.h"

namespace oscope::pin {

void OnTrace(TRACE trace, VOID*);

// Whether records of a kind can be wanted: by the settings' granularity, or by that of a chop point.
bool IsWanted(Granularity kind);

}  // namespace oscope::pin
