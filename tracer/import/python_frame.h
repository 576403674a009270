// The frame lines of a Python traceback.
#pragma once

#include <optional>
#include <string_view>

#include "tracer/import/import_batch.h"

namespace oscope {

// `File "/src/app.py", line 9, in f`; faulthandler writes `line 9 in f`; a syntax error has no
// function.
std::optional<StackFrame> ParsePythonFrame(std::string_view text);

// Looks like a frame line, well-formed or not.
bool IsPythonFrameLine(std::string_view text);

}  // namespace oscope
