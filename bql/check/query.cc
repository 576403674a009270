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

std::string_view MetricName(Metric::Kind kind) {
  switch (kind) {
    case Metric::Kind::kLevenshtein: return "levenshtein";
    case Metric::Kind::kHamming: return "hamming";
    case Metric::Kind::kLcs: return "lcs";
    case Metric::Kind::kEmbedding: return "embedding";
    case Metric::Kind::kVsm: return "vsm";
    case Metric::Kind::kWeighted: return "weighted";
    case Metric::Kind::kRecent: return "recent";
    case Metric::Kind::kRenamed: return "renamed";
    case Metric::Kind::kWords: return "words";
    case Metric::Kind::kUser: return "u";
  }
  return "";
}

}  // namespace oscope::bql
