// Which bugs satisfy a set predicate of one variable, or which pairs one of two, and how near they are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace oscope {

// By bug, ascending. With a plan's keep_nearest the farther ones may be missing.
struct BugMatch {
  uint32_t bug = 0;
  uint64_t distance = 0;
  auto operator<=>(const BugMatch&) const = default;
};
using SearchResult = std::vector<BugMatch>;

inline const BugMatch* FindMatch(const SearchResult& matches, uint32_t bug) {
  const auto at = std::lower_bound(matches.begin(), matches.end(), BugMatch{bug, 0});
  return at != matches.end() && at->bug == bug ? &*at : nullptr;
}

// By the left side's bug, ascending: for each the right side's bugs.
using JoinResult = std::vector<SearchResult>;

// Which pairs are wanted: of a symmetric condition only those whose right bug has the greater (or the lesser) number.
enum class JoinOrder : uint8_t { kBoth, kRightGreater, kRightLess };
inline bool Wants(JoinOrder order, uint32_t left, uint32_t right) {
  if (left == right) return false;
  return order == JoinOrder::kBoth || (order == JoinOrder::kRightGreater) == (right > left);
}

}  // namespace oscope
