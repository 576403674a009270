// What the name of a bug may mean, and what is said of one that means nothing or too much.
//
// Snapshot::ResolveBug looks the readings up in the names of each segment (bug_name_table.h).
// Threads: pure functions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tracer/model/bug.h"

namespace oscope {

// Each way to read a text as a project and an id: "a-b-3" may be bug b-3 of a, or bug 3 of a-b. What no bug can be
// named is left out.
std::vector<BugKey> ReadingsOf(std::string_view text);

// kNotFound, with the nearest names of these bugs: to find them takes a look at all. Without bugs it offers nothing.
Error UnknownBug(std::string_view text, std::span<const BugKey> bugs);

// kConflict, with the candidates.
Error AmbiguousBug(std::string_view text, std::span<const BugKey> candidates);

}  // namespace oscope
