#include "query/run/corpus_catalog.h"

#include <algorithm>
#include <set>

#include "base/suggest.h"
#include "bql/pattern/event_matcher.h"
#include "tracer/model/event.h"

namespace oscope {

Result<BugKey> CorpusCatalog::ResolveBug(std::string_view text, const std::vector<std::string>& projects) const {
  // "Rhino-217951": the project's name may itself have a dash.
  for (size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    BugKey key{std::string(text.substr(0, dash)), std::string(text.substr(dash + 1))};
    if (corpus_->Find(key)) return key;
  }
  std::vector<std::string> places = projects;
  if (!default_project_.empty()) places.push_back(default_project_);
  // Else the id alone must tell, among all bugs: those without traces are known only with their reports.
  if (places.empty() && corpus_->has_reports()) places = corpus_->projects();
  std::optional<BugKey> found;
  for (const std::string& project : places) {
    BugKey key{project, std::string(text)};
    if (found == key || !corpus_->Find(key)) continue;
    if (found)
      return Conflict("bug '{}' is in {} and {}: write {} or {}", text, found->project, project, ToString(*found),
                      ToString(key));
    found = std::move(key);
  }
  if (found) return *found;
  return corpus_->snapshot().ResolveBug(text, default_project_);
}

Result<bql::NamedRun> CorpusCatalog::ResolveRun(std::string_view digits) const {
  bql::NamedRun run;
  OSCOPE_ASSIGN_OR_RETURN(run.id, corpus_->snapshot().ResolveRun(digits));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceRef> traces, corpus_->TracesOfRun(run.id));
  // Without a trace it matches nothing, whichever bug it has.
  if (traces.empty()) return run;
  const TailTable& tails = corpus_->segments()[traces[0].segment].search->tails();
  if (const uint32_t bug = tails.rows()[traces[0].row].bug; bug != kNoBug) run.bug = tails.bugs()[bug];
  return run;
}

std::vector<std::string> CorpusCatalog::Projects() const {
  const Result<std::vector<std::string>> projects = corpus_->snapshot().Projects();
  return projects.ok() ? *projects : std::vector<std::string>{};
}

bool CorpusCatalog::HasProject(std::string_view project) const {
  return corpus_->HasProject(project) || Catalog::HasProject(project);
}

std::vector<std::string> CorpusCatalog::CustomFields() const {
  std::set<std::string> fields;
  const Result<std::vector<Bug>> bugs = corpus_->snapshot().Bugs();
  if (!bugs.ok()) return {};
  for (const Bug& bug : *bugs) {
    for (const auto& [name, value] : bug.custom) fields.insert(name);
  }
  return {fields.begin(), fields.end()};
}

std::optional<bool> CorpusCatalog::EventMatches(std::string_view name) const {
  const bql::EventMatcher method = bql::EventMatcher::Method(name), scope = bql::EventMatcher::Scope(name);
  const EventNames& names = corpus_->names();
  for (uint32_t id = 0; id < names.size(); ++id) {
    if (method.Matches(names.name(id)) || scope.Matches(names.name(id))) return true;
  }
  return false;
}

std::vector<std::string> CorpusCatalog::NearestEvents(std::string_view name) const {
  // A misspelt name may be meant for the method alone, or with its class.
  std::set<std::string> candidates;
  const EventNames& names = corpus_->names();
  for (uint32_t id = 0; id < names.size(); ++id) {
    const std::string_view owner = ParseEvent(names.name(id)).owner;
    if (owner.empty()) continue;  // an instruction has none
    const std::string_view outer = ClassOf(owner);
    const std::string_view last = owner.substr(owner.find_last_of(".:/") + 1);
    candidates.emplace(last);
    candidates.emplace(owner);
    if (!outer.empty()) candidates.emplace(outer.substr(outer.find_last_of(".:/") + 1));
  }
  const std::vector<std::string> list(candidates.begin(), candidates.end());
  return Suggest(name, list);
}

}  // namespace oscope
