// "a-b-3" can be bug `b-3` of project `a` or bug `3` of project `a-b`, because both ids may contain dashes. Rather
// than forbid dashes, every split at a dash is a reading, and the store is asked which readings exist. The error
// messages for none and for several are made here, so that the command line, the shell and BQL say the same.
#include "index/store/bug_names.h"

#include "base/limits.h"
#include "base/suggest.h"

namespace oscope {

std::vector<BugKey> ReadingsOf(std::string_view text) {
  std::vector<BugKey> readings;
  // Looked at first: a text with a hundred thousand dashes would be copied as often.
  if (text.size() > 2 * limits::kMaxIdBytes + 1) return readings;
  for (size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    const std::string_view project = text.substr(0, dash), id = text.substr(dash + 1);
    if (ValidateId("project", project).ok() && ValidateId("bug", id).ok())
      readings.push_back({std::string(project), std::string(id)});
  }
  return readings;
}

Error UnknownBug(std::string_view text, std::span<const BugKey> bugs) {
  std::vector<std::string> names;
  for (const BugKey& bug : bugs) {
    names.push_back(ToString(bug));
    // Whoever left out the project may have misspelt the rest.
    if (text.find('-') == std::string_view::npos) names.push_back(bug.id);
  }
  const std::string hint = DidYouMean(Suggest(text, names));
  return NotFound("no bug '{}'{}{}", text, hint.empty() ? "" : ": ", hint);
}

Error AmbiguousBug(std::string_view text, std::span<const BugKey> candidates) {
  std::string listed;
  for (const BugKey& key : candidates) listed += (listed.empty() ? "" : ", ") + ToString(key);
  return Conflict("'{}' may be any of {}: name the project", text, listed);
}

}  // namespace oscope
