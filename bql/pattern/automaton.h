// From postfix steps to an automaton without empty moves: Thompson's construction, then the empty moves go.
//
// `^` and `$` are moves too: `^` can be passed while nothing has been read, and after `$` nothing can be read. States
// that lead on alike are one, so that (a|b|c)* has one state; states that lie on no way to the end go.
// Threads: pure functions.
#pragma once

#include <span>

#include "bql/pattern/pattern.h"
#include "bql/pattern/pattern_parser.h"

namespace oscope::bql {

// The matchers of one event step: a plain name has two, the method and the scope that may repeat; all else one.
struct StepMatchers {
  uint32_t event = 0;
  std::optional<uint32_t> scope;
};

// Fills states, start, accepting, edges and shortest_word. `matchers` is by token; `any` is the matcher of every event.
// Fails with kLimit when there would be more than `max_states` states (before any is made) or 64 times as many edges.
Status BuildAutomaton(std::span<const PatternStep> steps, std::span<const StepMatchers> matchers, uint32_t any,
                      size_t max_states, Pattern& pattern);

}  // namespace oscope::bql
