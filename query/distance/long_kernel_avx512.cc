// The strip's inner loop with vectors of 64 bytes, compiled for AVX-512 and called only where the processor has it.
#include "query/distance/long_kernel_loop.h"

namespace oscope {

constinit const StripLevel kStripAvx512 = MakeStripLevel<64>();

}  // namespace oscope
