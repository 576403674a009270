#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>

namespace oscope {
namespace {

constexpr size_t kMaxNameBytes = 256;  // the distance takes quadratic time, and nobody types more

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// Damerau-Levenshtein distance in which no substring is edited twice.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> Suggest(std::string_view name, std::span<const std::string> candidates, size_t max) {
  if (name.size() > kMaxNameBytes) return {};
  const size_t farthest = std::max<size_t>(1, name.size() / 3);
  const std::string lower_name = Lower(name);
  std::vector<std::tuple<size_t, size_t, size_t>> near;  // distance, distance with case, position
  for (size_t i = 0; i < candidates.size(); ++i) {
    const std::string& candidate = candidates[i];
    if (candidate.size() > name.size() + farthest || name.size() > candidate.size() + farthest) continue;
    const size_t distance = EditDistance(lower_name, Lower(candidate));
    if (distance <= farthest) near.emplace_back(distance, EditDistance(name, candidate), i);
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
