// The metrics that `oscope rank` offers: the words of stacks, and every metric of BQL's table that needs nothing but
// events. The latter are made by the same function as for a query, so that a measured metric is the one that is used.
#include "cli/ranking/rank_metrics.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "query/semantics/make_metric.h"
#include "query/semantics/metric_table.h"
#include "query/similarity/stack_similarity.h"
#include "tracer/model/event.h"

namespace oscope::cli {
namespace {

using Traces = std::span<const RankTrace>;

class WordDistance : public TraceDistance {
 public:
  WordDistance(Traces traces, const RankOptions& options) {
    std::vector<StackText> stacks;
    WordCounter counter;
    for (const RankTrace& trace : traces) {
      StackText stack{{trace.frames.begin(), trace.frames.end()}, trace.test, trace.exception};
      if (options.frames_only) stack.test = stack.exception = {};
      counter.AddStack(StackSimilarity::Words(stack));
      stacks.push_back(std::move(stack));
    }
    const StackSimilarity similarity(counter.Freeze());
    for (const StackText& stack : stacks) vectors_.push_back(similarity.Weigh(stack));
  }

  Result<std::optional<uint64_t>> Between(size_t query, size_t other) const override {
    return std::optional<uint64_t>(kSame - Similarity(vectors_[query], vectors_[other]));
  }

 private:
  std::vector<WordVector> vectors_;
};

// The traces as events, numbered by their first appearance.
struct EventSequences {
  std::vector<std::vector<uint32_t>> sequences;
  std::vector<uint64_t> traces_with_event;

  // Names that `named` makes equal are one event.
  EventSequences(Traces traces, const RankOptions& options, std::string (*named)(std::string_view) = nullptr) {
    std::unordered_map<std::string, uint32_t> ids;
    for (const RankTrace& trace : traces) {
      std::vector<std::string> names = trace.frames;
      if (!options.frames_only && !trace.exception.empty()) names.push_back(trace.exception);
      const size_t skipped = names.size() - std::min<size_t>(names.size(), options.suffix);
      std::vector<uint32_t>& events = sequences.emplace_back();
      for (size_t i = skipped; i < names.size(); ++i) {
        events.push_back(
            ids.try_emplace(named ? named(names[i]) : names[i], static_cast<uint32_t>(ids.size())).first->second);
      }
    }
    traces_with_event.resize(ids.size());
    for (std::vector<uint32_t> events : sequences) {
      std::sort(events.begin(), events.end());
      events.erase(std::unique(events.begin(), events.end()), events.end());
      for (const uint32_t event : events) ++traces_with_event[event];
    }
  }
};

class EventDistance : public TraceDistance {
 public:
  EventDistance(std::vector<std::vector<uint32_t>> sequences, std::unique_ptr<SequenceMetric> metric)
      : sequences_(std::move(sequences)), metric_(std::move(metric)) {}

  Result<std::optional<uint64_t>> Between(size_t query, size_t other) const override {
    return metric_->Within(sequences_[query], sequences_[other], kUnbounded);
  }

 private:
  std::vector<std::vector<uint32_t>> sequences_;
  std::unique_ptr<SequenceMetric> metric_;
};

// BQL's metrics that a failure's events say all for: it has no configuration, and of its words `stack` makes more.
std::vector<MetricMeasure> EventMetrics() {
  std::vector<MetricMeasure> metrics;
  for (const MetricMeasure& metric : MetricMeasures()) {
    if (std::holds_alternative<FromTraces>(metric.make) || std::holds_alternative<FromEvents>(metric.make) ||
        std::holds_alternative<FromMethods>(metric.make))
      metrics.push_back(metric);
  }
  return metrics;
}

std::unique_ptr<TraceDistance> MakeEventDistance(const MetricMeasure& metric, Traces traces,
                                                 const RankOptions& options) {
  const bool methods = std::holds_alternative<FromMethods>(metric.make);
  EventSequences events(traces, options, methods ? WithoutTemplateArguments : nullptr);
  const EventNames names;  // no metric of events looks at them
  const EventStatistics statistics{.traces = traces.size(), .traces_with_event = std::move(events.traces_with_event)};
  // The events are methods already.
  const auto weigh_methods = [&] {
    auto weights = std::make_shared<MethodWeights>();
    weights->method_of.resize(statistics.traces_with_event.size());
    std::iota(weights->method_of.begin(), weights->method_of.end(), 0);
    weights->weights = WeighEvents(statistics.traces_with_event, statistics.traces);
    return weights;
  };
  const UserMetrics none;
  const MetricInputs inputs{names, statistics, [] { return WordStatistics(); }, weigh_methods, none};
  auto made = MakeMetric({.kind = metric.kind, .user = {}, .arguments = {}}, inputs, MetricSpeed::kFast);
  return std::make_unique<EventDistance>(std::move(events.sequences), std::move(made).value());
}

}  // namespace

std::vector<std::string> RankMetricNames() {
  std::vector<std::string> names = {kDefaultRankMetric};
  for (const MetricMeasure& metric : EventMetrics()) names.emplace_back(bql::DefinitionOf(metric.kind).name);
  return names;
}

std::string RankMetricTable() {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view what) {
    text += fmt::format("  {:<12} {}\n", name, what);
  };
  add(kDefaultRankMetric, "rare words of the frames, test and exception (default)");
  for (const MetricMeasure& metric : EventMetrics()) {
    const bql::MetricDefinition& definition = bql::DefinitionOf(metric.kind);
    add(definition.name, definition.summary);
  }
  return text;
}

std::unique_ptr<TraceDistance> MakeTraceDistance(std::string_view name, Traces traces, const RankOptions& options) {
  if (name == kDefaultRankMetric) return std::make_unique<WordDistance>(traces, options);
  const std::vector<MetricMeasure> metrics = EventMetrics();
  const auto metric = std::find_if(metrics.begin(), metrics.end(),
                                   [&](const MetricMeasure& one) { return bql::DefinitionOf(one.kind).name == name; });
  OSCOPE_CHECK(metric != metrics.end());
  return MakeEventDistance(*metric, traces, options);
}

}  // namespace oscope::cli
