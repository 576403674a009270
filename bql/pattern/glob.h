// Globs over event names: `*` stands for any bytes, separators too; `\*` is a star, `\\` a backslash.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace oscope::bql {

// `::` and `/` written as `.`, so that texts compare without regard to which separator they use.
std::string WithOneSeparator(std::string_view text);

// Whether the glob matches the whole text. O(|glob| · |text|) at worst.
bool MatchesGlob(std::string_view glob, std::string_view text);

// Whether a text has a `*` that is not escaped.
bool IsGlob(std::string_view text);

// `\x` becomes x.
std::string WithoutEscapes(std::string_view text);

}  // namespace oscope::bql
