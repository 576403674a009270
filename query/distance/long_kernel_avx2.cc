#include "query/distance/long_kernel_loop.h"

namespace oscope {

constinit const StripLevel kStripAvx2 = MakeStripLevel<32>();

}  // namespace oscope
