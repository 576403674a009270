#include <utility>

#include "query/operators/trace_sets.h"
#include "query/semantics/trace_operators.h"

namespace oscope {
namespace {

class TailSets : public TraceSets {
 public:
  TailSets(const Corpus& corpus, const bql::BugTraces& traces, TraceOperators operators)
      : corpus_(corpus), selected_(corpus.Select(TraceSelection(traces))), operators_(std::move(operators)) {}

  TraceSet Of(uint32_t bug) const override {
    std::vector<TraceWord> words;
    for (const TraceRef trace : corpus_.TracesOf(bug)) {
      if (!selected_->Has(trace)) continue;
      MarkedEvents tail;
      corpus_.segments()[trace.segment].search->tails().AppendTail(trace.row, kTailEvents, tail.events);
      const std::span<const uint32_t> names = corpus_.NamesOf(trace.segment);
      for (uint32_t& event : tail.events) event = names[event];
      tail.marked = tail.events.size();
      operators_.Apply(tail);
      if (!tail.events.empty()) words.push_back({corpus_.row(trace).kind, std::move(tail.events), corpus_.IdOf(trace)});
    }
    return Distinct(std::move(words));
  }

 private:
  const Corpus& corpus_;
  std::shared_ptr<const SelectedTraces> selected_;
  TraceOperators operators_;
};

}  // namespace

std::unique_ptr<TraceSets> OpenTailSets(const Corpus& corpus, const bql::BugTraces& traces, TraceOperators operators) {
  return std::make_unique<TailSets>(corpus, traces, std::move(operators));
}

}  // namespace oscope
