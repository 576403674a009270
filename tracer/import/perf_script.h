// The output of `perf script`: samples, each with the place a thread was at, and its call chain if it was recorded.
//
//   spin 32685  2780.835523:    5025125 cpu-clock:
//   	            117a leaf+0x11 (/tmp/spin)
//   	            1231 main+0x3b (/tmp/spin)
//
// A text is one run. Of each thread, two traces: the call chain of its last sample as a stack, and an execution trace
// of the functions that were new in a chain since the sample before (those beyond the frames that both have, outermost
// first, with their depths). Functions that came and went between two samples are missing: the execution traces are
// partial, "sampled". Without call chains there is the sequence of functions alone. Frames in the kernel are left out.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& PerfScriptImporter();

}  // namespace oscope
