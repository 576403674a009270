// Points in time and lengths of time as people write them.
//
// A point in time is nanoseconds since 1970-01-01T00:00:00Z in an int64_t: the years 1678 to 2261.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// Parses strict ISO 8601: 2026-01-02 (midnight UTC), or 2026-01-02T03:04:05 with an optional fraction of 1 to 9 digits
// and then Z or an offset such as +01:00. Fails with kInvalid, which says what is wrong.
Result<int64_t> ParseTimestamp(std::string_view text);

// Returns 2026-01-02T03:04:05Z, with a fraction only if it is not 0. ParseTimestamp turns it into the same number.
std::string FormatTimestamp(int64_t time_ns);

// Parses a whole number and a unit (2w, 90d, 12h, 30m, 45s, 250ms) and returns nanoseconds. Fails with kInvalid for any
// other text.
Result<int64_t> ParseDuration(std::string_view text);

}  // namespace oscope
