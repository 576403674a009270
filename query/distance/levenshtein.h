// Levenshtein distance of two event sequences: the number of events to replace, insert or delete to make them equal.
//
// This is plain dynamic programming, in O(|a|·|b|) time and O(|b|) memory: the oracle that every faster kernel is
// compared with.
// Threads: pure functions.
//
// Example: {1, 2, 3} and {1, 3, 4} are at distance 2: delete 2, insert 4 at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"

namespace oscope {

using Sequence = std::span<const uint32_t>;  // events as ids; only their equality counts

// Both are shorter than 2^32 events.
uint32_t Levenshtein(Sequence a, Sequence b);

// Returns the distance if it is at most `bound`, otherwise nullopt. Stops as soon as the bound cannot be met.
std::optional<uint32_t> LevenshteinWithin(Sequence a, Sequence b, uint32_t bound);

enum class EditKind : uint8_t { kKeep, kReplace, kDelete, kInsert };

// One step from a to b: what is at a[a_index] (kKeep, kReplace, kDelete) and b[b_index] (kKeep, kReplace, kInsert).
struct Edit {
  EditKind kind = EditKind::kKeep;
  uint32_t a_index = 0;
  uint32_t b_index = 0;
  bool operator==(const Edit&) const = default;
};

inline constexpr uint64_t kMaxAlignCells = 256ull << 20;  // a byte each

// Returns a shortest edit script, from front to back. The number of its steps that are not kKeep is the distance. Of
// several shortest scripts it is the one that keeps or replaces events nearest to the end, where failures are. Fails
// with kLimit when |a|·|b| exceeds kMaxAlignCells.
Result<std::vector<Edit>> Align(Sequence a, Sequence b);

}  // namespace oscope
