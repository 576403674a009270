// Distances to a regular language by the product of sequence and automaton (language_product.h). The metrics differ in
// their costs: what a replacement, a removal and an insertion take, where a cost of kNever forbids the step. Hamming
// and embedding need a little more, since they are not sums of such costs.
#include "query/distance/pattern_distance.h"

#include <algorithm>

#include "query/distance/language_product.h"

namespace oscope {
namespace {

using language_product::Costs, language_product::kNever, language_product::Product;

std::optional<uint64_t> If(uint64_t cost, uint64_t bound) {
  if (cost == kNever || cost > bound) return std::nullopt;
  return cost;
}

std::optional<uint64_t> EditsToLanguage(Sequence x, const Language& language, Costs costs, uint64_t bound) {
  Product product(language, costs, bound);
  product.Insert();
  for (const uint32_t event : x) {
    product.Read(event);
    if (!product.alive()) return std::nullopt;
    product.Insert();
  }
  return If(product.LeastAccepting(), bound);
}

// A word may end before x does, or go on after it: each position that only one of them has counts one.
std::optional<uint64_t> HammingToLanguage(Sequence x, const Language& language, uint64_t bound) {
  Product product(language, {.replace = 1}, bound);
  uint64_t ended = product.LeastAccepting();  // the word is over
  for (const uint32_t event : x) {
    product.Read(event);
    if (ended != kNever) ++ended;
    ended = std::min(ended, product.LeastAccepting());
    if (!product.alive() && ended > bound) return std::nullopt;
  }
  product.set_insert_cost(1);
  product.Insert();
  return If(std::min(ended, product.LeastAccepting()), bound);
}

// min(|x|, |y|) - LCS(x, y) is the lesser of what is left of x and of what is left of y.
std::optional<uint64_t> EmbeddingToLanguage(Sequence x, const Language& language, uint64_t bound) {
  const auto left_of_x = EditsToLanguage(x, language, {.remove = 1, .insert = 0}, bound);
  if (left_of_x == 0) return left_of_x;
  const auto left_of_word =
      EditsToLanguage(x, language, {.remove = 0, .insert = 1}, left_of_x ? *left_of_x - 1 : bound);
  return left_of_word ? left_of_word : left_of_x;
}

}  // namespace

std::optional<uint64_t> PatternDistance(Sequence x, const Language& language, PatternMetric metric, uint64_t bound) {
  switch (metric) {
    case PatternMetric::kLevenshtein:
      if (bound == 0 && !Accepts(language, x)) return std::nullopt;
      return bound == 0 ? std::optional<uint64_t>(0)
                        : EditsToLanguage(x, language, {.replace = 1, .remove = 1, .insert = 1}, bound);
    case PatternMetric::kHamming: return HammingToLanguage(x, language, bound);
    case PatternMetric::kLcs: return EditsToLanguage(x, language, {.remove = 1, .insert = 1}, bound);
    case PatternMetric::kEmbedding: return EmbeddingToLanguage(x, language, bound);
  }
  return std::nullopt;
}

bool Accepts(const Language& language, Sequence x) {
  Product product(language, {}, 0);
  for (const uint32_t event : x) {
    product.Read(event);
    if (!product.alive()) return false;
  }
  return product.LeastAccepting() == 0;
}

}  // namespace oscope
