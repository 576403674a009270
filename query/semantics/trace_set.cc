#include "query/semantics/trace_set.h"

#include <algorithm>
#include <tuple>

namespace oscope {

TraceSet Distinct(std::vector<TraceWord> words) {
  const auto content = [](const TraceWord& word) { return std::tie(word.kind, word.events); };
  std::sort(words.begin(), words.end(), [&](const TraceWord& a, const TraceWord& b) {
    return content(a) != content(b) ? content(a) < content(b) : a.id < b.id;
  });
  words.erase(std::unique(words.begin(), words.end(),
                          [&](const TraceWord& a, const TraceWord& b) { return content(a) == content(b); }),
              words.end());
  std::sort(words.begin(), words.end(), [](const TraceWord& a, const TraceWord& b) { return a.id < b.id; });
  return words;
}

}  // namespace oscope
