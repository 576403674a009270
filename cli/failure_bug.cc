#include "cli/failure_bug.h"

#include "cli/new_bug.h"
#include "tracer/harness/failure_message.h"
#include "tracer/model/test_identity.h"

namespace oscope::cli {
namespace {

// A test's name may be far longer than one that is shown.
constexpr size_t kMaxTestBytes = 1024, kMaxTestInTitle = 200, kMaxTitleBytes = 1024;

std::string Shortened(std::string text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;  // not inside a character
  text.resize(bytes);
  return text;
}

std::string Field(const std::map<std::string, std::string>& fields, const char* name) {
  const auto there = fields.find(name);
  return there == fields.end() ? "" : there->second;
}

// The newest of several: numbers grow, and so do their texts.
bool IsLater(const BugKey& a, const BugKey& b) {
  return a.id.size() != b.id.size() ? a.id.size() > b.id.size() : a.id > b.id;
}

std::string TitleOf(const RunFailure& failure) {
  if (!failure.title.empty()) return failure.title;
  const std::string headline = Headline(failure.message),
                    test = Shortened(failure.people.empty() ? failure.test : failure.people, kMaxTestInTitle);
  if (test.empty() || headline.empty()) return test + headline;
  return test + ": " + headline;
}

void Describe(const RunFailure& failure, Bug& bug) {
  bug.title = TitleOf(failure);
  bug.text = failure.message;
  bug.version = failure.version;
  if (!failure.test.empty()) bug.custom["test"] = failure.test;
  if (!failure.fingerprint.empty()) bug.custom["fingerprint"] = failure.fingerprint;
}

Result<BugOfFailure> NamedBugFor(Store& store, const RunFailure& failure) {
  const BugKey key{failure.project, failure.bug};
  const Result<Bug> made = AddBugAs(store, key, [&](Bug& bug) { Describe(failure, bug); });
  if (!made.ok() && made.error().code != ErrorCode::kConflict) return made.error();
  return BugOfFailure{.bug = key, .is_new = made.ok()};
}

}  // namespace

RunFailure FailureOf(const RunHeader& run) {
  RunFailure failure;
  failure.project = run.project;
  failure.bug = run.bug;
  failure.test = Shortened(TestOf(run), kMaxTestBytes);
  if (run.test.empty()) failure.former_test = Shortened(FormerTestOf(run), kMaxTestBytes);
  failure.people = TestForPeople(run);
  failure.fingerprint = run.failure.fingerprint;
  failure.title = Shortened(Field(run.custom, "title"), kMaxTitleBytes);
  failure.message = run.failure.message;
  failure.version = run.version;
  return failure;
}

bool AsksForBug(const RunHeader& run) {
  if (!IsFailing(run.outcome)) return false;
  return run.bug.empty() ? !run.failure.fingerprint.empty() : !Field(run.custom, "title").empty();
}

Result<KnownBugs> BugsWithFailure(const Snapshot& snapshot, const RunFailure& failure) {
  KnownBugs known;
  if (failure.fingerprint.empty()) return known;
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs(failure.project));
  for (const Bug& bug : bugs) {
    const std::string test = Field(bug.custom, "test");
    const bool same_test = test == failure.test || (!failure.former_test.empty() && test == failure.former_test);
    if (!same_test || Field(bug.custom, "fingerprint") != failure.fingerprint) continue;
    std::optional<BugKey>& place = IsResolved(bug.status) ? known.resolved : known.open;
    if (!place || IsLater(bug.key, *place)) place = bug.key;
  }
  return known;
}

Result<BugOfFailure> BugFor(Store& store, const RunFailure& failure, const BugForOptions& options) {
  if (!failure.bug.empty()) return NamedBugFor(store, failure);
  KnownBugs known;
  {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(known, BugsWithFailure(snapshot, failure));
  }
  if (known.open) return BugOfFailure{.bug = *known.open};
  if (known.resolved && options.reopen) {
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug,
                            store.EditBug(*known.resolved, [](const std::optional<Bug>& there) -> Result<Bug> {
                              if (!there) return NotFound("the bug was deleted meanwhile");
                              Bug changed = *there;
                              SetStatus(changed, BugStatus::kReopened);
                              return changed;
                            }));
    return BugOfFailure{.bug = bug.key, .reopened = true};
  }
  OSCOPE_ASSIGN_OR_RETURN(
      const Bug bug,
      AddNumberedBug(store, failure.project, [&](Bug& made) { Describe(failure, made); }, options.first_number));
  return BugOfFailure{.bug = bug.key, .is_new = true, .resolved = known.resolved};
}

}  // namespace oscope::cli
