// From what a user typed to what the store has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context/context.h"

namespace oscope::cli {

// "Beanutils-342", or "342" in the project at hand or where only one project has it.
Result<BugKey> ResolveBug(const Context& context, const Snapshot& snapshot, std::string_view text);
// The key that a user's text means: a bug of the store, or one that is to be made in `project` ("12", "Demo-12").
// `snapshot` may be null.
Result<BugKey> NamedBug(const Snapshot* snapshot, const std::string& project, const std::string& text);
Result<std::vector<RunId>> ResolveRuns(const Snapshot& snapshot, const std::vector<std::string>& texts);

// ValidateId with the text in the message.
Status CheckId(std::string_view what, std::string_view id);

// kNotFound, with the nearest that is there, when --project names no project of the store.
Status CheckProject(const Context& context, const Snapshot& snapshot);

// The whole of a file, or of standard input for "-"; kLimit when it is larger than `max_bytes`.
Result<std::string> ReadInput(const std::string& path, uint64_t max_bytes, const CancelToken& cancel);

// After a commit: merges small segments when there are many. What was committed stays, so a failure is only a warning.
void Settle(const Context& context, Store& store);
// To be called when something was deleted. Removes also what earlier deletions had to leave to readers; where readers
// hold `files_pinned` files of this one, a warning says so.
void RemoveRemains(const Context& context, Store& store, uint64_t files_pinned);

}  // namespace oscope::cli
