// Answers the checker's questions about names. Everything is looked up where it is cheap first: a bug in the corpus,
// then in the index, and all names of the store only for a suggestion. Looks at all names are counted and end at a
// limit (MayLookAt), because a statement with thousands of misspelt names would otherwise compare each with a million
// others.
#include "query/run/corpus_catalog.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "base/suggest.h"
#include "bql/pattern/event_matcher.h"
#include "index/store/bug_name_table.h"
#include "index/store/bug_names.h"
#include "tracer/model/event.h"

namespace oscope {

namespace {

// Comparing one name with this many others of a dozen characters takes about a quarter of a second.
constexpr size_t kMaxLookedAt = 1'000'000;

bool IsAmong(const std::vector<std::string>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name, std::less<>());
}

}  // namespace

bool CorpusCatalog::MayLookAt(size_t names) const {
  // The first look is always allowed, however large the store is.
  const bool may = looked_at_ == 0 || looked_at_ + names <= kMaxLookedAt;
  if (may) looked_at_ += names;
  return may;
}

Result<BugKey> CorpusCatalog::ResolveBug(std::string_view text, const std::vector<std::string>& projects) const {
  if (projects != known_from_) {
    known_bugs_.clear();
    known_from_ = projects;
  }
  const std::string name(text);
  if (const auto known = known_bugs_.find(name); known != known_bugs_.end()) return known->second;
  return known_bugs_.emplace(name, LookUpBug(text, projects)).first->second;
}

Result<BugKey> CorpusCatalog::LookUpBug(std::string_view text, const std::vector<std::string>& projects) const {
  for (BugKey& reading : ReadingsOf(text)) {
    if (corpus().Find(reading)) return std::move(reading);
  }
  std::vector<std::string> places = projects;
  if (!default_project_.empty()) places.push_back(default_project_);
  // Else the id alone must tell, among all bugs.
  if (places.empty() && corpus().knows_all_bugs()) places = corpus().projects();
  std::optional<BugKey> found;
  for (const std::string& project : places) {
    BugKey key{project, std::string(text)};
    if (found == key || !corpus().Find(key)) continue;
    if (found)
      return Conflict("bug '{}' is in {} and {}: write {} or {}", text, found->project, project, ToString(*found),
                      ToString(key));
    found = std::move(key);
  }
  if (found) return *found;
  return LookUpReport(text);
}

Result<BugKey> CorpusCatalog::LookUpReport(std::string_view text) const {
  const Snapshot& snapshot = corpus().snapshot();
  Result<BugKey> key = snapshot.ResolveBug(text, default_project_, /*suggest=*/false);
  if (key.ok() || key.error().code != ErrorCode::kNotFound) return key;
  // What it was meant for is among all names: these are read once.
  if (!all_bugs_) {
    OSCOPE_ASSIGN_OR_RETURN(all_bugs_, snapshot.BugKeys());
  }
  return MayLookAt(all_bugs_->size()) ? UnknownBug(text, *all_bugs_) : std::move(key).error();
}

Result<bql::NamedRun> CorpusCatalog::ResolveRun(std::string_view digits) const {
  bql::NamedRun run;
  OSCOPE_ASSIGN_OR_RETURN(run.id, corpus().snapshot().ResolveRun(digits));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceRef> traces, corpus().TracesOfRun(run.id));
  // Without a trace it matches nothing, whichever bug it has.
  if (traces.empty()) return run;
  const TailTable& tails = corpus().segments()[traces[0].segment].search->tails();
  if (const uint32_t bug = tails.rows()[traces[0].row].bug; bug != kNoBug) run.bug = tails.bugs()[bug];
  return run;
}

const std::vector<std::string>& CorpusCatalog::AllProjects() const {
  if (!projects_) {
    Result<std::vector<std::string>> projects = corpus().snapshot().Projects();
    projects_ = projects.ok() ? *std::move(projects) : std::vector<std::string>{};
  }
  return *projects_;
}

bool CorpusCatalog::HasProject(std::string_view project) const {
  return corpus().HasProject(project) || IsAmong(AllProjects(), project);
}

const std::vector<std::string>& CorpusCatalog::AllCustomFields() const {
  if (custom_fields_) return *custom_fields_;
  std::set<std::string> fields;
  for (const SegmentEntry& segment : corpus().snapshot().manifest().segments) {
    const auto names = corpus().snapshot().NamesOfBugs(segment);
    if (!names.ok() || *names == nullptr) continue;
    for (uint32_t i = 0; i < (*names)->custom_fields(); ++i) fields.emplace((*names)->custom_field(i));
  }
  return custom_fields_.emplace(fields.begin(), fields.end());
}

bool CorpusCatalog::HasCustomField(std::string_view field) const { return IsAmong(AllCustomFields(), field); }

std::optional<bool> CorpusCatalog::EventMatches(std::string_view name) const {
  const bql::EventMatcher method = bql::EventMatcher::Method(name), scope = bql::EventMatcher::Scope(name);
  const EventNames& names = corpus().names();
  if (!MayLookAt(names.size())) return std::nullopt;
  for (uint32_t id = 0; id < names.size(); ++id) {
    if (method.Matches(names.name(id)) || scope.Matches(names.name(id))) return true;
  }
  return false;
}

const std::vector<std::string>& CorpusCatalog::AllEventParts() const {
  if (event_parts_) return *event_parts_;
  std::set<std::string> parts;
  const EventNames& names = corpus().names();
  for (uint32_t id = 0; id < names.size(); ++id) {
    const std::string_view owner = ParseEvent(names.name(id)).owner;
    if (owner.empty()) continue;  // an instruction has none
    const std::string_view outer = ClassOf(owner);
    const std::string_view last = owner.substr(owner.find_last_of(".:/") + 1);
    parts.emplace(last);
    parts.emplace(owner);
    if (!outer.empty()) parts.emplace(outer.substr(outer.find_last_of(".:/") + 1));
  }
  return event_parts_.emplace(parts.begin(), parts.end());
}

// A misspelt name may be meant for the method alone, or with its class.
std::vector<std::string> CorpusCatalog::NearestEvents(std::string_view name) const {
  const std::vector<std::string>& parts = AllEventParts();
  return MayLookAt(parts.size()) ? Suggest(name, parts) : std::vector<std::string>{};
}

}  // namespace oscope
