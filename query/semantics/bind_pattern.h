// A pattern's automaton over the event ids at hand.
//
// Threads: a pure function.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "bql/pattern/pattern.h"
#include "query/distance/pattern_distance.h"

namespace oscope {

// names[id] is the text of event `id`; an id beyond them is an event that only `.` matches. The sets are by the
// pattern's matchers. A matcher that no name satisfies stands for a fresh event: it can be inserted or replaced at its
// cost, never kept.
Language BindPattern(const bql::Pattern& pattern, std::span<const std::string_view> names);
// The same. `ask` is called every few milliseconds, as each matcher looks at all names: its error ends the work and
// comes back as it is.
Result<Language> BindPattern(const bql::Pattern& pattern, std::span<const std::string_view> names,
                             const std::function<Status()>& ask);

}  // namespace oscope
