// Compares the names of a function with the globs of the settings, once for each function. A function has several names
// (as the linker and as a programmer writes it), and one that fits is enough.
#include "tracer/pin/selection.h"

#include "tracer/pin/glob.h"

namespace oscope::pin {
namespace {

bool FitsAny(const std::string& glob, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (GlobFits(glob, name)) return true;
  }
  return false;
}

bool IsKept(const Settings& settings, const std::string& path, const std::vector<std::string>& names) {
  const size_t slash = path.rfind('/');
  const std::vector<std::string> objects = {path, slash == std::string::npos ? path : path.substr(slash + 1)};
  for (size_t i = settings.rules.size(); i-- > 0;) {
    const KeepRule& rule = settings.rules[i];
    if (FitsAny(rule.glob, rule.by_object ? objects : names)) return rule.keep;
  }
  return true;
}

Role RoleOf(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name == "__cxa_throw") return Role::kThrow;
    if (name == "__cxa_begin_catch") return Role::kCatch;
    if (name == "__cxa_rethrow") return Role::kRethrow;
    if (name == "std::rethrow_exception") return Role::kThrowOn;
    if (name == "__cxa_free_exception") return Role::kFreeException;
  }
  return Role::kPlain;
}

}  // namespace

FunctionPlan PlanFunction(const Settings& settings, const std::string& object_path,
                          const std::vector<std::string>& names) {
  FunctionPlan plan;
  plan.kept = IsKept(settings, object_path, names);
  plan.role = RoleOf(names);
  for (const std::string& glob : settings.values) plan.values |= FitsAny(glob, names);
  for (const MarkRule& mark : settings.marks) {
    if (FitsAny(mark.glob, names)) plan.marks.push_back(&mark);
  }
  for (const ChopPoint& chop : settings.chops) {
    if (!chop.by_line && FitsAny(chop.place, names)) plan.chops.push_back(&chop);
  }
  return plan;
}

}  // namespace oscope::pin
