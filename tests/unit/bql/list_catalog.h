// A catalog over lists, for tests of names without a store.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/suggest.h"
#include "bql/check/catalog.h"

namespace oscope::bql {

class ListCatalog : public Catalog {
 public:
  std::vector<BugKey> bugs = {{"Demo", "b1"},           {"Demo", "b2"},      {"Demo", "b527"}, {"Beanutils", "342"},
                              {"Configuration", "323"}, {"Rhino", "217951"}, {"Rhino", "323"}};
  std::vector<std::string> custom_fields = {"component", "votes", "odd field"};
  std::vector<std::string> user_metrics = {"tokens"};
  std::vector<std::string> events = {
      "read", "write", "close", "open", "copy", "escapeJava", "getKeySet", "PC", "ConfigurationUtils.copy"};

  Result<BugKey> ResolveBug(std::string_view text, const std::vector<std::string>& projects) const override {
    std::vector<BugKey> found;
    for (const BugKey& key : bugs) {
      if (key.id == text || ToString(key) == text) found.push_back(key);
    }
    const auto elsewhere = [&](const BugKey& key) {
      return std::find(projects.begin(), projects.end(), key.project) == projects.end();
    };
    if (found.size() > 1 && !std::all_of(found.begin(), found.end(), elsewhere)) std::erase_if(found, elsewhere);
    if (found.size() == 1) return found.front();
    if (!found.empty()) return Conflict("'{}' is a bug of several projects: write `{}`", text, ToString(found.front()));
    std::vector<std::string> names;
    for (const BugKey& key : bugs) names.insert(names.end(), {key.id, ToString(key)});
    const std::string nearest = DidYouMean(Suggest(text, names, 1));
    return NotFound("unknown bug '{}'{}", text, nearest.empty() ? "" : ": " + nearest);
  }
  std::vector<NamedRun> runs = {{RunId{{0x1f2e3d4c00000000, 1}}, {}}, {RunId{{0x2a00000000000000, 2}}, {"Demo", "b1"}}};
  Result<NamedRun> ResolveRun(std::string_view digits) const override {
    for (const NamedRun& run : runs) {
      if (digits.size() >= 4 && ToString(run.id).starts_with(digits)) return run;
    }
    return NotFound("no run begins with '{}'", digits);
  }
  std::vector<std::string> Projects() const override {
    std::vector<std::string> projects;
    for (const BugKey& key : bugs) projects.push_back(key.project);
    std::sort(projects.begin(), projects.end());
    projects.erase(std::unique(projects.begin(), projects.end()), projects.end());
    return projects;
  }
  std::vector<std::string> CustomFields() const override { return custom_fields; }
  std::vector<std::string> UserMetrics() const override { return user_metrics; }
  std::optional<bool> EventMatches(std::string_view name) const override {
    if (events.empty()) return std::nullopt;
    const std::string_view plain = name.ends_with("()") ? name.substr(0, name.size() - 2) : name;
    return std::any_of(events.begin(), events.end(), [&](const std::string& event) { return event == plain; });
  }
  std::vector<std::string> NearestEvents(std::string_view name) const override { return Suggest(name, events); }
};

}  // namespace oscope::bql
