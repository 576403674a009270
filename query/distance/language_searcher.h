// The distances of many sequences to one language: PatternDistance, with what it computed remembered.
//
// The costs of all states after an event depend only on the costs before it and on which of the language's sets hold
// the event. With a bound there are finitely many; each is computed the first time it comes up, and is a table lookup
// from then on. The table is limited: when it is full it is begun anew, and after some such times the rest is computed
// without it.
// Threads: one at a time; one searcher a thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "query/distance/pattern_distance.h"

namespace oscope {

class LanguageSearcher {
 public:
  static constexpr size_t kMaxCells = 4 << 20;

  // Borrows the language. A cell of the table is four bytes.
  LanguageSearcher(const Language& language, PatternMetric metric, uint64_t bound, size_t max_cells = kMaxCells);
  ~LanguageSearcher();

  // The same as PatternDistance(x, language, metric, bound).
  std::optional<uint64_t> Distance(Sequence x);

 private:
  class Table;
  const Language& language_;
  PatternMetric metric_;
  uint64_t bound_;
  std::unique_ptr<Table> table_;  // null: every sequence by PatternDistance
};

}  // namespace oscope
