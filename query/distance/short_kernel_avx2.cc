#include "query/distance/short_kernel_loop.h"

namespace oscope {

template <typename Id>
const ShortLevel<Id> ShortLevels<Id>::kAvx2 = MakeShortLevel<Id, 32>();

template const ShortLevel<uint16_t> ShortLevels<uint16_t>::kAvx2;
template const ShortLevel<uint32_t> ShortLevels<uint32_t>::kAvx2;

}  // namespace oscope
