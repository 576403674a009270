// Collapsed ("folded") stacks, as flame graph tools exchange them: frames outermost first, then how
// often the stack was seen.
//
//   main;parse;read 3
//   main;write 1
//
// A text is one run; each distinct stack is a trace, on the thread ordinal of its first line, with
// "samples: 3" as its thread name. Lines of the same stack add up. Kernel and JIT marks ("_[k]",
// "_[j]", …) go. Lines that begin with # are comments.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& CollapsedStacksImporter();

}  // namespace oscope
