// The metric that a DISTANCE clause names, ready to measure: what its row (metric_table.h) needs of the store, and the
// function that gives it that.
//
// Threads: pure functions, for any thread; an EventStatistics belongs to one while it counts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "bql/check/query.h"
#include "query/distance/metric.h"
#include "query/distance/pattern_distance.h"
#include "query/distance/user/user_metric.h"
#include "query/semantics/event_names.h"
#include "query/semantics/recent_methods.h"
#include "query/similarity/word_rarity.h"

namespace oscope {

// How rare events are in the store: of how many traces, and how many of them have each event (by id) among their last
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
  CancelToken cancel = {};  // ends the waiting for their answers; a session sets it for each statement
};

enum class MetricSpeed : uint8_t { kFast, kPlain };  // kPlain: the obvious algorithm, for the oracle

// What a metric may need of the store and the query.
struct MetricInputs {
  const EventNames& names;  // outlives the metric
  const EventStatistics& statistics;
  std::function<WordStatistics()> words;                          // of the stacks; asked only by a row FromWords
  std::function<std::shared_ptr<const MethodWeights>()> methods;  // of all names; asked only by a row FromMethods
  const UserMetrics& user_metrics;
};

// The metric of the row, its plain form for kPlain where there is one. Only a user's own can fail: kNotFound when the
// configuration has no such metric, else what UserMetric::Open says.
Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const MetricInputs& inputs,
                                                   MetricSpeed speed);
// How the metric's distance to a pattern is measured. Of no account for a metric that the language refuses patterns of.
PatternMetric PatternMetricOf(const bql::Metric& metric);

}  // namespace oscope
