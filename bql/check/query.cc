// Compares patterns by their text: the automaton follows from it.
#include "bql/check/query.h"

namespace oscope::bql {

bool TracePattern::operator==(const TracePattern& other) const {
  if (kind != other.kind) return false;
  switch (kind) {
    case Kind::kTraces: return traces == other.traces;
    // The text says it all: the automaton is made from it.
    case Kind::kQuoted:
      return pattern == other.pattern || (pattern && other.pattern && pattern->text == other.pattern->text);
    case Kind::kUnion:
    case Kind::kStar: return parts == other.parts;
  }
  return false;
}

}  // namespace oscope::bql
