// The user's metrics as oscope.toml names them.
//
//   [metrics.first_frames]
//   library = "metrics/libfirst_frames.so"
//
//   [metrics.bag]
//   command = ["python3", "metrics/bag.py"]
//   timeout_ms = 2000
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "query/distance/user/user_metric.h"

namespace oscope {

inline constexpr int64_t kMaxMetricTimeoutMs = 3'600'000;

// By name. `file` is where the text is from, for errors; relative paths of libraries, and of programs with a slash, are
// taken from its directory. Fails with kInvalid, "file:line: …", on what is not understood, also on unknown keys.
Result<std::vector<UserMetricConfig>> ParseUserMetrics(std::string_view text, const std::string& file);

}  // namespace oscope
