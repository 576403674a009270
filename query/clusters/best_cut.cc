// Chooses among all cuts of the tree the one with the largest sum of silhouettes. Each node is either one cluster or
// the best cuts of its two parts, so one pass from the leaves finds the best sums and one from the roots the chosen
// nodes. A fixed height, or a fixed number of clusters, would be simpler, but projects have dense and loose groups of
// failures at once.
#include "query/clusters/best_cut.h"

#include <algorithm>

namespace oscope {
namespace {

double Silhouette(double inside, double outside, double same) {
  const double a = std::max(inside, same), b = std::max(outside, same);
  return b > 0 ? (b - a) / b : 0;
}

double MeanWithin(const Join& join) {
  return static_cast<double>(join.within) / (static_cast<double>(join.size) * (join.size - 1) / 2);
}

// The nodes of the best cut. A node comes after those below it, so one pass upwards finds the best sums and one down
// the nodes.
std::vector<uint32_t> BestNodes(uint32_t items, const std::vector<Join>& joins, const std::vector<double>& qualities) {
  const size_t nodes = items + joins.size();
  std::vector<double> best(nodes, 0);
  std::vector<bool> is_whole(nodes, true), is_below(nodes, false);
  for (size_t node = items; node < nodes; ++node) {
    const Join& join = joins[node - items];
    const double parts = best[join.left] + best[join.right];
    is_whole[node] = qualities[node] > 0 && qualities[node] >= parts;
    best[node] = is_whole[node] ? qualities[node] : parts;
  }
  std::vector<uint32_t> chosen;
  for (size_t node = nodes; node-- > 0;) {
    if (!is_below[node] && is_whole[node]) chosen.push_back(static_cast<uint32_t>(node));
    if (node < items) continue;
    const bool taken = is_below[node] || is_whole[node];
    is_below[joins[node - items].left] = is_below[joins[node - items].right] = taken;
  }
  return chosen;
}

std::vector<uint32_t> ItemsBelow(uint32_t items, const std::vector<Join>& joins, uint32_t node) {
  std::vector<uint32_t> below, open = {node};
  while (!open.empty()) {
    const uint32_t next = open.back();
    open.pop_back();
    if (next < items) {
      below.push_back(next);
    } else {
      open.push_back(joins[next - items].left);
      open.push_back(joins[next - items].right);
    }
  }
  std::sort(below.begin(), below.end());
  return below;
}

}  // namespace

std::vector<double> NodeQualities(uint32_t items, uint32_t far, const std::vector<Join>& joins) {
  std::vector<double> outside(items + joins.size(), far), qualities(items + joins.size(), 0);
  for (const Join& join : joins) outside[join.left] = outside[join.right] = join.height;
  for (size_t i = 0; i < joins.size(); ++i) {
    const double silhouette = Silhouette(MeanWithin(joins[i]), outside[items + i], far / kSameParts);
    if (silhouette >= kMinSilhouette) qualities[items + i] = silhouette * joins[i].size;
  }
  return qualities;
}

Partition CutTree(uint32_t items, uint32_t far, const std::vector<Join>& joins) {
  Partition partition;
  for (const uint32_t node : BestNodes(items, joins, NodeQualities(items, far, joins))) {
    partition.push_back(ItemsBelow(items, joins, node));
  }
  std::sort(partition.begin(), partition.end());
  return partition;
}

}  // namespace oscope
