#include "query/distance/short_kernel_loop.h"

namespace oscope {

constinit const ShortLevel kShortAvx512 = MakeShortLevel<64>();

}  // namespace oscope
