// The distance counts insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein), which covers
// most slips of the hand. The bound is a third of the name's length: with more, short names would suggest each other.
#include "base/suggest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <tuple>

namespace oscope {
namespace {

constexpr size_t kMaxNameBytes = 256;  // the distance takes quadratic time, and nobody types more

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// The Damerau-Levenshtein distance in which no substring is edited twice, as far as `bound`; more than that is
// bound + 1. Only cells at most `bound` off the diagonal can hold such a distance, and two rows that hold none leave
// none for those after them: most names are told apart in their first letters.
class BoundedDistance {
 public:
  size_t Of(std::string_view a, std::string_view b, size_t bound) {
    const size_t over = bound + 1;
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > bound) return over;
    before_last_.assign(b.size() + 1, over);
    last_.assign(b.size() + 1, over);
    row_.assign(b.size() + 1, over);
    for (size_t j = 0; j <= std::min(b.size(), bound); ++j) last_[j] = j;
    bool last_is_over = false;
    for (size_t i = 1; i <= a.size(); ++i) {
      const size_t first = i > bound ? i - bound : 1, end = std::min(b.size(), i + bound);
      row_[first - 1] = first == 1 ? std::min(i, over) : over;
      size_t least = row_[first - 1];
      for (size_t j = first; j <= end; ++j) least = std::min(least, row_[j] = Cell(a, b, i, j, over));
      if (end < b.size()) row_[end + 1] = over;
      if (least >= over && last_is_over) return over;
      last_is_over = least >= over;
      std::swap(before_last_, last_);
      std::swap(last_, row_);
    }
    return last_[b.size()];
  }

 private:
  size_t Cell(std::string_view a, std::string_view b, size_t i, size_t j, size_t over) const {
    const size_t substitution = last_[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
    const size_t cell = std::min({last_[j] + 1, row_[j - 1] + 1, substitution, over});
    const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    return swapped ? std::min(cell, before_last_[j - 2] + 1) : cell;
  }

  std::vector<size_t> before_last_, last_, row_;
};

}  // namespace

std::vector<std::string> Suggest(std::string_view name, std::span<const std::string> candidates, size_t max) {
  if (name.size() > kMaxNameBytes) return {};
  const size_t farthest = std::max<size_t>(1, name.size() / 3);
  const std::string lower_name = Lower(name);
  BoundedDistance distances;
  std::vector<std::tuple<size_t, size_t, size_t>> near;  // distance, distance with case, position
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string& candidate = candidates[i];
    if (candidate.size() > name.size() + farthest || name.size() > candidate.size() + farthest) continue;
    const size_t distance = distances.Of(lower_name, Lower(candidate), farthest);
    if (distance > farthest) continue;
    near.emplace_back(distance, distances.Of(name, candidate, std::max(name.size(), candidate.size())), i);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> nearest;
  for (const auto& [distance, distance_with_case, position] : near) {
    if (nearest.size() == max) break;
    nearest.push_back(candidates[position]);
  }
  return nearest;
}

std::string DidYouMean(std::span<const std::string> names) {
  if (names.empty()) return "";
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i != 0) list += i + 1 == names.size() ? " or " : ", ";
    list += fmt::format("'{}'", names[i]);
  }
  return fmt::format("did you mean {}?", list);
}

}  // namespace oscope
