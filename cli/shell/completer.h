// What could stand at the cursor: keywords, projects, bugs, events, fields, saved queries, files, commands of the
// shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oscope {
class Session;
}

namespace oscope::cli {

// `candidates` may replace the bytes from `begin` to the cursor. Sorted, different.
struct Completions {
  size_t begin = 0;
  std::vector<std::string> candidates;
};

Completions Complete(Session& session, std::string_view text, size_t cursor);

// What all candidates begin with.
std::string CommonPrefix(const std::vector<std::string>& candidates);

}  // namespace oscope::cli
