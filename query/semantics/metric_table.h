// How the metrics that a DISTANCE clause may name are measured, one row each: what makes a metric, whether it can be
// measured to a pattern, whether the tails of the index serve it.
//
// The other half of a row, of the same kind, is the language's: bql/metric_table.h. query/distance/README.md says how to
// add a metric.
// Threads: constants, for any thread.
// Example: MeasureOf(bql::MetricKind::kRecent).tails->joins is false.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <variant>

#include "bql/metric_table.h"
#include "query/distance/metric.h"
#include "query/distance/pattern_distance.h"
#include "query/semantics/tail_matching.h"

namespace oscope {

class EventNames;
struct MethodWeights;
class WordStatistics;

// Functions that make a metric. What one takes is what the metric needs to know of the store beside two traces.
using FromTraces = std::unique_ptr<SequenceMetric> (*)();                                       // nothing
using FromEvents = std::unique_ptr<SequenceMetric> (*)(EventWeights);                           // how rare events are
using FromMethods = std::unique_ptr<SequenceMetric> (*)(std::shared_ptr<const MethodWeights>);  // how rare methods are
using FromWords = std::unique_ptr<SequenceMetric> (*)(const EventNames&, WordStatistics);       // how rare words are
struct FromConfiguration {};  // a user's own is opened as the configuration says (query/distance/user/user_metric.h)
using MetricMaker = std::variant<FromTraces, FromEvents, FromMethods, FromWords, FromConfiguration>;

struct MetricMeasure {
  bql::MetricKind kind;
  MetricMaker make;
  std::optional<MetricMaker> plain = {};       // the obvious algorithm, for the oracle, where `make` is another
  std::optional<PatternMetric> patterns = {};  // the distance to a pattern; nothing when the language refuses patterns
  std::optional<TailMatching> tails = {};      // nothing when the index does not serve it
};

// The rows of all kinds, in their order.
std::span<const MetricMeasure> MetricMeasures();
const MetricMeasure& MeasureOf(bql::MetricKind kind);

}  // namespace oscope
