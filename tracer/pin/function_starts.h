// Where functions begin in code that no symbol covers: from the sorted table that the unwinder uses (.eh_frame_hdr).
// Stripped files keep it, since exceptions need it.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/pin/app_memory.h"

namespace oscope::pin {

struct FunctionRange {
  uint64_t start = 0;
  uint64_t end = 0;  // one past it
  bool operator<(const FunctionRange& other) const { return start < other.start; }
};

// Functions by the addresses that callers go to, sorted. `table` is where .eh_frame_hdr is mapped. Parts of functions
// that the compiler moved away, and most linkage stubs, are left out: their unwinding information does not begin as
// that of a fresh call does. (Stubs of .plt.got have none to tell by.) Empty where the table is of another form than
// compilers make today.
std::vector<FunctionRange> ReadFunctionStarts(MemoryReader read, uint64_t table);

}  // namespace oscope::pin
