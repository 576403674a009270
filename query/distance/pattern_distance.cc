// The product of the sequence and the automaton, one position of the sequence after the other: for each state the least cost of
// having read a word's beginning that leads there. Inserting an event of the word is a step within one position; since all insertions
// cost the same, a queue beside the states sorted by cost visits them in order of cost, each once.
#include "query/distance/pattern_distance.h"

#include <algorithm>

namespace oscope {
namespace {

constexpr uint64_t kNever = UINT64_MAX;

struct Costs {
  uint64_t replace = kNever;  // an event of x by one of the word
  uint64_t remove = kNever;   // an event of x that the word does not have
  uint64_t insert = kNever;   // an event of the word that x does not have
};

struct Reached {
  uint64_t cost = 0;
  uint32_t state = 0;
  auto operator<=>(const Reached&) const = default;
};

uint64_t Plus(uint64_t cost, uint64_t more) { return more == kNever ? kNever : cost + more; }

class Product {
 public:
  Product(const Language& language, Costs costs, uint64_t bound)
      : language_(language), costs_(costs), bound_(bound), first_(language.states + 1, 0),
        cost_(language.states, kNever), next_(language.states, kNever) {
    for (const LanguageEdge& edge : language.edges) ++first_[edge.from + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    for (const uint32_t state : language.start) Reach(cost_, reached_, state, 0);
  }

  // Whether some state is reached within the bound.
  bool alive() const { return !reached_.empty(); }

  void Insert() {
    if (costs_.insert == kNever) return;
    sorted_.clear();
    for (const uint32_t state : reached_) sorted_.push_back({cost_[state], state});
    std::sort(sorted_.begin(), sorted_.end());
    queue_.clear();
    size_t from_sorted = 0, from_queue = 0;
    while (from_sorted < sorted_.size() || from_queue < queue_.size()) {
      const bool queued = from_queue < queue_.size() && (from_sorted == sorted_.size() || queue_[from_queue].cost <= sorted_[from_sorted].cost);
      const Reached at = queued ? queue_[from_queue++] : sorted_[from_sorted++];
      if (cost_[at.state] != at.cost) continue;  // reached for less meanwhile
      const uint64_t cost = Plus(at.cost, costs_.insert);
      if (cost > bound_) break;
      for (const LanguageEdge& edge : EdgesOf(at.state)) {
        if (Reach(cost_, reached_, edge.to, cost)) queue_.push_back({cost, edge.to});
      }
    }
  }

  void Read(uint32_t event) {
    next_reached_.clear();
    for (const uint32_t state : reached_) {
      const uint64_t cost = cost_[state];
      cost_[state] = kNever;
      if (costs_.remove != kNever) Reach(next_, next_reached_, state, cost + costs_.remove);
      for (const LanguageEdge& edge : EdgesOf(state)) {
        const bool same = language_.sets[edge.set].Contains(event);
        Reach(next_, next_reached_, edge.to, same ? cost : Plus(cost, costs_.replace));
      }
    }
    std::swap(cost_, next_);
    std::swap(reached_, next_reached_);
  }

  uint64_t LeastAccepting() const {
    uint64_t least = kNever;
    for (const uint32_t state : reached_) {
      if (language_.accepting[state]) least = std::min(least, cost_[state]);
    }
    return least;
  }

  void set_insert_cost(uint64_t cost) { costs_.insert = cost; }

 private:
  std::span<const LanguageEdge> EdgesOf(uint32_t state) const {
    return std::span(language_.edges).subspan(first_[state], first_[state + 1] - first_[state]);
  }

  bool Reach(std::vector<uint64_t>& costs, std::vector<uint32_t>& reached, uint32_t state, uint64_t cost) const {
    if (cost > bound_ || cost >= costs[state]) return false;
    if (costs[state] == kNever) reached.push_back(state);
    costs[state] = cost;
    return true;
  }

  const Language& language_;
  Costs costs_;
  uint64_t bound_;
  std::vector<uint32_t> first_;                    // the edges of state s are [first_[s], first_[s + 1])
  std::vector<uint64_t> cost_, next_;              // by state; kNever beyond the bound
  std::vector<uint32_t> reached_, next_reached_;   // the states whose cost is not kNever
  std::vector<Reached> sorted_, queue_;
};

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
  const auto left_of_word = EditsToLanguage(x, language, {.remove = 0, .insert = 1}, left_of_x ? *left_of_x - 1 : bound);
  return left_of_word ? left_of_word : left_of_x;
}

}  // namespace

std::optional<uint64_t> PatternDistance(Sequence x, const Language& language, PatternMetric metric, uint64_t bound) {
  switch (metric) {
    case PatternMetric::kLevenshtein:
      if (bound == 0 && !Accepts(language, x)) return std::nullopt;
      return bound == 0 ? std::optional<uint64_t>(0) : EditsToLanguage(x, language, {.replace = 1, .remove = 1, .insert = 1}, bound);
    case PatternMetric::kHamming:
      return HammingToLanguage(x, language, bound);
    case PatternMetric::kLcs:
      return EditsToLanguage(x, language, {.remove = 1, .insert = 1}, bound);
    case PatternMetric::kEmbedding:
      return EmbeddingToLanguage(x, language, bound);
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
