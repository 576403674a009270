// One frame of a sanitizer's stack.
#pragma once

#include <optional>
#include <string_view>

#include "tracer/import/import_batch.h"

namespace oscope {

// `text` is what follows the frame's number: "0x55d0 in f(int) /src/a.c:5:3", "f /src/a.c:5
// (a+0x12) (BuildId: 00ff)".
std::optional<StackFrame> ParseSanitizerFrame(std::string_view text);

}  // namespace oscope
