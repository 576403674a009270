#include "cli/commands/rank_metrics.h"

#include <algorithm>
#include <unordered_map>

#include "query/distance/embedding.h"
#include "query/distance/hamming.h"
#include "query/distance/lcs.h"
#include "query/distance/levenshtein_metric.h"
#include "query/distance/recent.h"
#include "query/distance/renamed.h"
#include "query/distance/vsm.h"
#include "query/distance/weighted.h"
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

using MakeDistance = std::unique_ptr<TraceDistance> (*)(Traces, const RankOptions&);

std::unique_ptr<TraceDistance> MakeWordDistance(Traces traces, const RankOptions& options) {
  return std::make_unique<WordDistance>(traces, options);
}

template <std::unique_ptr<SequenceMetric> (*Make)()>
std::unique_ptr<TraceDistance> MakeEventDistance(Traces traces, const RankOptions& options) {
  return std::make_unique<EventDistance>(std::move(EventSequences(traces, options).sequences), Make());
}

std::unique_ptr<TraceDistance> MakeWeightedDistance(Traces traces, const RankOptions& options) {
  EventSequences events(traces, options);
  EventWeights weights = WeighEvents(events.traces_with_event, traces.size());
  return std::make_unique<EventDistance>(std::move(events.sequences), MakeWeighted(std::move(weights)));
}

std::unique_ptr<TraceDistance> MakeRecentDistance(Traces traces, const RankOptions& options) {
  EventSequences events(traces, options, WithoutTemplateArguments);
  EventWeights weights = WeighEvents(events.traces_with_event, traces.size());
  return std::make_unique<EventDistance>(std::move(events.sequences), MakeRecent(std::move(weights)));
}

struct RankMetric {
  const char* name;
  const char* what;
  MakeDistance make;
};

constexpr RankMetric kMetrics[] = {
    {kDefaultRankMetric, "rare words of the frames, test and exception (default)", MakeWordDistance},
    {"levenshtein", "events to replace, insert or delete", MakeEventDistance<MakeLevenshtein>},
    {"lcs", "events to insert or delete", MakeEventDistance<MakeLcs>},
    {"hamming", "places with other events", MakeEventDistance<MakeHamming>},
    {"embedding", "events of the shorter one that do not fit into the longer one", MakeEventDistance<MakeEmbedding>},
    {"vsm", "the angle between counts of events", MakeEventDistance<MakeVsm>},
    {"renamed", "levenshtein of events numbered by their first appearance", MakeEventDistance<MakeRenamed>},
    {"weighted", "an alignment that counts rare events and those near the failure more", MakeWeightedDistance},
    {"recent", "methods that both ran last, the rare and the latest above all", MakeRecentDistance},
};

}  // namespace

std::vector<std::string> RankMetricNames() {
  std::vector<std::string> names;
  for (const RankMetric& metric : kMetrics) names.emplace_back(metric.name);
  return names;
}

std::string RankMetricTable() {
  std::string text;
  for (const RankMetric& metric : kMetrics) text += fmt::format("  {:<12} {}\n", metric.name, metric.what);
  return text;
}

std::unique_ptr<TraceDistance> MakeTraceDistance(std::string_view name, Traces traces, const RankOptions& options) {
  const auto* metric =
      std::find_if(std::begin(kMetrics), std::end(kMetrics), [&](const auto& m) { return m.name == name; });
  OSCOPE_CHECK(metric != std::end(kMetrics));
  return metric->make(traces, options);
}

}  // namespace oscope::cli
