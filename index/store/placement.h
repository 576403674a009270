// Where a bug, a run or an attachment is stored: a 64-bit hash, of which each segment covers a range. A bug and all of
// its runs have the same hash and therefore share a range. The hashes are part of the stored format.
// Threads: pure functions.
#pragma once

#include <cstdint>

#include "tracer/model/attachment.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

uint64_t PlacementOf(const BugKey& bug);
// A run has the hash of its bug; without a bug, a hash of its project and test.
uint64_t PlacementOf(const RunHeader& run);
// A bug's attachments have the hash of the bug. Those of a run have a hash of the run's id, not the hash of the run:
// they can be found by the id alone, and stay where they are when the run gets another bug.
uint64_t PlacementOf(const AttachmentOwner& owner);

}  // namespace oscope
