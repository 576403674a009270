// Reduces two traces to their methods, latest first, and splits them into those that both ran and those of one side.
#include "query/similar/common_methods.h"

#include <unordered_set>
#include <utility>

#include "tracer/model/event.h"

namespace oscope {
namespace {

std::vector<std::string> LatestFirst(const std::vector<std::string>& events) {
  std::vector<std::string> methods;
  std::unordered_set<std::string> known;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    std::string method = WithoutTemplateArguments(*event);
    if (known.insert(method).second) methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

CommonMethods CommonMethods::Of(const std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  CommonMethods common;
  const std::vector<std::string> here = LatestFirst(ours), there = LatestFirst(theirs);
  const std::unordered_set<std::string> in_ours(here.begin(), here.end()), in_theirs(there.begin(), there.end());
  for (const std::string& method : here)
    (in_theirs.contains(method) ? common.both : common.only_ours).push_back(method);
  for (const std::string& method : there) {
    if (!in_ours.contains(method)) common.only_theirs.push_back(method);
  }
  return common;
}

}  // namespace oscope
