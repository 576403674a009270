// The answer to a query: ranked rows of bugs, and for each row how it was found.
//
// An answer is the same, byte for byte, whichever engine, number of threads or index made it. Rows are ordered by
// distance (rows without one last), then by the bytes of the bugs' ids.
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// The two traces whose distance is the row's distance. `theirs` is missing when the other side is a pattern.
struct TracePair {
  TraceId ours;  // of the predicate's left side
  std::optional<TraceId> theirs;
  auto operator<=>(const TracePair&) const = default;
};

using Value = std::variant<std::monostate, uint64_t, std::string>;  // no value, a number, a text

struct AnswerRow {
  std::vector<BugKey> bugs;  // one for each variable
  std::optional<uint64_t> distance;
  std::optional<TracePair> pair;
  std::vector<Value> cells;  // one for each column
  bool operator==(const AnswerRow&) const = default;
};

// What the work was, for EXPLAIN ANALYZE and progress. Not part of the answer's identity.
struct QueryStats {
  uint64_t traces = 0;                                     // looked at
  uint64_t by_length = 0, by_sketch = 0, by_postings = 0;  // removed by each filter
  uint64_t verified = 0;                                   // whose distance was computed
  uint64_t check_ns = 0, plan_ns = 0, run_ns = 0;          // check: with parsing
};

struct Answer {
  std::vector<std::string> columns;  // "b", "b.title", "distance", "count"
  size_t asked_columns = 0;          // number of columns that SELECT names; those after them were added for the reader
  std::vector<AnswerRow> rows;
  std::vector<std::string> notes;    // "nothing within 10 edits: widened to 20"
  std::vector<std::string> damaged;  // segments left out (--partial)
  QueryStats stats;
};

}  // namespace oscope
