// Where a bug or a run lies: a 64-bit hash, so that a bug and all its runs share a range.
#pragma once

#include <cstdint>

#include "tracer/model/attachment.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

uint64_t PlacementOf(const BugKey& bug);
// A run's bug places it; without one, its project and test.
uint64_t PlacementOf(const RunHeader& run);
// A bug's attachments lie with the bug. Those of a run are placed by its id, not with the run: when it gets another bug
// they stay where they are, and whoever looks for them needs the id alone.
uint64_t PlacementOf(const AttachmentOwner& owner);

}  // namespace oscope
