// A bug as a query sees it: the report, and what its failing runs say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bql/check/query.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// What the failing runs of a bug say: distinct, sorted.
struct FailingRuns {
  std::vector<std::string> tests;
  std::vector<std::string> signals;

  void Add(const RunHeader& run);  // one that passed adds nothing
};

struct BugRecord {
  Bug bug;
  FailingRuns runs;
};

// The values of a field: none when the bug does not say. Only `test` and `signal` can have several.
std::vector<std::string> FieldValues(const BugRecord& record, std::string_view field);

}  // namespace oscope
