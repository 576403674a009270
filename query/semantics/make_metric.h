// The metric that a DISTANCE clause names, ready to measure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/distance/metric.h"
#include "query/distance/user_metric.h"
#include "query/semantics/event_names.h"
#include "query/semantics/recent_methods.h"
#include "query/semantics/set_predicate.h"
#include "query/similarity/word_rarity.h"

namespace oscope {

// What `weighted` knows of the store: of how many traces, and how many of them have each event (by id) among their last
// kSketchEvents up to the failure. Frozen with a job.
struct EventStatistics {
  uint64_t traces = 0;
  std::vector<uint64_t> traces_with_event;

  // One more trace; `events` are those up to its failure.
  void Count(std::span<const uint32_t> events);
};

// The user's own metrics, and the program that loads a library's (user_metric.h).
struct UserMetrics {
  std::vector<UserMetricConfig> metrics;
  std::vector<std::string> host;
};

enum class MetricSpeed : uint8_t { kFast, kPlain };  // kPlain: the obvious algorithm, for the oracle

// What a metric may need of the store and the query.
struct MetricInputs {
  const EventNames& names;  // outlives the metric
  const EventStatistics& statistics;
  std::function<WordStatistics()> words;                          // of the stacks; asked for by `words` only
  std::function<std::shared_ptr<const MethodWeights>()> methods;  // of all names; asked for by `recent` only
  const UserMetrics& user_metrics;
};

Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const MetricInputs& inputs,
                                                   MetricSpeed speed);
PatternMetric PatternMetricOf(const bql::Metric& metric);

}  // namespace oscope
