// Enforces the groups after the tree was cut, not while it is built. If they were joined before the linkage, a group
// of two unlike bugs would be one cluster from the start and draw in what lies near either of them.
#include "query/clusters/unite.h"

#include <algorithm>
#include <set>

namespace oscope {
namespace {

class Uniting {
 public:
  explicit Uniting(Partition partition) : clusters_(std::move(partition)) {
    size_t items = 0;
    for (const auto& cluster : clusters_) items += cluster.size();
    cluster_of_.resize(items);
    for (size_t cluster = 0; cluster < clusters_.size(); ++cluster) Claim(cluster);
  }

  void Add(const std::vector<uint32_t>& group, const std::vector<std::pair<uint32_t, uint32_t>>& apart) {
    std::set<size_t> touched;
    for (const uint32_t item : group) touched.insert(cluster_of_[item]);
    if (touched.size() < 2) return;
    const bool clash = std::any_of(apart.begin(), apart.end(), [&](const auto& pair) {
      return touched.contains(cluster_of_[pair.first]) && touched.contains(cluster_of_[pair.second]);
    });
    clash ? TakeOut(group) : Join(touched);
  }

  Partition Finish() {
    std::erase_if(clusters_, [](const auto& cluster) { return cluster.empty(); });
    for (auto& cluster : clusters_) std::sort(cluster.begin(), cluster.end());
    std::sort(clusters_.begin(), clusters_.end());
    return std::move(clusters_);
  }

 private:
  void Claim(size_t cluster) {
    for (const uint32_t item : clusters_[cluster]) cluster_of_[item] = cluster;
  }

  void Join(const std::set<size_t>& touched) {
    const size_t kept = *touched.begin();
    for (const size_t cluster : touched) {
      if (cluster == kept) continue;
      clusters_[kept].insert(clusters_[kept].end(), clusters_[cluster].begin(), clusters_[cluster].end());
      clusters_[cluster].clear();
    }
    Claim(kept);
  }

  void TakeOut(const std::vector<uint32_t>& group) {
    for (const uint32_t item : group) std::erase(clusters_[cluster_of_[item]], item);
    clusters_.push_back(group);
    Claim(clusters_.size() - 1);
  }

  Partition clusters_;  // some empty while others take their items
  std::vector<size_t> cluster_of_;
};

}  // namespace

Partition Unite(Partition partition, const std::vector<std::vector<uint32_t>>& groups,
                const std::vector<std::pair<uint32_t, uint32_t>>& apart) {
  Uniting uniting(std::move(partition));
  for (const auto& group : groups) uniting.Add(group, apart);
  return uniting.Finish();
}

}  // namespace oscope
