// Rows that satisfy a condition, from what is known of its predicates.
//
// Binds variable after variable. A variable takes only the bugs that a search or a join of the condition's conjunction
// leaves; without one, all bugs. Each full row is judged by the whole condition.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "query/operators/prepared_query.h"
#include "query/operators/search_result.h"
#include "query/semantics/ranked_rows.h"

namespace oscope {

// What was found out about a predicate beforehand, as its role says.
struct PredicateFacts {
  Judgement constant;
  SearchResult search;
  JoinResult join;    // by the left side's bug
  JoinResult turned;  // the same by the right side's, when its variable comes first
};

class RowFinder {
 public:
  // `facts` are parallel to the plan's predicates.
  RowFinder(const PreparedQuery& query, const std::vector<PredicateFacts>& facts, const BugFields& fields,
            uint64_t max_rows);

  // COUNT keeps no rows.
  Result<std::vector<FoundRow>> Find();
  uint64_t found() const { return found_; }

 private:
  Status Extend();
  Status Ask();
  // Whether there is room for more rows than max_rows_: there is when LIMIT shows fewer.
  bool DropFarRows();
  bool IsAllowed() const;
  // The bugs that the variable may take given those before it; null: all.
  const SearchResult* Candidates(uint32_t variable);
  Judgement JudgementOf(const bql::SetPredicate& predicate);

  const PreparedQuery& query_;
  const std::vector<PredicateFacts>& facts_;
  const BugFields& fields_;
  const uint64_t max_rows_;
  std::unordered_map<const bql::SetPredicate*, size_t> index_of_;
  std::vector<size_t> conjuncts_;  // predicates that every row satisfies
  std::vector<std::pair<uint32_t, uint32_t>> symmetric_;
  std::vector<uint32_t> row_;
  std::vector<FoundRow> rows_;
  Status status_;
  uint64_t asked_ = 0;
  uint64_t between_questions_ = 4096;  // rows; fewer where each has many predicates to be judged by
  uint64_t found_ = 0;
};

}  // namespace oscope
