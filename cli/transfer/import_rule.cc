// The rule of an import, which depends on the file that a run came from: if the file also brings bug reports, as an
// export does, its runs stay with the bugs that they name. BatchingSink asks the rule on a thread of its own while the
// next batch is read, hence the mutex.
//
// With --batch an early batch may have made a bug with the number that a later report has. That cannot be undone, so it
// is found and refused (CheckNotMade).
#include "cli/transfer/import_rule.h"

#include "index/intake/failure_rule.h"

namespace oscope::cli {

ImportRule::ImportRule(bool reopen) : rule_(FailureRule({.reopen = reopen})) {}

void ImportRule::StartFile(size_t file) {
  const std::lock_guard lock(mutex_);
  file_ = file;
}

void ImportRule::SeeReport() {
  const std::lock_guard lock(mutex_);
  with_reports_.insert(file_);
}

void ImportRule::SeeRun(const RunHeader& run) {
  // Others keep what they say whatever their file brings.
  const bool asks = run.bug.empty() ? !run.failure.fingerprint.empty() : run.custom.contains("title");
  if (!asks || !IsFailing(run.outcome)) return;
  const std::lock_guard lock(mutex_);
  runs_.emplace(run.id, file_);
}

bool ImportRule::HasReports(RunId run) const {
  const std::lock_guard lock(mutex_);
  const auto file = runs_.find(run);
  return file != runs_.end() && with_reports_.contains(file->second);
}

Status ImportRule::CheckNotMade(const BugKey& bug) {
  if (!committed_) return {};
  for (const IngestResult& committed = committed_(); seen_ < committed.decisions.size(); ++seen_) {
    const LinkedRun& linked = committed.decisions[seen_];
    if (linked.decision.fate == RunFate::kNew && !linked.named) made_.insert(linked.decision.bug);
  }
  if (!made_.contains(bug)) return {};
  return Conflict(
      "bug {}: the files have it, and an earlier batch made it for another failure of them; import them one after "
      "another, or with --no-bug",
      ToString(bug));
}

BugRule ImportRule::rule() {
  return [this](const RunHeader& run, KnownBugs& bugs) -> Result<RunDecision> {
    const BugKey named{run.project, run.bug};
    if (!run.bug.empty()) OSCOPE_RETURN_IF_ERROR(CheckNotMade(named));
    if (!HasReports(run.id)) return rule_(run, bugs);
    return RunDecision{.fate = run.bug.empty() ? RunFate::kUnlinked : RunFate::kNamed, .bug = named};
  };
}

IngestOptions ImportRule::Options(const std::string& by, const std::string& why) {
  IngestOptions options;
  options.rule = rule();
  options.combine = [this](const Bug&, const Bug& given) -> Result<Bug> {
    OSCOPE_RETURN_IF_ERROR(CheckNotMade(given.key));
    return given;
  };
  options.by = by;
  options.why = why;
  return options;
}

Status RuleFeedingSink::AddBug(const Bug& bug) {
  rule_.SeeReport();
  return ForwardingSink::AddBug(bug);
}

Status RuleFeedingSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  rule_.SeeRun(run);
  return ForwardingSink::BeginRun(run, symbols);
}

}  // namespace oscope::cli
