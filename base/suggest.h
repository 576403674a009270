// Suggestions for a misspelt name.
//
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

// Returns the candidates nearest to `name`, the nearest first and at most `max` of them. The distance is the number of
// insertions, deletions, substitutions and swaps of neighbours, without regard to case; a candidate may differ by a
// third of the name's length, and always by one. Of equal candidates those with the same case come first, then the
// order of the candidates decides.
std::vector<std::string> Suggest(std::string_view name, std::span<const std::string> candidates, size_t max = 3);

// Returns "did you mean 'x', 'y' or 'z'?", or an empty text when there are no names.
std::string DidYouMean(std::span<const std::string> names);

}  // namespace oscope
