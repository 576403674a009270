// Why a bug is similar by what ran last: the methods that both ran, and those of one side only. What the metric
// `recent` compares, without its weights.
//
// Threads: a value; may be read from any thread once it is made.
#pragma once

#include <string>
#include <vector>

namespace oscope {

struct CommonMethods {
  std::vector<std::string> both, only_ours, only_theirs;  // the latest first; of `both` as ours ran them

  // The methods of the last events of two executions, each once and without its template arguments. Cannot fail.
  static CommonMethods Of(const std::vector<std::string>& ours, const std::vector<std::string>& theirs);

  // How many methods ran on either side.
  size_t all() const { return both.size() + only_ours.size() + only_theirs.size(); }
};

}  // namespace oscope
