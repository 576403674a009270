// Of pattern_distance.cc and language_searcher.cc alone: the product of a sequence and an automaton, one position after
// the other.
//
// For each state the least cost of having read a word's beginning that leads there. Inserting an event of the word is a
// step within one position; since all insertions cost the same, a queue beside the states sorted by cost visits them in
// order of cost, each once.
// Threads: one at a time.
#pragma once

#include <algorithm>

#include "query/distance/pattern_distance.h"

namespace oscope::language_product {

inline constexpr uint64_t kNever = UINT64_MAX;

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

inline uint64_t Plus(uint64_t cost, uint64_t more) { return more == kNever ? kNever : cost + more; }

class Product {
 public:
  Product(const Language& language, Costs costs, uint64_t bound)
      : language_(language),
        costs_(costs),
        bound_(bound),
        first_(language.states + 1, 0),
        cost_(language.states, kNever),
        next_(language.states, kNever) {
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
      const bool queued = from_queue < queue_.size() &&
                          (from_sorted == sorted_.size() || queue_[from_queue].cost <= sorted_[from_sorted].cost);
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

  // The cost of each state, kNever beyond the bound; and going on from such costs.
  const std::vector<uint64_t>& costs() const { return cost_; }
  void Resume(std::span<const uint64_t> costs) {
    reached_.clear();
    cost_.assign(costs.begin(), costs.end());
    for (uint32_t state = 0; state < language_.states; ++state) {
      if (cost_[state] != kNever) reached_.push_back(state);
    }
  }

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
  std::vector<uint32_t> first_;                   // the edges of state s are [first_[s], first_[s + 1])
  std::vector<uint64_t> cost_, next_;             // by state; kNever beyond the bound
  std::vector<uint32_t> reached_, next_reached_;  // the states whose cost is not kNever
  std::vector<Reached> sorted_, queue_;
};

}  // namespace oscope::language_product
