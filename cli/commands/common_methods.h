// Why a bug is similar by what ran last: the methods that both ran, and those of one side only. What `recent` compares,
// without its weights.
#pragma once

#include <string>
#include <vector>

namespace oscope::cli {

struct CommonMethods {
  std::vector<std::string> both, only_ours, only_theirs;  // the latest first; of `both` as ours ran them

  // Of the last events of two executions.
  static CommonMethods Of(const std::vector<std::string>& ours, const std::vector<std::string>& theirs);

  size_t all() const { return both.size() + only_ours.size() + only_theirs.size(); }
  // Three lines, each with its latest methods and how many more there are.
  std::string Render(const std::string& our_title, const std::string& their_title) const;
};

}  // namespace oscope::cli
