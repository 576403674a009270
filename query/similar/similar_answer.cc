// The metric behind each kind of distance, as BQL names it.
#include "query/similar/similar_answer.h"

namespace oscope {

std::string_view MetricOf(DistanceOf distance) {
  switch (distance) {
    case DistanceOf::kEdits: return "levenshtein";
    case DistanceOf::kMethods: return "recent";
    case DistanceOf::kWords: return "words";
  }
  return "";
}

}  // namespace oscope
