// The [trace] table of oscope.toml: what a project always records.
//
//   [trace]
//   granularity = "method"
//   recorder = "valgrind"
//   limit = 8000000                          # events of a process
//   leave_out = ["boost::*", "log_*"]        # names, beside the default list
//   keep = ["std::filesystem::*"]            # names that the default list leaves out
//   leave_out_objects = ["libssl.so*"]
//   keep_objects = ["libstdc++.so*"]
//   values = ["open", "close"]
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tracer/record/trace_settings.h"

namespace oscope {

struct TraceConfig {
  TraceSettings settings;
  std::string recorder;
};

// `file` is where the text is from, for errors: kInvalid, "file:line: …", on what is not understood, also on unknown
// keys.
Result<TraceConfig> ParseTraceConfig(std::string_view text, const std::string& file);

}  // namespace oscope
