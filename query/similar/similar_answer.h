// Bugs that are similar to a bug or a run: what the search returns, for a command, a page or a message to show.
//
// Threads: values; may be read from any thread once they are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/semantics/answer.h"
#include "query/similar/alignment.h"
#include "query/similar/common_methods.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// What a distance counts: edits, or thousandths by which the methods that ran last (`recent`) or the words of stacks
// (`words`) differ.
enum class DistanceOf : uint8_t { kEdits, kMethods, kWords };
// The metric as BQL names it: "levenshtein", "recent", "words".
std::string_view MetricOf(DistanceOf distance);

struct SimilarBug {
  Bug report;
  std::optional<uint64_t> distance;  // missing: the query has none
  DistanceOf distance_of = DistanceOf::kEdits;
  std::optional<TraceId> ours, theirs;   // the pair that is nearest
  std::optional<CommonMethods> methods;  // what kMethods compares
  // what the others compare, of their last events; missing where there is no pair, or there are too many or too long
  // ones
  std::optional<Alignment> alignment;
};

struct SimilarAnswer {
  std::string query;             // the saved query that was asked; empty: the usual search
  std::vector<SimilarBug> bugs;  // nearest first
  std::optional<Answer> rows;    // instead of `bugs`, of a query whose rows are not single bugs
  uint64_t traces = 0;           // that were compared
  TraceKind kind = TraceKind::kExecution;
  std::vector<std::string> notes;    // that nothing is near
  std::vector<std::string> damaged;  // segments left out (SessionOptions::skip_damaged)

  // Whether nothing is similar.
  bool empty() const { return bugs.empty() && (!rows || rows->rows.empty()); }
};

}  // namespace oscope
