// The metric that a DISTANCE clause names, ready to measure.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "bql/check/query.h"
#include "query/distance/metric.h"
#include "query/distance/user_metric.h"
#include "query/semantics/event_names.h"
#include "query/semantics/set_predicate.h"

namespace oscope {

// What `weighted` knows of the store: of how many traces, and how many of them have each event (by id) among their last kSketchEvents
// up to the failure. Frozen with a job.
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

// `names` outlives the metric.
Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const EventNames& names, const EventStatistics& statistics,
                                                   const UserMetrics& user_metrics, MetricSpeed speed);
PatternMetric PatternMetricOf(const bql::Metric& metric);

}  // namespace oscope
