// The metrics that a DISTANCE clause may name, one row each: how a metric is written, what its distances count, and
// what may be asked of it.
//
// How a metric is measured is told by the row of the same kind in query/semantics/metric_table.h: this folder stands
// below the metrics and cannot name their functions. query/distance/README.md says how to add one.
// Threads: constants and pure functions, for any thread.
// Example: DefinitionOf(MetricKind::kHamming).short_name is "h".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace oscope::bql {

// In the order of the rows. kUser stays the last.
enum class MetricKind : uint8_t {
  kLevenshtein,
  kHamming,
  kLcs,
  kEmbedding,
  kVsm,
  kWeighted,
  kRecent,
  kRenamed,
  kWords,
  kUser,
};
inline constexpr size_t kMetricKinds = static_cast<size_t>(MetricKind::kUser) + 1;

// What a distance counts.
enum class DistanceScale : uint8_t {
  kEdits,        // changes of one event each: as many as it takes to make one trace of the other
  kEvents,       // events of one trace that are missing in the other
  kThousandths,  // of the greatest distance there is, which is 1000
  kOwn,          // what a user's own metric makes it
};

// Whether a trace can be compared with a quoted pattern or a starred one: with the nearest of its words.
enum class PatternUse : uint8_t {
  kMeasured,   // yes
  kPairsOnly,  // no: the metric is made for two traces
  kRenames,    // no: the metric renames events, and a pattern cannot be renamed
};

struct MetricDefinition {
  MetricKind kind;
  std::string_view name;        // in lower case; a query may have it in any case. Print writes this one
  std::string_view short_name;  // another name, empty when there is none
  DistanceScale scale;
  PatternUse patterns;
  bool symmetric;                 // the distance from a to b is always that from b to a: a pair is answered once
  bool users_own = false;         // the configuration has it: its first argument is its name there, the rest is passed
  std::string_view summary = "";  // for help: what the distance is, in a line
};

inline constexpr std::array<MetricDefinition, kMetricKinds> kMetricDefinitions = {{
    {.kind = MetricKind::kLevenshtein,
     .name = "levenshtein",
     .short_name = "l",
     .scale = DistanceScale::kEdits,
     .patterns = PatternUse::kMeasured,
     .symmetric = true,
     .summary = "events to replace, insert or delete"},
    {.kind = MetricKind::kHamming,
     .name = "hamming",
     .short_name = "h",
     .scale = DistanceScale::kEdits,
     .patterns = PatternUse::kMeasured,
     .symmetric = true,
     .summary = "places with other events"},
    {.kind = MetricKind::kLcs,
     .name = "lcs",
     .short_name = "",
     .scale = DistanceScale::kEdits,
     .patterns = PatternUse::kMeasured,
     .symmetric = true,
     .summary = "events to insert or delete"},
    {.kind = MetricKind::kEmbedding,
     .name = "embedding",
     .short_name = "",
     .scale = DistanceScale::kEvents,
     .patterns = PatternUse::kMeasured,
     .symmetric = true,
     .summary = "events of the shorter one that do not fit into the longer one"},
    {.kind = MetricKind::kVsm,
     .name = "vsm",
     .short_name = "",
     .scale = DistanceScale::kThousandths,
     .patterns = PatternUse::kPairsOnly,
     .symmetric = true,
     .summary = "the angle between counts of events"},
    {.kind = MetricKind::kWeighted,
     .name = "weighted",
     .short_name = "",
     .scale = DistanceScale::kThousandths,
     .patterns = PatternUse::kPairsOnly,
     .symmetric = true,
     .summary = "an alignment that counts rare events and those near the failure more"},
    {.kind = MetricKind::kRecent,
     .name = "recent",
     .short_name = "",
     .scale = DistanceScale::kThousandths,
     .patterns = PatternUse::kPairsOnly,
     .symmetric = true,
     .summary = "methods that both ran last, the rare and the latest above all"},
    {.kind = MetricKind::kRenamed,
     .name = "renamed",
     .short_name = "",
     .scale = DistanceScale::kEdits,
     .patterns = PatternUse::kRenames,
     .symmetric = true,
     .summary = "levenshtein of events numbered by their first appearance"},
    {.kind = MetricKind::kWords,
     .name = "words",
     .short_name = "",
     .scale = DistanceScale::kThousandths,
     .patterns = PatternUse::kPairsOnly,
     .symmetric = true,
     .summary = "rare words of the events' names, those near an end above all"},
    {.kind = MetricKind::kUser,
     .name = "u",
     .short_name = "",
     .scale = DistanceScale::kOwn,
     .patterns = PatternUse::kPairsOnly,
     .symmetric = false,
     .users_own = true,
     .summary = "a user's own, by its name in the configuration"},
}};

// Whether the rows of a table of metrics are those of all kinds, in their order.
template <typename Rows>
constexpr bool HasRowOfEachKind(const Rows& rows) {
  if (rows.size() != kMetricKinds) return false;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<size_t>(rows[i].kind) != i) return false;
  }
  return true;
}
static_assert(HasRowOfEachKind(kMetricDefinitions));

constexpr const MetricDefinition& DefinitionOf(MetricKind kind) {
  return kMetricDefinitions[static_cast<size_t>(kind)];
}

// What may stand after DISTANCE, for messages: "l, h, lcs, …, words or u(name)". Shorter names are preferred.
std::string MetricChoices();

}  // namespace oscope::bql
