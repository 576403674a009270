// The names of the metrics as a list for error messages.
#include "bql/metric_table.h"

namespace oscope::bql {

std::string MetricChoices() {
  std::string choices;
  for (const MetricDefinition& metric : kMetricDefinitions) {
    const bool last = &metric == &kMetricDefinitions.back();
    if (!choices.empty()) choices += last ? " or " : ", ";
    choices += metric.short_name.empty() ? metric.name : metric.short_name;
    if (metric.users_own) choices += "(name)";
  }
  return choices;
}

}  // namespace oscope::bql
