// What someone who misspelt a name may have meant.
//
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

// The at most `max` candidates nearest to `name`, nearest first. Near is few insertions, deletions, substitutions and
// swaps of neighbours, without regard to case: at most a third of the name's length, and at least one. Among equals the
// one nearer in case comes first, then the order of the candidates decides.
std::vector<std::string> Suggest(std::string_view name, std::span<const std::string> candidates, size_t max = 3);

// "did you mean 'x', 'y' or 'z'?"; empty for no names.
std::string DidYouMean(std::span<const std::string> names);

}  // namespace oscope
