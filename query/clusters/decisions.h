// What people decided about a bug's cluster, as the bug carries it.
//
// Stored:    in custom fields of the report: `cluster_with` and `cluster_apart` are ids of bugs of the same project,
//            ascending as bytes, with a space between them; `cluster_id` is the name that the cluster had then. A field
//            without a value is left out.
// Example:   cluster_with = "17 342"
#pragma once

#include <string>
#include <vector>

#include "tracer/model/bug.h"

namespace oscope {

inline constexpr const char* kWithField = "cluster_with";
inline constexpr const char* kApartField = "cluster_apart";
inline constexpr const char* kClusterIdField = "cluster_id";

struct Decisions {
  std::vector<std::string> with;   // bugs that belong together with this one
  std::vector<std::string> apart;  // bugs that do not
  std::string id;                  // of the cluster: a bug's id
  bool empty() const { return with.empty() && apart.empty(); }
  bool operator==(const Decisions&) const = default;
};

// Never fails: words that are no ids, which a person may have written by hand, are left out.
Decisions ReadDecisions(const Bug& bug);
// Sorts the lists and drops repetitions and the bug itself.
void WriteDecisions(Decisions decisions, Bug& bug);

}  // namespace oscope
