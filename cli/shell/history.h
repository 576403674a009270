// What was entered in a shell, kept across runs.
//
// On disk:   an entry a line; a line break in it is written \n, a backslash \\. Mode 0600: queries may name what is
//            private.
// Several shells may add to one file: each entry is one appending write.
// Threads:   one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope::cli {

// $OSCOPE_HISTORY; else $XDG_STATE_HOME/oscope/history, where XDG_STATE_HOME is ~/.local/state if not set. Empty when
// there is no home.
std::string HistoryPath();

class History {
 public:
  static constexpr size_t kMaxEntries = 10'000;

  // A file that is not there is an empty history; directories are made when the first entry is added. An empty path
  // keeps nothing.
  static Result<History> Open(std::string path);

  const std::vector<std::string>& entries() const { return entries_; }  // oldest first
  // Durable against the end of the process when it returns. An entry equal to the last one is not added again.
  Status Add(std::string_view entry);

 private:
  explicit History(std::string path) : path_(std::move(path)) {}
  Status DropOldest();

  std::string path_;
  std::vector<std::string> entries_;
};

}  // namespace oscope::cli
