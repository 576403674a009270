// How a search that found too little looks further, step by step.
//
// Two searches do so. `CALL suffix` that found nothing asks again for more edits, since an empty answer does not help.
// The usual search that found fewer bugs than it may show goes on from edits to the methods that ran last. They share
// the loop and the form of a step; what a step asks, and what is enough, each of them says itself.
//
// It is in this folder because both the search of query/similar and a session use it, and query/similar uses sessions.
// Threads: no state; from any thread.
//
// Example:
//   Widen(std::move(answer), WiderEdits(5, 50), [](const Answer& found) { return !found.rows.empty(); },
//         [&](const WideningStep& step, Answer) { return AskWithin(step.distance); });
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace oscope {

// One look further.
struct WideningStep {
  uint64_t distance = 0;  // the farthest that is asked for, in what the search counts
  std::string note;       // what the user reads when this step's answer is shown
  bool operator==(const WideningStep&) const = default;
};

// The steps of a search by edits that found nothing within `asked`: each asks for twice as many as the one before (2
// after 0), the last for `most`. None when `asked`, or 1, is `most` or more already.
std::vector<WideningStep> WiderEdits(uint64_t asked, uint64_t most);

// What is found when the steps are asked one after another until `is_enough(found)`; `found` is what is known before
// the first of them, and is returned as it is when that is enough or there are no steps.
// `ask(step, found)` returns a Result of what is known after the step: it may replace `found` or add to it. The first
// error of `ask` ends the search and is returned.
template <typename Found, typename IsEnough, typename Ask>
Result<Found> Widen(Found found, const std::vector<WideningStep>& steps, const IsEnough& is_enough, const Ask& ask) {
  for (const WideningStep& step : steps) {
    if (is_enough(std::as_const(found))) break;
    OSCOPE_ASSIGN_OR_RETURN(found, ask(step, std::move(found)));
  }
  return found;
}

}  // namespace oscope
