// The names of EventOutcome in JSON lines.
#pragma once

#include <array>
#include <string_view>

namespace oscope {

inline constexpr std::array<std::string_view, 5> kJsonEventOutcomes = {"none", "taken", "not taken", "returned",
                                                                       "threw"};

}  // namespace oscope
