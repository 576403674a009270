// Which nodes of a tree of clusters are the clusters: the number of clusters follows from the data.
//
// A node's silhouette is (b - a) / b, where a is the mean distance of the items in it and b the distance at which it
// was joined to the next cluster (at a root: `far`). It is near 1 when the items lie close together and everything else
// is far, near 0 when the next cluster is hardly farther than they are from each other. A node below kMinSilhouette is
// no cluster. Distances below far / kSameParts count as that much: else equal items, whose a is 0, would part from
// others that hardly differ. Of all ways to cut the tree the one with the largest sum of silhouettes over items is
// taken, where an item alone counts 0; of equal ones the one with fewer clusters. Each branch is judged by itself: what
// is far from a cluster does not change it.
// Silhouette: Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis", 1987,
// here of a whole cluster; that below 0.25 no structure was found is the reading of Kaufman and Rousseeuw, "Finding
// Groups in Data", 1990.
#pragma once

#include <cstdint>
#include <vector>

#include "query/clusters/average_linkage.h"

namespace oscope {

inline constexpr double kMinSilhouette = 0.25;
inline constexpr double kSameParts = 6;  // 5 edits in 50 events where 30 are the bound

using Partition = std::vector<std::vector<uint32_t>>;  // every item once; items ascending, clusters by their first item

// What each node adds to a cut in which it is a cluster; nodes as in Join.
std::vector<double> NodeQualities(uint32_t items, uint32_t far, const std::vector<Join>& joins);

Partition CutTree(uint32_t items, uint32_t far, const std::vector<Join>& joins);

}  // namespace oscope
