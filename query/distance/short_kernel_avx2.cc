// The kernel's inner loop with vectors of 32 bytes, compiled for AVX2 and called only where the processor has it.
#include "query/distance/short_kernel_loop.h"

namespace oscope {

constinit const ShortLevel kShortAvx2 = MakeShortLevel<32>();

}  // namespace oscope
