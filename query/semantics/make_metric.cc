#include "query/semantics/make_metric.h"

#include <algorithm>

#include "index/sketch/sketch.h"
#include "query/distance/embedding.h"
#include "query/distance/hamming.h"
#include "query/distance/lcs.h"
#include "query/distance/levenshtein_metric.h"
#include "query/distance/renamed.h"
#include "query/distance/vsm.h"
#include "query/distance/weighted.h"
#include "query/semantics/words_metric.h"

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
  OSCOPE_ASSIGN_OR_RETURN(std::unique_ptr<UserMetric> opened, UserMetric::Open(*config, std::move(options)));
  return std::unique_ptr<SequenceMetric>(std::move(opened));
}

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
  switch (metric.kind) {
    case bql::Metric::Kind::kHamming: return PatternMetric::kHamming;
    case bql::Metric::Kind::kLcs: return PatternMetric::kLcs;
    case bql::Metric::Kind::kEmbedding: return PatternMetric::kEmbedding;
    default: return PatternMetric::kLevenshtein;
  }
}

Result<std::unique_ptr<SequenceMetric>> MakeMetric(const bql::Metric& metric, const MetricInputs& inputs,
                                                   MetricSpeed speed) {
  using Kind = bql::Metric::Kind;
  switch (metric.kind) {
    case Kind::kLevenshtein: return speed == MetricSpeed::kPlain ? MakePlainLevenshtein() : MakeLevenshtein();
    case Kind::kHamming: return MakeHamming();
    case Kind::kLcs: return MakeLcs();
    case Kind::kEmbedding: return MakeEmbedding();
    case Kind::kVsm: return MakeVsm();
    case Kind::kRenamed: return MakeRenamed();
    case Kind::kWeighted:
      return MakeWeighted(WeighEvents(inputs.statistics.traces_with_event, inputs.statistics.traces));
    case Kind::kRecent:
      return speed == MetricSpeed::kPlain ? MakePlainRecentMethods(inputs.methods())
                                          : MakeRecentMethods(inputs.methods());
    case Kind::kWords:
      return speed == MetricSpeed::kPlain ? MakePlainWordsMetric(inputs.names, inputs.words())
                                          : MakeWordsMetric(inputs.names, inputs.words());
    case Kind::kUser: break;
  }
  return OpenUserMetric(metric, inputs.names, inputs.user_metrics);
}

}  // namespace oscope
