// Looks up what a user typed in the store, and reads the files that a user names.
// Threads: the main thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context/context.h"

namespace oscope::cli {

// Returns the bug that `text` names: "Beanutils-342", or "342" when the current project or only one project has it.
// Fails as Snapshot::ResolveBug does.
Result<BugKey> ResolveBug(const Context& context, const Snapshot& snapshot, std::string_view text);
// Returns the bug that `text` names, which need not exist: a bug of the store, or one that will be made in `project`
// ("12", "Demo-12"). `snapshot` may be null. Fails with kInvalid when the text is not a valid id, and with kConflict
// when several bugs fit.
Result<BugKey> NamedBug(const Snapshot* snapshot, const std::string& project, const std::string& text);
// Returns the runs that the texts name, by id or the beginning of one. Fails as Snapshot::ResolveRun does.
Result<std::vector<RunId>> ResolveRuns(const Snapshot& snapshot, const std::vector<std::string>& texts);

// ValidateId with the text in the message.
Status CheckId(std::string_view what, std::string_view id);

// Fails with kNotFound, and names a similar project, when --project names none of the store.
Status CheckProject(const Context& context, const Snapshot& snapshot);

// Returns the content of a file, or of standard input for "-". Fails with kNotFound when there is no such file, with
// kInvalid for a directory, with kLimit when it is larger than `max_bytes`, and with kIo.
Result<std::string> ReadInput(const std::string& path, uint64_t max_bytes, const CancelToken& cancel);

// Is called after a commit, and merges small segments when there are many. A failure is only a warning, since the
// commit itself is durable.
void Settle(const Context& context, Store& store);
// To be called when something was deleted. Removes also what earlier deletions had to leave to readers; where readers
// hold `files_pinned` files of this one, a warning says so.
void RemoveRemains(const Context& context, Store& store, uint64_t files_pinned);

}  // namespace oscope::cli
