#include "query/distance/short_kernel_loop.h"

namespace oscope {

constinit const ShortLevel kShortAvx2 = MakeShortLevel<32>();

}  // namespace oscope
