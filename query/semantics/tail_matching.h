// How the tails of the index serve a metric: known traces are compared with all tails of a segment at once, by a
// matcher that is made for it (query/operators/row_matcher.h).
//
// A metric's row has it (metric_table.h), and the plan of a predicate that is served so (query/plan/query_plan.h).
// Threads: plain values.
#pragma once

#include <cstdint>
#include <string_view>

namespace oscope {

struct TailMatching {
  enum class Matcher : uint8_t {
    kEdits,   // query/operators/tail_matcher.h
    kRecent,  // query/operators/recent_matcher.h
  };
  Matcher matcher;
  uint64_t greatest;            // no distance between two tails is greater
  bool joins;                   // a matcher is made quickly enough for the traces of every bug in turn
  std::string_view comparison;  // as EXPLAIN prints it; a constant
};

}  // namespace oscope
