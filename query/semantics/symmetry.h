// Whether a condition says the same of a row when two of its variables change places: then a pair is answered once.
//
// A syntactic test: `INTERSECT?(a, b)` with n = 1 and `JACCARD?(a, b)` of two bugs with the same operators are
// symmetric, parts of `&&` and `||` may stand in any order. A condition that is symmetric for deeper reasons is
// answered in both orders.
#pragma once

#include <cstdint>

#include "bql/check/query.h"

namespace oscope {

bool IsSymmetric(const bql::Select& select, uint32_t a, uint32_t b);

}  // namespace oscope
