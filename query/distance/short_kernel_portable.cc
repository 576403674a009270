// The kernel's inner loop for any machine: vectors of 16 bytes.
#include "query/distance/short_kernel_loop.h"

namespace oscope {

constinit const ShortLevel kShortPortable = MakeShortLevel<16>();

}  // namespace oscope
