// The textbook algorithm, kept on purpose: it is the oracle of the bit-parallel kernels, so it must be right by
// inspection. Align keeps a byte for each cell to find the way back, and prefers a diagonal step, so that of several
// shortest scripts it shows the one that keeps or replaces near the end.
#include "query/distance/levenshtein.h"

#include <algorithm>
#include <numeric>

namespace oscope {
namespace {

// Row 0 of the table: what it takes to make the first j events of b from nothing.
std::vector<uint32_t> FirstRow(Sequence b) {
  std::vector<uint32_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  return row;
}

// Turns the row of a's first i events into that of its first i + 1; `event` is a[i]. Returns the least of the new row.
uint32_t NextRow(uint32_t event, Sequence b, std::vector<uint32_t>& row) {
  uint32_t diagonal = row[0];
  uint32_t least = ++row[0];
  for (size_t j = 0; j < b.size(); ++j) {
    const uint32_t replaced = diagonal + (event != b[j]);
    diagonal = row[j + 1];
    row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    least = std::min(least, row[j + 1]);
  }
  return least;
}

}  // namespace

uint32_t Levenshtein(Sequence a, Sequence b) {
  std::vector<uint32_t> row = FirstRow(b);
  for (const uint32_t event : a) NextRow(event, b, row);
  return row.back();
}

std::optional<uint32_t> LevenshteinWithin(Sequence a, Sequence b, uint32_t bound) {
  const size_t longer = std::max(a.size(), b.size());
  if (longer - std::min(a.size(), b.size()) > bound) return std::nullopt;
  std::vector<uint32_t> row = FirstRow(b);
  for (const uint32_t event : a) {
    // No later row has a lesser value than the least of this one.
    if (NextRow(event, b, row) > bound) return std::nullopt;
  }
  if (row.back() > bound) return std::nullopt;
  return row.back();
}

Result<std::vector<Edit>> Align(Sequence a, Sequence b) {
  const uint64_t width = b.size() + 1;
  if ((a.size() + 1) > kMaxAlignCells / width) {
    return Limit("alignment of {} and {} events: more than {} cells", a.size(), b.size(), kMaxAlignCells);
  }
  // How each cell's value was reached.
  std::vector<EditKind> steps((a.size() + 1) * width, EditKind::kInsert);
  std::vector<uint32_t> row = FirstRow(b);
  for (size_t i = 0; i < a.size(); ++i) {
    EditKind* step = &steps[(i + 1) * width];
    const std::vector<uint32_t> above = row;
    NextRow(a[i], b, row);
    step[0] = EditKind::kDelete;
    for (size_t j = 0; j < b.size(); ++j) {
      const bool same = a[i] == b[j];
      if (row[j + 1] == above[j] + !same) {
        step[j + 1] = same ? EditKind::kKeep : EditKind::kReplace;
      } else {
        step[j + 1] = row[j + 1] == above[j + 1] + 1 ? EditKind::kDelete : EditKind::kInsert;
      }
    }
  }

  std::vector<Edit> script;
  size_t i = a.size(), j = b.size();
  while (i > 0 || j > 0) {
    const EditKind kind = steps[i * width + j];
    if (kind != EditKind::kInsert) --i;
    if (kind != EditKind::kDelete) --j;
    script.push_back({kind, static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
  }
  std::reverse(script.begin(), script.end());
  return script;
}

}  // namespace oscope
