// One frame of a gdb backtrace, whose line breaks have been joined.
#pragma once

#include <optional>
#include <string_view>

#include "tracer/import/import_batch.h"

namespace oscope {

// `text` is what follows the frame's number. nullopt when it is not a frame, or is cut.
std::optional<StackFrame> ParseGdbFrame(std::string_view text);

}  // namespace oscope
