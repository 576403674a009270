// What git says of a directory: where its repository is, which commit is checked out, and whether anything was changed
// since. Nothing is written, and neither hooks nor the programs that a user has set to show differences are run.
// Threads: may be called from any thread; runs git.
#pragma once

#include <optional>
#include <string>

#include "base/cancel.h"

namespace oscope::cli {

struct WorkingTree {
  std::string root;      // absolute
  std::string revision;  // empty: there is no commit yet
  // SHA-256 of the difference of the files that git knows to that commit, kUnknownChanges (repeat.h) where git takes too
  // long or there is too much; empty: there is none. Files that git does not know are not looked at, as in the version
  // that `git describe --dirty` gives.
  std::string changes;
};

// Of a directory, empty: ours. nullopt where there is no repository or no git.
std::optional<WorkingTree> ReadWorkingTree(const std::string& directory, const CancelToken& cancel = {});

// `directory` (empty: ours) relative to `root`: "." is the root itself, "../build" lies beside it. Empty where that
// cannot be told.
std::string DirectoryIn(const std::string& root, const std::string& directory);

}  // namespace oscope::cli
