// A set of traces, as the operands of the set predicates are: distinct sequences, each with the trace that stands for
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "query/distance/pattern_distance.h"
#include "tracer/model/run.h"

namespace oscope {

struct TraceSequence {
  TraceKind kind = TraceKind::kExecution;
  std::vector<uint32_t> events;
  TraceId id;  // of several equal ones the least
};

// Distinct by kind and events, in order of their ids.
using TraceSet = std::vector<TraceSequence>;
TraceSet Distinct(std::vector<TraceSequence> sequences);

// The right side of a set predicate: the union of traces and of languages.
struct TraceUnion {
  TraceSet sequences;
  std::vector<Language> languages;
  bool empty() const { return sequences.empty() && languages.empty(); }
};

}  // namespace oscope
