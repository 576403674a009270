// Whether the index's tails are all that an expression needs: its first operator, words that choose traces apart, is a
// suffix of at most kTailEvents.
#pragma once

#include "bql/check/query.h"

namespace oscope {

bool TailsSuffice(const bql::BugTraces& traces);

}  // namespace oscope
