#include "cli/commands/test_bugs.h"

#include "cli/commands/bug.h"
#include "cli/new_bug.h"
#include "tracer/harness/failure_message.h"

namespace oscope::cli {
namespace {

bool HasFailure(const Bug& bug, const TestFailure& failure) {
  const auto is = [&](const char* field, const std::string& value) {
    const auto there = bug.custom.find(field);
    return there != bug.custom.end() && there->second == value;
  };
  return is("test", failure.test) && is("fingerprint", failure.fingerprint);
}

// The newest of several: numbers grow, and so do their texts.
bool IsLater(const BugKey& a, const BugKey& b) { return a.id.size() != b.id.size() ? a.id.size() > b.id.size() : a.id > b.id; }

}  // namespace

Result<BugOfFailure> BugFor(Store& store, const TestFailure& failure, bool reopen) {
  BugOfFailure found;
  std::optional<BugKey> open;
  {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs(failure.project));
    for (const Bug& bug : bugs) {
      if (!HasFailure(bug, failure)) continue;
      std::optional<BugKey>& place = IsResolved(bug.status) ? found.resolved : open;
      if (!place || IsLater(bug.key, *place)) place = bug.key;
    }
  }
  if (open) return BugOfFailure{.bug = *open};
  if (found.resolved && reopen) {
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, store.EditBug(*found.resolved, [](const std::optional<Bug>& there) -> Result<Bug> {
      if (!there) return NotFound("the bug was deleted meanwhile");
      Bug changed = *there;
      SetStatus(changed, BugStatus::kReopened);
      return changed;
    }));
    return BugOfFailure{.bug = bug.key, .reopened = true};
  }
  OSCOPE_ASSIGN_OR_RETURN(const Bug bug, AddNumberedBug(store, failure.project, [&](Bug& made) {
    const std::string headline = Headline(failure.message);
    made.title = headline.empty() ? failure.test : failure.test + ": " + headline;
    made.text = failure.message;
    made.version = failure.version;
    made.custom["test"] = failure.test;
    made.custom["fingerprint"] = failure.fingerprint;
  }));
  found.bug = bug.key;
  found.is_new = true;
  return found;
}

}  // namespace oscope::cli
