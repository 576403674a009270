// A bug as a query sees it: the report, and what its failing runs say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bql/check/query.h"
#include "query/semantics/answer.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

struct BugRecord {
  Bug bug;
  // Of its failing runs: distinct, sorted.
  std::vector<std::string> tests;
  std::vector<std::string> signals;

  void AddRun(const RunHeader& run);
};

// The values of a field: none when the bug does not say. Only `test` and `signal` can have several.
std::vector<std::string> FieldValues(const BugRecord& record, std::string_view field);

// Whether one of the field's values satisfies the predicate; IS NULL when there is none.
bool Satisfies(const BugRecord& record, const bql::FieldPredicate& predicate);

}  // namespace oscope
