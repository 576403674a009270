// The steps of a search by edits: each asks for twice as many as the one before.
#include "query/run/widening.h"

#include <fmt/core.h>

#include <algorithm>

namespace oscope {

std::vector<WideningStep> WiderEdits(uint64_t asked, uint64_t most) {
  std::vector<WideningStep> steps;
  for (uint64_t wider = std::max<uint64_t>(asked, 1); wider < most;) {
    wider = wider > most / 2 ? most : wider * 2;  // twice as many could be more than a number holds
    steps.push_back({.distance = wider, .note = fmt::format("nothing within {} edits: widened to {}", asked, wider)});
  }
  return steps;
}

}  // namespace oscope
