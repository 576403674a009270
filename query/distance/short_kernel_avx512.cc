// The kernel's inner loop with vectors of 64 bytes, compiled for AVX-512 and called only where the processor has it.
#include "query/distance/short_kernel_loop.h"

namespace oscope {

constinit const ShortLevel kShortAvx512 = MakeShortLevel<64>();

}  // namespace oscope
