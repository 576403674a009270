#include "query/distance/short_kernel_loop.h"

namespace oscope {

template <typename Id>
const ShortLevel<Id> ShortLevels<Id>::kPortable = MakeShortLevel<Id, 16>();

template const ShortLevel<uint16_t> ShortLevels<uint16_t>::kPortable;
template const ShortLevel<uint32_t> ShortLevels<uint32_t>::kPortable;

}  // namespace oscope
