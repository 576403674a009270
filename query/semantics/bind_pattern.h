// A pattern's automaton over the event ids at hand.
//
// Threads: a pure function.
#pragma once

#include <span>
#include <string_view>

#include "bql/pattern/pattern.h"
#include "query/distance/pattern_distance.h"

namespace oscope {

// names[id] is the text of event `id`; an id beyond them is an event that only `.` matches. The sets are by the
// pattern's matchers. A matcher that no name satisfies stands for a fresh event: it can be inserted or replaced at its
// cost, never kept.
Language BindPattern(const bql::Pattern& pattern, std::span<const std::string_view> names);

}  // namespace oscope
