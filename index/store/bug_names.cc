#include "index/store/bug_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

BugNames::BugNames(std::vector<BugKey> sorted_keys) : keys_(std::move(sorted_keys)), by_id_(keys_.size()) {
  std::iota(by_id_.begin(), by_id_.end(), 0u);
  std::stable_sort(by_id_.begin(), by_id_.end(), [&](uint32_t a, uint32_t b) { return keys_[a].id < keys_[b].id; });
}

bool BugNames::Has(const BugKey& key) const { return std::binary_search(keys_.begin(), keys_.end(), key); }

std::vector<BugKey> BugNames::WithId(std::string_view id) const {
  std::vector<BugKey> found;
  auto at = std::lower_bound(by_id_.begin(), by_id_.end(), id,
                             [&](uint32_t bug, std::string_view wanted) { return keys_[bug].id < wanted; });
  for (; at != by_id_.end() && keys_[*at].id == id; ++at) found.push_back(keys_[*at]);
  return found;
}

Error BugNames::Unknown(std::string_view text, bool suggest) const {
  std::vector<std::string> names;
  for (size_t bug = 0; suggest && bug < keys_.size(); ++bug) {
    names.push_back(ToString(keys_[bug]));
    // Whoever left out the project may have misspelt the rest.
    if (text.find('-') == std::string_view::npos) names.push_back(keys_[bug].id);
  }
  const std::string hint = DidYouMean(Suggest(text, names));
  return NotFound("no bug '{}'{}{}", text, hint.empty() ? "" : ": ", hint);
}

Result<BugKey> BugNames::Resolve(std::string_view text, std::string_view default_project, bool suggest) const {
  std::vector<BugKey> found = ReadingsOf(text);
  std::erase_if(found, [&](const BugKey& key) { return !Has(key); });
  if (const BugKey own{std::string(default_project), std::string(text)}; found.empty() && Has(own)) return own;
  if (found.empty()) found = WithId(text);
  if (found.empty()) return Unknown(text, suggest);
  if (found.size() == 1) return std::move(found[0]);
  std::string candidates;
  for (const BugKey& key : found) candidates += (candidates.empty() ? "" : ", ") + ToString(key);
  return Conflict("'{}' may be any of {}: name the project", text, candidates);
}

}  // namespace oscope
