// How `similar`, `trace` and `test` show the bugs that are similar to a bug or a run.
#pragma once

#include <string>

#include "cli/context/context.h"
#include "cli/output/json_output.h"
#include "query/similar/similar_answer.h"
#include "tracer/model/bug.h"

namespace oscope::cli {

// "28 edits", "no edit", "39.0 % alike by what ran last"; empty without a distance.
std::string DistanceInWords(const SimilarBug& bug);
// What is known of a fix, on one line: its note, else its commit; empty when there is none.
std::string FixInWords(const Fix& fix);

// Of each bug its key, status and title, the distance and the fix where there are such.
Json ToJson(const SimilarAnswer& answer);

struct SimilarView {
  bool to_stderr = false;  // also print the table to stderr, because stdout belongs to the command that was run
  bool explain = false;    // also how the events of each align
  std::string subject;     // the bug or run at hand, as an argument of `oscope similar`
};

// Notes, a table with status and fix, and the command to look further.
void PrintSimilar(const Context& context, const SimilarAnswer& answer, const SimilarView& view);

}  // namespace oscope::cli
