#include "cli/commands/common_methods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "cli/text.h"
#include "tracer/model/event.h"

namespace oscope::cli {
namespace {

constexpr size_t kShown = 8;

std::vector<std::string> LatestFirst(const std::vector<std::string>& events) {
  std::vector<std::string> methods;
  std::unordered_set<std::string> known;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    std::string method = WithoutTemplateArguments(*event);
    if (known.insert(method).second) methods.push_back(std::move(method));
  }
  return methods;
}

std::string Line(const std::string& title, const std::vector<std::string>& methods) {
  if (methods.empty()) return {};
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(methods.size(), kShown); ++i) shown.push_back(Shown(methods[i]));
  const std::string more = methods.size() > kShown ? fmt::format(" and {} more", methods.size() - kShown) : "";
  return fmt::format("{}: {}{}\n", title, fmt::join(shown, ", "), more);
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

std::string CommonMethods::Render(const std::string& our_title, const std::string& their_title) const {
  return Line("both, the latest first", both) + Line("only " + Shown(our_title), only_ours) +
         Line("only " + Shown(their_title), only_theirs);
}

}  // namespace oscope::cli
