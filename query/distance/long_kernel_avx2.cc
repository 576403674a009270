// The strip's inner loop with vectors of 32 bytes, compiled for AVX2 and called only where the processor has it.
#include "query/distance/long_kernel_loop.h"

namespace oscope {

constinit const StripLevel kStripAvx2 = MakeStripLevel<32>();

}  // namespace oscope
