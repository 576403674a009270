// A checked query written back as BQL, one way for all texts that mean the same. It parses and checks to an equal
// query. For EXPLAIN, for logs, and as a key.
#pragma once

#include <string>

#include "bql/check/query.h"

namespace oscope::bql {

// `variables` are those of the Select, by whose index a node names them.
std::string Print(const Projection& projection);
std::string Print(const BugTraces& traces, const std::vector<std::string>& variables);
std::string Print(const TracePattern& pattern, const std::vector<std::string>& variables);
std::string Print(const SetPredicate& predicate, const std::vector<std::string>& variables);
std::string Print(const FieldPredicate& predicate, const std::vector<std::string>& variables);
std::string Print(const Condition& condition, const std::vector<std::string>& variables);
std::string Print(const Metric& metric);
std::string Print(const Select& select);

}  // namespace oscope::bql
