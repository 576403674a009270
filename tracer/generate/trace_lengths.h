// How long generated traces are: all alike, or spread as those of the thesis's database.
//
// Section 3.4 of the thesis: 877 traces of 2 to 50,012 events, 5,431.1 on average. The spread between is not given; we
// take a log-normal shape (many short, few very long) as a table of quantiles, with that mean.
#pragma once

#include <cstdint>

#include "tracer/generate/random.h"

namespace oscope {

inline constexpr uint32_t kThesisShortest = 2;
inline constexpr uint32_t kThesisLongest = 50'012;

// The length below which a share `numerator` / `denominator` of the traces lies; numerator <= denominator.
uint32_t ThesisLength(uint32_t numerator, uint32_t denominator);
uint32_t RandomThesisLength(Random& random);

}  // namespace oscope
