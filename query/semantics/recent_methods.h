// The metric `recent`: query/distance/recent.h over methods, that is events whose names differ in template arguments
// only count as one.
//
// A method is as rare as its events are together, each counted by itself.
// Threads: Methods belongs to one thread while it grows; MethodWeights and the metrics may be used from any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/distance/metric.h"
#include "query/semantics/event_names.h"

namespace oscope {

struct EventStatistics;

// Frozen with a query.
struct MethodWeights {
  std::vector<uint32_t> method_of;  // by event id
  EventWeights weights;             // by method
};

// The methods of names, as these become more.
class Methods {
 public:
  // Takes in the names that it does not have yet; the others are as they were.
  void Extend(const EventNames& names);
  MethodWeights Weigh(const EventStatistics& statistics) const;

 private:
  std::vector<uint32_t> method_of_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

std::unique_ptr<SequenceMetric> MakeRecentMethods(std::shared_ptr<const MethodWeights> weights);
std::unique_ptr<SequenceMetric> MakePlainRecentMethods(
    std::shared_ptr<const MethodWeights> weights);  // as the header says it: the oracle

}  // namespace oscope
