// The metrics that `oscope rank` measures, each over one set of failures: a line of the table in rank_metrics.cc is all
// that one needs.
//
// `stack` compares words (query/similarity); the others compare events (query/distance/metric.h): the frames outermost
// first, then the exception as the last event. Of those the last `suffix` count.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/rank_data.h"

namespace oscope::cli {

struct RankOptions {
  bool frames_only = false;  // neither the exception nor the test's name
  uint32_t suffix = 50;      // events
};

class TraceDistance {
 public:
  virtual ~TraceDistance() = default;
  // Smaller is nearer; nothing when the two cannot be compared. May be called from many threads.
  virtual Result<std::optional<uint64_t>> Between(size_t query, size_t other) const = 0;
};

inline constexpr const char* kDefaultRankMetric = "stack";

std::vector<std::string> RankMetricNames();
std::string RankMetricTable();  // for the help text

// `name` is one of RankMetricNames().
std::unique_ptr<TraceDistance> MakeTraceDistance(std::string_view name, std::span<const RankTrace> traces,
                                                 const RankOptions& options);

}  // namespace oscope::cli
