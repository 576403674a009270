// The cosine of two vectors of whole numbers, exactly.
//
// Threads: a pure function.
#pragma once

#include <cstdint>

namespace oscope {

// round(1000 · dot / sqrt(a · b)), half way rounded up; a and b, the squares of their lengths, are greater than 0 and
// dot² <= a · b.
uint64_t CosineInThousandths(uint64_t dot, uint64_t a, uint64_t b);

}  // namespace oscope
