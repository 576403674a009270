// The user's own metrics, for a session: what the nearest oscope.toml names, and this program as the host of libraries.
#pragma once

#include <string>

#include "base/result.h"
#include "query/semantics/make_metric.h"

namespace oscope::cli {

// `oscope metric-host LIBRARY`, which no help shows: the child that a library's metric runs in.
inline constexpr const char* kMetricHostCommand = "metric-host";

// None without an oscope.toml from `directory` upwards.
Result<UserMetrics> LoadUserMetrics(const std::string& directory);

}  // namespace oscope::cli
