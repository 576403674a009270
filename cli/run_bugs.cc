#include "cli/run_bugs.h"

#include <algorithm>

#include "cli/new_bug.h"

namespace oscope::cli {

void RunBugs::Reserve(const BugKey& bug) {
  const auto number = NumberOf(bug.id);
  if (!number) return;
  uint64_t& first = first_numbers_.try_emplace(bug.project, 1).first->second;
  first = std::max(first, *number + 1);
}

// Only batches, and files that change while they are read, can come to this.
Status RunBugs::CheckNotMade(const BugKey& bug) const {
  if (!made_.contains(bug)) return {};
  return Conflict(
      "bug {}: the files have it, and it was made for another failure of them before; import them one after another, "
      "or with --no-bug",
      ToString(bug));
}

Status RunBugs::SeeReport(const BugKey& bug) {
  with_reports_.insert(file_);
  if (looking()) {
    Reserve(bug);
    return {};
  }
  return CheckNotMade(bug);
}

Result<std::string> RunBugs::BugOf(const RunHeader& run) {
  const BugKey named{run.project, run.bug};
  if (looking() && !run.bug.empty()) Reserve(named);
  OSCOPE_RETURN_IF_ERROR(CheckNotMade(named));
  if (!AsksForBug(run) || with_reports_.contains(file_)) return run.bug;
  OSCOPE_ASSIGN_OR_RETURN(const std::optional<RunPlace> place, known_.PlaceOf(run.id));
  if (place) return run.bug;
  if (looking()) {
    wanted_ = true;
    return run.bug;
  }
  if (const auto there = runs_.find(run.id); there != runs_.end()) return there->second;
  OSCOPE_ASSIGN_OR_RETURN(const BugKey bug, Give(run));
  runs_.emplace(run.id, bug.id);
  return bug.id;
}

Result<BugKey> RunBugs::Give(const RunHeader& run) {
  const RunFailure failure = FailureOf(run);
  const auto [given, is_first] = given_.try_emplace({failure.project, failure.bug, failure.test, failure.fingerprint});
  BugOfFailure found{.bug = given->second};
  if (is_first) {
    const auto first = first_numbers_.find(run.project);
    Result<BugOfFailure> bug =
        BugFor(store_, failure, {.reopen = reopen_, .first_number = first == first_numbers_.end() ? 1 : first->second});
    if (!bug.ok()) {
      given_.erase(given);
      return std::move(bug).error();
    }
    found = *std::move(bug);
    given->second = found.bug;
    bugs_made_ += found.is_new;
    if (found.is_new && failure.bug.empty()) made_.insert(found.bug);
    // Each was a commit, and each lookup reads them all. What was committed stays if it fails.
    if (found.is_new) (void)store_.CompactIfNeeded();
  }
  // Who named a bug that is there need not be told.
  if (run.bug.empty() || found.is_new) links_.push_back({run.id, found});
  return found.bug;
}

Status BugGivingSink::AddBug(const Bug& bug) {
  OSCOPE_RETURN_IF_ERROR(bugs_.SeeReport(bug.key));
  return next_->AddBug(bug);
}

Status BugGivingSink::BeginRun(const RunHeader& run, const SymbolTable& symbols) {
  OSCOPE_ASSIGN_OR_RETURN(const std::string bug, bugs_.BugOf(run));
  if (bugs_.looking() && bugs_.wanted()) next_ = &nothing_;
  if (bug == run.bug) return next_->BeginRun(run, symbols);
  RunHeader linked = run;
  linked.bug = bug;
  return next_->BeginRun(linked, symbols);
}

}  // namespace oscope::cli
