// All decisions of a project taken together: which bugs belong together, and which must stay apart.
//
// "With" goes on: a with b and b with c is a with c, also through a bug that is resolved. "Apart" holds for everybody
// that either of the two is with. Two bugs that are to be both together and apart are a contradiction; then they are
// together.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "query/clusters/decisions.h"

namespace oscope {

struct Contradiction {
  BugKey bug, other;  // `bug` says that it is apart from `other`, and others that both are together
  auto operator<=>(const Contradiction&) const = default;
};

struct Constraints {
  std::vector<std::vector<uint32_t>> together;       // groups of two items or more
  std::vector<std::pair<uint32_t, uint32_t>> apart;  // ascending, each pair once, the lower item first
  std::vector<Contradiction> contradictions;
};

// `item_of` is parallel to `bugs`, which are all of one project: the item that a bug is, or none when it is resolved.
Constraints CloseDecisions(const std::vector<Bug>& bugs, const std::vector<std::optional<uint32_t>>& item_of);

}  // namespace oscope
