// Makes the metric that a DISTANCE clause names, ready to measure: it collects what the metric's row in metric_table.h
// needs of the store.
//
// Threads: the functions may be called from any thread; an EventStatistics belongs to one thread while it counts.
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

// How rare events are in the store: the number of traces, and for each event (by id) the number of traces that have it
// among their last kSketchEvents events up to the failure. The statistics are part of a job.
struct EventStatistics {
  uint64_t traces = 0;
  std::vector<uint64_t> traces_with_event;

  // Counts one more trace; `events` are those up to its failure.
  void Count(std::span<const uint32_t> events);
};

// The user's own metrics, and the program that loads a library's (user_metric.h).
struct UserMetrics {
  std::vector<UserMetricConfig> metrics;
  std::vector<std::string> host;
  CancelToken cancel = {};  // ends the waiting for their answers; a session sets it for each statement
};

enum class MetricSpeed : uint8_t { kFast, kPlain };  // kPlain: the simple algorithm, which the oracle uses

// What a metric may need of the store and the query.
struct MetricInputs {
  const EventNames& names;  // borrowed; must outlive the metric
  const EventStatistics& statistics;
  std::function<WordStatistics()> words;                          // of the stacks; asked only by a row FromWords
  std::function<std::shared_ptr<const MethodWeights>()> methods;  // of all names; asked only by a row FromMethods
  const UserMetrics& user_metrics;
};

// Returns the metric; with kPlain its simple form if there is one. Only a user's own metric can fail: with kNotFound
// when the configuration has no such metric, and otherwise as UserMetric::Open says.
Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const MetricInputs& inputs,
                                                   MetricSpeed speed);
// Returns how the metric's distance to a pattern is measured. The result has no meaning for a metric that the language
// does not allow with patterns.
PatternMetric PatternMetricOf(const bql::Metric& metric);

}  // namespace oscope
