// Average linkage over few known distances: the tree of clusters, nearest pairs of clusters first.
//
// The distance of two clusters is the mean over all pairs between them; a pair that is not given is `far`. Two clusters
// without a given pair between them, and two that hold items which must stay apart, are never joined, so the tree is a
// forest.
// Order:     deterministic: among equal distances the pair with the lowest first item, then with the lowest item of the
//            other cluster.
// Speed:     no matrix is made. Each cluster remembers its nearest, which is looked up anew only when that one has
//            grown: by this linkage a cluster that grows never comes nearer, so what is remembered is never too large.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"

namespace oscope {

struct ItemPair {
  uint32_t a = 0, b = 0;
  uint32_t distance = 0;
};

struct LinkageInput {
  uint32_t items = 0;
  uint32_t far = 0;             // larger than every given distance
  std::vector<ItemPair> pairs;  // of different items; a pair that comes twice counts with the first
  std::vector<std::pair<uint32_t, uint32_t>> apart;
};

// A node of the tree: item i is node i, the k-th join makes node items + k.
struct Join {
  uint32_t left = 0, right = 0;  // nodes; the left one has the lowest item
  uint32_t size = 0;             // items below
  uint64_t within = 0;           // the sum of the distances of all pairs of items below
  double height = 0;             // the mean distance of the two; never falls from one join to the next
};

// kCancelled when `cancel` says so. `joined` is called after every join.
Result<std::vector<Join>> LinkByAverage(
    const LinkageInput& input, const CancelToken& cancel = {}, const std::function<void()>& joined = [] {});

}  // namespace oscope
