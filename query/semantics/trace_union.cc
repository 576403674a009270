// Evaluates a pattern expression to traces and languages. Repetition turns everything below it into one language,
// since a repeated trace is no longer a trace.
#include "query/semantics/trace_union.h"

#include <iterator>

#include "query/semantics/bind_pattern.h"

namespace oscope {
namespace {

using bql::TracePattern;

class Collector {
 public:
  Collector(const TracesOf& traces_of, const EventNames& names, const std::function<Status()>& ask)
      : traces_of_(traces_of), names_(names), ask_(ask) {}

  Status Add(const TracePattern& pattern, TraceUnion& sum) {
    switch (pattern.kind) {
      case TracePattern::Kind::kTraces: {
        OSCOPE_ASSIGN_OR_RETURN(TraceSet sequences, traces_of_(pattern.traces));
        std::move(sequences.begin(), sequences.end(), std::back_inserter(sum.sequences));
        return {};
      }
      case TracePattern::Kind::kQuoted: {
        OSCOPE_ASSIGN_OR_RETURN(Language language, BindPattern(*pattern.pattern, names_.views(), ask_));
        sum.languages.push_back(std::move(language));
        return {};
      }
      case TracePattern::Kind::kUnion:
        for (const TracePattern& part : pattern.parts) OSCOPE_RETURN_IF_ERROR(Add(part, sum));
        return {};
      case TracePattern::Kind::kStar: return AddStar(pattern.parts[0], sum);
    }
    return {};
  }

 private:
  Status AddStar(const TracePattern& repeated, TraceUnion& sum) {
    TraceUnion parts;
    OSCOPE_RETURN_IF_ERROR(Add(repeated, parts));
    if (parts.empty()) return {};
    std::vector<std::vector<uint32_t>> words;
    for (const TraceSequence& sequence : parts.sequences) words.push_back(sequence.events);
    if (!words.empty()) parts.languages.push_back(LanguageOfWords(words));
    std::vector<const Language*> languages;
    for (const Language& language : parts.languages) languages.push_back(&language);
    sum.languages.push_back(Star(Union(languages)));
    return {};
  }

  const TracesOf& traces_of_;
  const EventNames& names_;
  const std::function<Status()>& ask_;
};

}  // namespace

Result<TraceUnion> MakeTraceUnion(const TracePattern& pattern, const TracesOf& traces_of, const EventNames& names,
                                  const std::function<Status()>& ask) {
  TraceUnion sum;
  OSCOPE_RETURN_IF_ERROR(Collector(traces_of, names, ask).Add(pattern, sum));
  sum.sequences = Distinct(std::move(sum.sequences));
  return sum;
}

}  // namespace oscope
