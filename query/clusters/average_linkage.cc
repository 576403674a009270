// Agglomerative clustering without a matrix. The usual implementations hold the distance of every pair; of ten
// thousand bugs that is fifty million numbers, nearly all of which are `far`. Here a cluster holds links only to those
// clusters to which a near pair is known: how many such pairs there are and the sum of their distances. All other
// pairs count as `far`, so the mean follows from the two sizes.
//
// Each cluster queues its nearest neighbour once, with the sizes that both had (Candidate). When the candidate comes
// up and its owner has changed, it is dropped, because the owner queued a newer one; when only the neighbour has
// grown, the owner looks again. That is right because with average linkage a cluster that grows never comes nearer, so
// what is queued is never too large.
//
// Links are brought up to date when they are read (Settle), not when clusters are united: a union concatenates two
// lists and a later read merges what now names the same cluster.
#include "query/clusters/average_linkage.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

namespace oscope {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
constexpr size_t kJoinsBetweenChecks = 256;

// What is known between a cluster and another. The other is named by an item of its own, since clusters that have grown
// are looked up only when a list is read.
struct Link {
  uint32_t other = 0;
  bool apart = false;
  uint64_t pairs = 0;  // that are given
  uint64_t sum = 0;    // of their distances
};

// A cluster's nearest, as it was when both had these sizes. A cluster's size tells whether it changed, since it only
// grows.
struct Candidate {
  double distance = 0;
  uint32_t owner = 0, other = 0;
  uint32_t owner_size = 0, other_size = 0;

  auto Key() const { return std::make_tuple(distance, std::min(owner, other), std::max(owner, other)); }
  bool operator>(const Candidate& right) const { return Key() > right.Key(); }
};

class Linkage {
 public:
  explicit Linkage(const LinkageInput& input) : input_(input), clusters_(input.items), place_(input.items, kNone) {
    for (uint32_t item = 0; item < input.items; ++item) clusters_[item].root = clusters_[item].node = item;
    AddPairs();
    for (const auto& [a, b] : input.apart) AddLink(a, b, {.other = 0, .apart = true, .pairs = 0, .sum = 0});
    for (uint32_t item = 0; item < input.items; ++item) Remember(item);
  }

  Result<std::vector<Join>> Run(const CancelToken& cancel, const std::function<void()>& joined) {
    while (!nearest_.empty()) {
      const Candidate candidate = nearest_.top();
      nearest_.pop();
      if (!IsAsItWas(candidate.owner, candidate.owner_size)) continue;
      if (!IsAsItWas(candidate.other, candidate.other_size)) {
        Remember(candidate.owner);
        continue;
      }
      if (joins_.size() % kJoinsBetweenChecks == 0) OSCOPE_RETURN_IF_ERROR(cancel.Check());
      Unite(std::min(candidate.owner, candidate.other), std::max(candidate.owner, candidate.other));
      joined();
    }
    return std::move(joins_);
  }

 private:
  // Named by its lowest item.
  struct Cluster {
    uint32_t root = 0;  // itself, while it is one
    uint32_t node = 0;
    uint32_t size = 1;
    uint64_t within = 0;
    std::vector<Link> links;
  };

  void AddPairs() {
    std::vector<ItemPair> pairs = input_.pairs;
    for (ItemPair& pair : pairs) {
      OSCOPE_CHECK(pair.a != pair.b && pair.distance < input_.far);
      if (pair.a > pair.b) std::swap(pair.a, pair.b);
    }
    const auto items = [](const ItemPair& pair) { return std::make_pair(pair.a, pair.b); };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const ItemPair& x, const ItemPair& y) { return items(x) < items(y); });
    pairs.erase(std::unique(pairs.begin(), pairs.end(),
                            [&](const ItemPair& x, const ItemPair& y) { return items(x) == items(y); }),
                pairs.end());
    for (const ItemPair& pair : pairs)
      AddLink(pair.a, pair.b, {.other = 0, .apart = false, .pairs = 1, .sum = pair.distance});
  }

  void AddLink(uint32_t a, uint32_t b, Link link) {
    link.other = b;
    clusters_[a].links.push_back(link);
    link.other = a;
    clusters_[b].links.push_back(link);
  }

  uint32_t Root(uint32_t item) {
    while (clusters_[item].root != item) item = clusters_[item].root = clusters_[clusters_[item].root].root;
    return item;
  }

  bool IsAsItWas(uint32_t cluster, uint32_t size) const {
    return clusters_[cluster].root == cluster && clusters_[cluster].size == size;
  }

  // Brings a cluster's links up to date: one a cluster that is still there.
  void Settle(uint32_t cluster) {
    std::vector<Link>& links = clusters_[cluster].links;
    size_t kept = 0;
    for (size_t i = 0; i < links.size(); ++i) {
      Link link = links[i];
      link.other = Root(link.other);
      if (link.other == cluster) continue;
      uint32_t& place = place_[link.other];
      if (place == kNone) {
        place = static_cast<uint32_t>(kept);
        links[kept++] = link;
      } else {
        links[place].apart |= link.apart;
        links[place].pairs += link.pairs;
        links[place].sum += link.sum;
      }
    }
    links.resize(kept);
    for (const Link& link : links) place_[link.other] = kNone;
  }

  uint64_t SumOf(uint32_t cluster, const Link& link) const {
    const uint64_t all = uint64_t{clusters_[cluster].size} * clusters_[link.other].size;
    return link.sum + (all - link.pairs) * input_.far;
  }

  // Looks up the cluster's nearest, and queues it.
  void Remember(uint32_t cluster) {
    Settle(cluster);
    std::optional<Candidate> best;
    for (const Link& link : clusters_[cluster].links) {
      if (link.apart || link.pairs == 0) continue;
      const uint32_t size = clusters_[cluster].size, other_size = clusters_[link.other].size;
      const double mean = static_cast<double>(SumOf(cluster, link)) / (static_cast<double>(size) * other_size);
      const Candidate candidate{mean, cluster, link.other, size, other_size};
      if (!best || *best > candidate) best = candidate;
    }
    if (best) nearest_.push(*best);
  }

  void Unite(uint32_t low, uint32_t high) {
    Settle(low);
    Cluster &kept = clusters_[low], &gone = clusters_[high];
    const auto link =
        std::find_if(kept.links.begin(), kept.links.end(), [&](const Link& one) { return one.other == high; });
    const uint64_t between = SumOf(low, *link);
    joins_.push_back({.left = kept.node,
                      .right = gone.node,
                      .size = kept.size + gone.size,
                      .within = kept.within + gone.within + between,
                      .height = static_cast<double>(between) / (static_cast<double>(kept.size) * gone.size)});
    kept.node = input_.items + static_cast<uint32_t>(joins_.size() - 1);
    kept.size = joins_.back().size;
    kept.within = joins_.back().within;
    gone.root = low;
    if (kept.links.size() < gone.links.size()) std::swap(kept.links, gone.links);
    kept.links.insert(kept.links.end(), gone.links.begin(), gone.links.end());
    std::vector<Link>().swap(gone.links);
    Remember(low);
  }

  const LinkageInput& input_;
  std::vector<Cluster> clusters_;  // by lowest item
  std::vector<uint32_t> place_;    // of a cluster among the links being settled
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> nearest_;
  std::vector<Join> joins_;
};

}  // namespace

Result<std::vector<Join>> LinkByAverage(const LinkageInput& input, const CancelToken& cancel,
                                        const std::function<void()>& joined) {
  return Linkage(input).Run(cancel, joined);
}

}  // namespace oscope
