// All weights and sums are integers, and the root of the product of the lengths is corrected to the exact integer
// root: floating point only guesses. So a similarity does not depend on the machine, the compiler or the order of the
// stacks.
#include "query/similarity/stack_similarity.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/limits.h"
#include "query/similarity/name_words.h"

namespace oscope {
namespace {

using Wide = unsigned __int128;

constexpr uint32_t kOne = 1 << 16;  // in 16.16 fixed point

// Calls visit(name, nearness) for every name of the stack that counts.
template <typename Visit>
void ForEachName(const StackText& stack, Visit visit) {
  const auto cut = [](std::string_view name) { return name.substr(0, limits::kMaxNameBytes); };
  if (!stack.test.empty()) visit(cut(stack.test), kOne);
  if (!stack.exception.empty()) visit(cut(stack.exception), kOne);
  for (size_t i = 0; i < stack.frames.size(); ++i) {
    if (const uint32_t near = StackSimilarity::Nearness(i, stack.frames.size()); near > 0)
      visit(cut(stack.frames[i]), near);
  }
}

// The largest number whose square is at most `value`. Floating point only guesses: one step of Newton's brings any
// guess to within 1.
uint64_t SquareRoot(Wide value) {
  if (value == 0) return 0;
  const uint64_t guess = std::max<uint64_t>(1, static_cast<uint64_t>(std::sqrt(static_cast<double>(value))));
  uint64_t root = static_cast<uint64_t>((guess + value / guess) / 2);
  while (Wide{root} * root > value) --root;
  while (Wide{root + 1} * (root + 1) <= value) ++root;
  return root;
}

// `part` of the product of the two lengths, in millionths, rounded to nearest.
uint32_t Share(uint64_t part, const WordVector& a, const WordVector& b) {
  const uint64_t whole = SquareRoot(Wide{a.squared_length} * b.squared_length);
  if (whole == 0) return 0;
  return static_cast<uint32_t>(std::min<Wide>(kSame, (Wide{part} * kSame + whole / 2) / whole));
}

// Calls visit(entry of a, entry of b) for every word that both have.
template <typename Visit>
void ForEachShared(const WordVector& a, const WordVector& b, Visit visit) {
  auto left = a.entries.begin(), right = b.entries.begin();
  while (left != a.entries.end() && right != b.entries.end()) {
    if (left->word < right->word) {
      ++left;
    } else if (right->word < left->word) {
      ++right;
    } else {
      visit(*left++, *right++);
    }
  }
}

uint64_t Product(const WordVector::Entry& a, const WordVector::Entry& b) { return uint64_t{a.weight} * b.weight; }

}  // namespace

uint32_t Similarity(const WordVector& a, const WordVector& b) {
  uint64_t product = 0;
  ForEachShared(a, b, [&](const auto& left, const auto& right) { product += Product(left, right); });
  return product == 0 ? 0 : Share(product, a, b);
}

uint32_t StackSimilarity::Nearness(size_t place, size_t frames) {
  const size_t away = std::min(place, frames - 1 - place);
  return away >= kReach ? 0 : kOne / (1 + static_cast<uint32_t>(away));
}

uint32_t StackSimilarity::Weight(uint32_t rarity, uint32_t nearness) {
  return static_cast<uint32_t>(uint64_t{rarity} * nearness / kOne);
}

std::vector<std::string> StackSimilarity::Words(const StackText& stack) {
  std::vector<std::string> all;
  ForEachName(stack, [&](std::string_view name, uint32_t) {
    for (std::string& word : NameWords(name)) all.push_back(std::move(word));
  });
  return all;
}

WordVector StackSimilarity::Weigh(const StackText& stack) const {
  std::unordered_map<std::string, uint32_t> nearness;
  ForEachName(stack, [&](std::string_view name, uint32_t near) {
    for (std::string& word : NameWords(name)) {
      uint32_t& best = nearness[std::move(word)];
      best = std::max(best, near);
    }
  });
  WordVector made;
  for (const auto& [word, near] : nearness) {
    const std::optional<uint32_t> id = statistics_.Find(word);
    const uint64_t weight = Weight(id ? statistics_.rarity(*id) : statistics_.unknown_rarity(), near);
    // At most 2^22 squared for each of the 2^15 words of a name, and the names' nearness squared adds up to less than
    // 6: no overflow.
    made.squared_length += weight * weight;
    if (id) made.entries.push_back({*id, static_cast<uint32_t>(weight)});
  }
  std::sort(made.entries.begin(), made.entries.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
  return made;
}

std::vector<SharedWord> StackSimilarity::Explain(const WordVector& a, const WordVector& b) const {
  std::vector<SharedWord> shared;
  ForEachShared(a, b, [&](const auto& left, const auto& right) {
    shared.push_back({statistics_.word(left.word), Share(Product(left, right), a, b)});
  });
  // Word ids are in the order of names already.
  std::stable_sort(shared.begin(), shared.end(), [](const auto& x, const auto& y) { return x.share > y.share; });
  return shared;
}

}  // namespace oscope
