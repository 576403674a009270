#include "query/distance/short_kernel_loop.h"

namespace oscope {

template <typename Id>
const ShortLevel<Id> ShortLevels<Id>::kAvx512 = MakeShortLevel<Id, 64>();

template const ShortLevel<uint16_t> ShortLevels<uint16_t>::kAvx512;
template const ShortLevel<uint32_t> ShortLevels<uint32_t>::kAvx512;

}  // namespace oscope
