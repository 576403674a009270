// The plan of a query: the query as rewritten, and for each set predicate how it will be decided.
//
// Made as the query stands (MakePlan), then rewritten by the rules (OptimisePlan of query/rules), each a function plan
// -> plan that leaves the answer alone. Prints as stable text (PrintPlan): what EXPLAIN shows.
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "bql/check/query.h"
#include "query/semantics/tail_matching.h"

namespace oscope {

// How a set predicate is decided.
struct PredicatePlan {
  enum class Role : uint8_t {
    kConstant,  // names no variable: once
    kSearch,    // one variable: for every bug at once
    kJoin,      // two variables, one on either side: for every pair that is near
    kPerRow,    // anything else: for each row that the other predicates leave
  };
  bql::SetPredicate predicate;
  Role role = Role::kPerRow;
  // Of kSearch and kJoin: how the tails of the index serve it, all of a segment at once. Nothing: they do not, and
  // every trace is compared with every trace by the metric as it is.
  std::optional<TailMatching> tails;
  uint32_t variable = 0;  // kSearch; of kJoin the left side's
  uint32_t other = 0;     // kJoin: the right side's
  // the number of nearest bugs (or pairs) that are wanted: the bound falls as they are found
  std::optional<uint64_t> keep_nearest;
};

struct QueryPlan {
  bql::Select select;
  std::vector<PredicatePlan> predicates;  // the distinct ones of select.where, in the order they first stand
  bool use_tails = false;  // expressions that the index's tails suffice for read them; else all traces are read whole
  bool reports_first = true;  // all bugs are known before the search, with the fields that the condition and the order
                              // need; else those with traces are, and the reports of the rows that are shown are read
  bool runs_first = false;    // and what their failing runs say: tests, signals

  const PredicatePlan& Of(const bql::SetPredicate& predicate) const { return predicates[IndexOf(predicate)]; }
  size_t IndexOf(const bql::SetPredicate& predicate) const;  // a predicate of select.where
  // Adds a predicate, unless it is there.
  void Add(const bql::SetPredicate& predicate);

 private:
  std::optional<size_t> Find(const bql::SetPredicate& predicate, size_t hash) const;
  std::unordered_multimap<size_t, size_t> index_by_hash_;  // a condition may have ten thousand predicates
};

QueryPlan MakePlan(const bql::Select& select);

// Everything but the order of the numbers of a particular store: the same text on every machine.
std::string PrintPlan(const QueryPlan& plan);

}  // namespace oscope
