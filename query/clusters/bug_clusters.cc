// From pairs of bugs to named clusters, in order: the unresolved bugs become items, oldest first; people's decisions
// become groups and apart pairs (constraints.h); the pairs become a tree (average_linkage.h), the tree a partition
// (best_cut.h), and the groups are put together in it (unite.h). Then each cluster gets an id that stays the same when
// other bugs come and go, a representative and its nearest pair.
#include "query/clusters/bug_clusters.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "query/clusters/average_linkage.h"
#include "query/clusters/best_cut.h"
#include "query/clusters/unite.h"

namespace oscope {
namespace {

bool IsOlder(const Bug& a, const Bug& b) {
  const auto age = [](const Bug& bug) {
    return std::make_tuple(bug.created_ns.value_or(std::numeric_limits<int64_t>::max()), bug.key.id.size(),
                           std::string_view(bug.key.id));
  };
  return age(a) < age(b);
}

class Clustering {
 public:
  Clustering(const std::vector<Bug>& bugs, const std::vector<BugPair>& pairs, uint32_t far) : far_(far) {
    for (const Bug& bug : bugs) {
      if (!IsResolved(bug.status)) made_.bugs.push_back(bug);
    }
    std::sort(made_.bugs.begin(), made_.bugs.end(), IsOlder);
    for (uint32_t item = 0; item < made_.bugs.size(); ++item) items_.emplace(made_.bugs[item].key, item);
    constraints_ = CloseDecisions(bugs, ItemsOf(bugs));
    made_.contradictions = constraints_.contradictions;
    for (const BugPair& pair : pairs) AddPair(pair);
  }

  Result<BugClusters> Run(const CancelToken& cancel, const std::function<void()>& joined) {
    const auto items = static_cast<uint32_t>(made_.bugs.size());
    LinkageInput input{.items = items, .far = far_, .pairs = {}, .apart = constraints_.apart};
    for (const Pair& pair : pairs_) input.pairs.push_back({pair.a, pair.b, pair.share});
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Join> joins, LinkByAverage(input, cancel, joined));
    for (std::vector<uint32_t>& bugs : Unite(CutTree(items, far_, joins), constraints_.together, constraints_.apart)) {
      made_.clusters.emplace_back().bugs = std::move(bugs);
    }
    NameClusters();
    DescribeClusters();
    std::stable_sort(made_.clusters.begin(), made_.clusters.end(),
                     [](const BugCluster& a, const BugCluster& b) { return a.bugs.size() > b.bugs.size(); });
    return std::move(made_);
  }

 private:
  struct Pair {
    uint32_t a = 0, b = 0, share = 0;
    const BugPair* given = nullptr;
  };

  std::vector<std::optional<uint32_t>> ItemsOf(const std::vector<Bug>& bugs) const {
    std::vector<std::optional<uint32_t>> item_of;
    for (const Bug& bug : bugs) item_of.push_back(ItemOf(bug.key));
    return item_of;
  }

  std::optional<uint32_t> ItemOf(const BugKey& key) const {
    const auto found = items_.find(key);
    return found == items_.end() ? std::nullopt : std::optional(found->second);
  }

  void AddPair(const BugPair& pair) {
    const std::optional<uint32_t> a = ItemOf(pair.a), b = ItemOf(pair.b);
    const uint32_t share = EditShare(pair.edits, pair.events);
    if (a && b && *a != *b && share < far_) pairs_.push_back({*a, *b, share, &pair});
  }

  // Clusters come here by their oldest bug.
  void NameClusters() {
    std::set<BugKey> taken;
    for (BugCluster& cluster : made_.clusters) {
      cluster.id = made_.bugs[cluster.bugs.front()].key;
      const std::optional<BugKey> kept = KeptId(cluster, taken);
      if (kept) cluster.id = *kept;
      taken.insert(cluster.id);
    }
  }

  std::optional<BugKey> KeptId(const BugCluster& cluster, const std::set<BugKey>& taken) const {
    for (const uint32_t bug : cluster.bugs) {
      const BugKey id{made_.bugs[bug].key.project, ReadDecisions(made_.bugs[bug]).id};
      if (id.id.empty() || taken.contains(id)) continue;
      const std::optional<uint32_t> item = ItemOf(id);
      if (!item || std::binary_search(cluster.bugs.begin(), cluster.bugs.end(), *item)) return id;
    }
    return std::nullopt;
  }

  void DescribeClusters() {
    std::vector<size_t> cluster_of(made_.bugs.size());
    for (size_t i = 0; i < made_.clusters.size(); ++i) {
      for (const uint32_t bug : made_.clusters[i].bugs) cluster_of[bug] = i;
    }
    // How much nearer than `far` all the others in the cluster are: the most is the least mean distance.
    std::vector<uint64_t> nearness(made_.bugs.size(), 0);
    std::vector<const Pair*> nearest(made_.clusters.size(), nullptr);
    for (const Pair& pair : pairs_) {
      if (cluster_of[pair.a] != cluster_of[pair.b]) continue;
      nearness[pair.a] += far_ - pair.share;
      nearness[pair.b] += far_ - pair.share;
      const Pair*& best = nearest[cluster_of[pair.a]];
      if (best == nullptr || Rank(pair) < Rank(*best)) best = &pair;
    }
    for (size_t i = 0; i < made_.clusters.size(); ++i) {
      BugCluster& cluster = made_.clusters[i];
      cluster.representative = *std::max_element(cluster.bugs.begin(), cluster.bugs.end(),
                                                 [&](uint32_t a, uint32_t b) { return nearness[a] < nearness[b]; });
      if (nearest[i] != nullptr) cluster.nearest = *nearest[i]->given;
    }
  }

  static std::tuple<uint32_t, uint32_t, uint32_t> Rank(const Pair& pair) {
    return {pair.share, std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
  }

  const uint32_t far_;
  BugClusters made_;
  std::map<BugKey, uint32_t> items_;
  std::vector<Pair> pairs_;
  Constraints constraints_;
};

}  // namespace

uint32_t EditShare(uint64_t edits, uint64_t events) {
  return events == 0 ? 0 : static_cast<uint32_t>((edits * 1000 + events / 2) / events);
}

const BugCluster* BugClusters::Find(const BugKey& bug) const {
  for (const BugCluster& cluster : clusters) {
    for (const uint32_t place : cluster.bugs) {
      if (bugs[place].key == bug) return &cluster;
    }
  }
  return nullptr;
}

Result<BugClusters> ClusterBugs(const std::vector<Bug>& bugs, const std::vector<BugPair>& pairs, uint32_t far,
                                const CancelToken& cancel, const std::function<void()>& joined) {
  return Clustering(bugs, pairs, far).Run(cancel, joined);
}

}  // namespace oscope
