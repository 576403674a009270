// The sets of traces whose expressions the index's tails suffice for. Nothing is kept: a bug's set is made from the
// mapped tails whenever it is asked for.
#include <algorithm>
#include <utility>

#include "query/operators/trace_sets.h"
#include "query/semantics/trace_operators.h"

namespace oscope {
namespace {

// Of a run alone: the first kind is the first of its own traces.
class RunSelection {
 public:
  RunSelection(const Corpus& corpus, const TraceSelection& selection, std::span<const TraceRef> traces)
      : corpus_(corpus), selection_(selection) {
    for (const TraceRef trace : traces) {
      if (corpus.row(trace).event_count > 0 && Admits(trace)) first_kind_ = std::min(first_kind_, Rank(trace));
    }
  }
  bool Has(TraceRef trace) const { return Admits(trace) && Rank(trace) == first_kind_; }

 private:
  bool Admits(TraceRef trace) const { return selection_.Admits(TraitsOf(corpus_.row(trace))); }
  uint32_t Rank(TraceRef trace) const { return selection_.Rank(TraitsOf(corpus_.row(trace))); }

  const Corpus& corpus_;
  const TraceSelection& selection_;
  uint32_t first_kind_ = UINT32_MAX;
};

class TailSets : public TraceSets {
 public:
  TailSets(const Corpus& corpus, const QuerySubjects& subjects, const bql::BugTraces& traces, TraceOperators operators)
      : corpus_(corpus),
        subjects_(subjects),
        selection_(traces),
        selected_(corpus.Select(selection_)),
        operators_(std::move(operators)) {}

  TraceSet Of(uint32_t subject) const override {
    const std::span<const TraceRef> traces = subjects_.TracesOf(subject);
    return subjects_.IsBug(subject) ? Collect(traces, *selected_)
                                    : Collect(traces, RunSelection(corpus_, selection_, traces));
  }

 private:
  template <typename Selected>
  TraceSet Collect(std::span<const TraceRef> traces, const Selected& selected) const {
    std::vector<TraceSequence> sequences;
    for (const TraceRef trace : traces) {
      if (!selected.Has(trace)) continue;
      MarkedEvents tail;
      corpus_.segments()[trace.segment].search->tails().AppendTail(trace.row, kTailEvents, tail.events);
      const std::span<const uint32_t> names = corpus_.NamesOf(trace.segment);
      for (uint32_t& event : tail.events) event = names[event];
      tail.marked = tail.events.size();
      operators_.Apply(tail);
      if (!tail.events.empty())
        sequences.push_back({corpus_.row(trace).kind, std::move(tail.events), corpus_.IdOf(trace)});
    }
    return Distinct(std::move(sequences));
  }

  const Corpus& corpus_;
  const QuerySubjects& subjects_;
  const TraceSelection selection_;
  std::shared_ptr<const SelectedTraces> selected_;
  TraceOperators operators_;
};

}  // namespace

std::unique_ptr<TraceSets> OpenTailSets(const Corpus& corpus, const QuerySubjects& subjects,
                                        const bql::BugTraces& traces, TraceOperators operators) {
  return std::make_unique<TailSets>(corpus, subjects, traces, std::move(operators));
}

}  // namespace oscope
