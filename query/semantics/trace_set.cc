// Equal traces of a bug count once, represented by the least id: sorted by content, made unique, and sorted by id
// again.
#include "query/semantics/trace_set.h"

#include <algorithm>
#include <tuple>

namespace oscope {

TraceSet Distinct(std::vector<TraceSequence> sequences) {
  const auto content = [](const TraceSequence& sequence) { return std::tie(sequence.kind, sequence.events); };
  std::sort(sequences.begin(), sequences.end(), [&](const TraceSequence& a, const TraceSequence& b) {
    return content(a) != content(b) ? content(a) < content(b) : a.id < b.id;
  });
  sequences.erase(std::unique(sequences.begin(), sequences.end(),
                              [&](const TraceSequence& a, const TraceSequence& b) { return content(a) == content(b); }),
                  sequences.end());
  std::sort(sequences.begin(), sequences.end(),
            [](const TraceSequence& a, const TraceSequence& b) { return a.id < b.id; });
  return sequences;
}

}  // namespace oscope
