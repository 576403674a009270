// The strip's inner loop for any machine: vectors of 16 bytes.
#include "query/distance/long_kernel_loop.h"

namespace oscope {

constinit const StripLevel kStripPortable = MakeStripLevel<16>();

}  // namespace oscope
