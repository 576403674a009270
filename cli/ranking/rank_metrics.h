// The metrics that `oscope rank` measures, each over one set of failures: `stack`, which compares words
// (query/similarity), and every metric of BQL's that compares events (query/semantics/metric_table.h): the frames
// outermost first, then the exception as the last event. Of those the last `suffix` count.
//
// Threads: pure functions, for any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/ranking/rank_data.h"

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

std::vector<std::string> RankMetricNames();  // `stack` first
std::string RankMetricTable();               // for the help text: a line each

// `name` is one of RankMetricNames(). Borrows nothing of `traces`.
std::unique_ptr<TraceDistance> MakeTraceDistance(std::string_view name, std::span<const RankTrace> traces,
                                                 const RankOptions& options);

}  // namespace oscope::cli
