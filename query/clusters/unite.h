// Puts clusters together that people said belong together.
//
// The clusters that hold an item of a group become one. Where other items of them must stay apart, only the group's own
// items leave their clusters and become one. So no two items of `apart` are ever together, and all items of a group
// always are.
#pragma once

#include <utility>
#include <vector>

#include "query/clusters/best_cut.h"

namespace oscope {

// No group may hold both items of an apart pair, no item may be in two groups, and the partition keeps all pairs apart.
Partition Unite(Partition partition, const std::vector<std::vector<uint32_t>>& groups,
                const std::vector<std::pair<uint32_t, uint32_t>>& apart);

}  // namespace oscope
