// Bugs that commands make, with the next number of their project, and how their status changes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/context.h"

namespace oscope::cli {

// Makes a bug with one more than the largest numeric id of the project, `first` at least; `fill` sets its fields, and
// may be called again when another writer was faster.
Result<Bug> AddNumberedBug(Store& store, const std::string& project, const std::function<void(Bug&)>& fill,
                           uint64_t first = 1);

// The number that an id is; nullopt when it is none.
std::optional<uint64_t> NumberOf(const std::string& id);

// Makes a bug of this key; kConflict when there is one.
Result<Bug> AddBugAs(Store& store, const BugKey& key, const std::function<void(Bug&)>& fill);

// The key that a user's text means: a bug of the store, or one that is to be made in `project` ("12", "Demo-12").
// `snapshot` may be null.
Result<BugKey> NamedBug(const Snapshot* snapshot, const std::string& project, const std::string& text);

// Sets the status and, with it, when the bug was resolved.
void SetStatus(Bug& bug, BugStatus status);

}  // namespace oscope::cli
