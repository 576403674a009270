// Which frames of a stack are the project's own, and which are those of the C and C++ libraries, the loader, test
// frameworks, sanitizers, the JVM and the like.
//
// A stack looks different to each who sees it: gdb shows the frames of abort() and below main(), a sanitizer those of
// its run time, our recorder neither. What they have in common are the frames of the project.
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/run.h"

namespace oscope {

// Globs of objects' base names and of normalised methods that no project calls its own. A recorder leaves them out of
// traces unless its settings say otherwise.
std::span<const std::string_view> ForeignObjects();
std::span<const std::string_view> ForeignMethods();

// By the lists above, and by the functions and source files that only stacks of a crash have: raise(), a sanitizer's
// checks, a virtual machine's start. `method` is an event's text, as in a stack trace.
bool IsProjectFrame(std::string_view method, const SymbolAttributes& attributes);

// The innermost `limit` frames of a stack up to its failure mark (to its end where it has none), the innermost first:
// those of the project, or of all if none is the project's. For an execution these are the last events.
std::vector<SymbolId> ProjectFrames(const Trace& trace, const SymbolTable& symbols, size_t limit);

}  // namespace oscope
