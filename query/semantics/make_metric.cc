// Gives a metric's row in the table what it asks for. Which inputs a metric needs is the type of its function, so that
// the expensive ones (words of stacks, weights of methods) are worked out only for metrics that use them.
#include "query/semantics/make_metric.h"

#include <algorithm>

#include "index/sketch/sketch.h"
#include "query/semantics/metric_table.h"

namespace oscope {

namespace {

Result<std::unique_ptr<SequenceMetric>> OpenUserMetric(const bql::Metric& metric, const EventNames& names,
                                                       const UserMetrics& user) {
  const auto config = std::find_if(user.metrics.begin(), user.metrics.end(),
                                   [&](const UserMetricConfig& one) { return one.name == metric.user; });
  if (config == user.metrics.end())
    return NotFound("metric '{}': the configuration has no [metrics.{}]", metric.user, metric.user);
  UserMetricOptions options;
  options.name_of = [&names](uint32_t event) -> std::string_view { return names.name(event); };
  options.host = user.host;
  options.arguments = metric.arguments;
  options.cancel = user.cancel;
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<UserMetric> opened, UserMetric::Open(*config, std::move(options)));
  return std::unique_ptr<SequenceMetric>(std::move(opened));
}

// Gives a row's function what it takes.
struct Making {
  using Made = Result<std::unique_ptr<SequenceMetric>>;
  Made operator()(FromTraces make) const { return make(); }
  Made operator()(FromEvents make) const {
    return make(WeighEvents(inputs.statistics.traces_with_event, inputs.statistics.traces));
  }
  Made operator()(FromMethods make) const { return make(inputs.methods()); }
  Made operator()(FromWords make) const { return make(inputs.names, inputs.words()); }
  Made operator()(FromConfiguration) const { return OpenUserMetric(metric, inputs.names, inputs.user_metrics); }

  const bql::Metric& metric;
  const MetricInputs& inputs;
};

}  // namespace

void EventStatistics::Count(std::span<const uint32_t> events) {
  ++traces;
  const std::span<const uint32_t> tail = events.last(std::min<size_t>(events.size(), kSketchEvents));
  std::vector<uint32_t> distinct(tail.begin(), tail.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const uint32_t event : distinct) {
    if (event >= traces_with_event.size()) traces_with_event.resize(event + 1);
    ++traces_with_event[event];
  }
}

PatternMetric PatternMetricOf(const bql::Metric& metric) {
  // The language lets no pattern through to a metric that has none.
  return MeasureOf(metric.kind).patterns.value_or(PatternMetric::kLevenshtein);
}

Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const MetricInputs& inputs,
                                                   MetricSpeed speed) {
  const MetricMeasure& row = MeasureOf(metric.kind);
  return std::visit(Making{metric, inputs}, speed == MetricSpeed::kPlain ? row.plain.value_or(row.make) : row.make);
}

}  // namespace oscope
