// What git knows of a commit. Run without a shell; nothing in the repository's configuration is made to run.
#pragma once

#include <cstdint>
#include <string>

#include "base/cancel.h"
#include "base/result.h"

namespace oscope::cli {

struct GitCommit {
  std::string id;
  std::string author;
  int64_t at_ns = 0;
  std::string message;
  std::string diff;  // against the first parent
};

// kNotFound when there is no such revision, no repository or no git; kInvalid for a revision that begins with '-'.
Result<GitCommit> ReadGitCommit(const std::string& repository, const std::string& revision, const CancelToken& cancel);

}  // namespace oscope::cli
