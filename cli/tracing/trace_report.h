// The JSON object of `oscope trace`, with the same names as in `oscope test` and `oscope show run`.
#pragma once

#include <optional>
#include <string>

#include "cli/output/json_output.h"
#include "cli/similar/similar_answer.h"
#include "tracer/record/recorded_run.h"

namespace oscope::cli {

struct TraceResult {
  bool stored = false;
  std::string file;  // that it was written to
  RunDecision bug;   // that it belongs to, if it was stored
  std::optional<SimilarAnswer> similar;
  Status error;  // why it was not kept, or the search failed
};

Json AsJson(const RecordedRun& run, const TraceResult& result);

}  // namespace oscope::cli
