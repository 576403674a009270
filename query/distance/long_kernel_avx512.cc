#include "query/distance/long_kernel_loop.h"

namespace oscope {

constinit const StripLevel kStripAvx512 = MakeStripLevel<64>();

}  // namespace oscope
