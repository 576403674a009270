// What the settings want of one function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracer/pin/settings.h"

namespace oscope::pin {

enum class Role { kPlain, kThrow, kCatch, kRethrow, kThrowOn, kFreeException };

struct FunctionPlan {
  bool kept = true;     // what it does is recorded
  bool values = false;  // its arguments and its result are
  Role role = Role::kPlain;
  std::vector<const MarkRule*> marks;   // of the settings
  std::vector<const ChopPoint*> chops;  // by name, in order

  // Entering it takes more than an ENTRY record.
  bool special() const { return values || role != Role::kPlain || !marks.empty() || !chops.empty(); }
};

// `names` are the methods that its symbols name. The plan points into `settings`.
FunctionPlan PlanFunction(const Settings& settings, const std::string& object_path,
                          const std::vector<std::string>& names);

}  // namespace oscope::pin
