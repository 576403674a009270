// Bugs that are similar to a bug or a run, as `similar`, `trace` and `test` show them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/json_output.h"
#include "query/semantics/answer.h"
#include "query/similar/alignment.h"
#include "query/similar/common_methods.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope::cli {

// What a distance counts: edits, or thousandths by which the methods that ran last (`recent`) or the words of stacks
// (`words`) differ.
enum class DistanceOf : uint8_t { kEdits, kMethods, kWords };
std::string_view MetricOf(DistanceOf distance);  // as BQL names it

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
  std::vector<std::string> damaged;  // segments left out (--partial)
  bool empty() const { return bugs.empty() && (!rows || rows->rows.empty()); }
};

// "28 edits", "no edit", "39.0 % alike by what ran last"; empty without a distance.
std::string DistanceInWords(const SimilarBug& bug);
// What is known of a fix, on one line: its note, else its commit; empty when there is none.
std::string FixInWords(const Fix& fix);

// Of each bug its key, status and title, the distance and the fix where there are such.
Json ToJson(const SimilarAnswer& answer);

struct SimilarView {
  bool to_stderr = false;  // the table too: stdout belongs to somebody else
  bool explain = false;    // also how the events of each align
  std::string subject;     // the bug or run at hand, as an argument of `oscope similar`
};

// Notes, a table with status and fix, and the command to look further.
void PrintSimilar(const Context& context, const SimilarAnswer& answer, const SimilarView& view);

}  // namespace oscope::cli
