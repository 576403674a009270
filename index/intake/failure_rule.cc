// Which bug a failing run belongs to, decided from its fingerprint. The order of the questions is the rule:
//
// A run that names a bug is believed. A run that did not fail, or whose failure has no fingerprint, belongs to none
// (unless the caller wants a bug for each such failure). Otherwise an open bug with the same failure takes the run,
// the one with the highest number first. A resolved bug with the failure does not take it silently: whether a
// regression is the old bug or a new one is a person's decision, so a new bug is made and the decision names the
// resolved one, unless the caller asked for reopening.
//
// The rule keeps no state of its own. It runs inside the commit and asks KnownBugs, which sees the version that the
// commit builds on; so two writers that report one failure at the same moment cannot each make a bug for it.
#include "index/intake/failure_rule.h"

#include <chrono>

#include "base/utf8.h"
#include "index/store/failure_index.h"
#include "tracer/harness/failure_message.h"
#include "tracer/model/test_identity.h"

namespace oscope {

namespace {

constexpr size_t kMaxTestInTitle = 200, kMaxTitleBytes = 1024;

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string TitleGivenBy(const RunHeader& run) {
  const auto title = run.custom.find("title");
  return title == run.custom.end() ? "" : CutToBytes(title->second, kMaxTitleBytes);
}

std::string TitleOf(const RunHeader& run) {
  if (std::string given = TitleGivenBy(run); !given.empty()) return given;
  const std::string headline = Headline(run.failure.message), test = CutToBytes(TestForPeople(run), kMaxTestInTitle);
  if (test.empty() || headline.empty()) return test + headline;
  return test + ": " + headline;
}

Bug BugOf(const RunHeader& run, std::string id) {
  Bug bug;
  bug.key = {run.project, std::move(id)};
  bug.created_ns = Now();
  bug.title = TitleOf(run);
  bug.text = run.failure.message;
  bug.version = run.version;
  if (const std::string test = TestOfFailure(run); !test.empty()) bug.custom["test"] = test;
  if (!run.failure.fingerprint.empty()) bug.custom["fingerprint"] = run.failure.fingerprint;
  return bug;
}

std::string Because(const RunHeader& run) { return fmt::format("run {} failed", ToString(run.id)); }

Result<RunDecision> DecideNamed(const RunHeader& run, KnownBugs& bugs) {
  RunDecision decision{.fate = RunFate::kNamed, .bug = {run.project, run.bug}};
  if (!IsFailing(run.outcome) || TitleGivenBy(run).empty()) return decision;
  OSCOPE_ASSIGN_OR_RETURN(const Bug* there, bugs.Find(decision.bug));
  if (there != nullptr) return decision;
  OSCOPE_RETURN_IF_ERROR(bugs.Put(BugOf(run, run.bug), Because(run)));
  decision.fate = RunFate::kNew;
  return decision;
}

Result<RunDecision> Decide(const RunHeader& run, KnownBugs& bugs, const FailureRuleOptions& options) {
  if (!run.bug.empty()) return DecideNamed(run, bugs);
  if (!IsFailing(run.outcome)) return RunDecision();
  if (run.failure.fingerprint.empty() && !options.without_fingerprint) return RunDecision();
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<const Bug*> alike, bugs.WithFailure(run));
  RunDecision decision;
  for (const Bug* bug : alike) {
    if (!IsResolved(bug->status)) return RunDecision{.fate = RunFate::kJoined, .bug = bug->key};
    if (decision.resolved) continue;
    decision.resolved = bug->key;
    decision.bug = bug->key;
  }
  if (decision.resolved && options.reopen) {
    OSCOPE_ASSIGN_OR_RETURN(const Bug* resolved, bugs.Find(decision.bug));
    Bug bug = *resolved;
    SetStatus(bug, BugStatus::kReopened, Now());
    OSCOPE_RETURN_IF_ERROR(bugs.Put(std::move(bug), Because(run)));
    return RunDecision{.fate = RunFate::kReopened, .bug = decision.bug};
  }
  OSCOPE_ASSIGN_OR_RETURN(const uint64_t number, bugs.NextNumber(run.project));
  Bug made = BugOf(run, std::to_string(number));
  if (!NumberOf(made.key.id))
    return Limit("project {}: no number is left after {}; name the bug of the run with --bug", run.project, number - 1);
  decision.fate = RunFate::kNew;
  decision.bug = made.key;
  OSCOPE_RETURN_IF_ERROR(bugs.Put(std::move(made), Because(run)));
  return decision;
}

}  // namespace

BugRule FailureRule(const FailureRuleOptions& options) {
  return [options](const RunHeader& run, KnownBugs& bugs) { return Decide(run, bugs, options); };
}

void SetStatus(Bug& bug, BugStatus status, int64_t now_ns) {
  if (IsResolved(status) && !IsResolved(bug.status)) bug.resolved_ns = now_ns;
  if (!IsResolved(status)) bug.resolved_ns.reset();
  bug.status = status;
}

}  // namespace oscope
