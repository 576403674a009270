// The process that a shared library's metric runs in: loads the library and answers the lines of metric_protocol.h.
//
// The command line calls it from a hidden subcommand; the query starts that as a child.
#pragma once

#include <string>

namespace oscope {

// Serves standard input and output until the input ends. What the library prints is thrown away. Returns an exit code:
// 0, or 1 after an `error` line (the library cannot be loaded, is of another ABI, refuses its arguments) or input that
// is not the protocol.
int RunMetricHost(const std::string& library);

}  // namespace oscope
