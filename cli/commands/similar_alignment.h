// Why a bug is similar: the two tails step by step.
//
// Example (equal stretches are folded):
//   Wire-1             Wire-3
//   worker          =  worker
//   Socket::read    =  Socket::read
//   Socket::read       Buffer::append
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "query/distance/levenshtein.h"

namespace oscope::cli {

struct Alignment {
  std::vector<std::string> ours, theirs;
  std::vector<Edit> edits;

  // Of the names of events. kLimit when they are too many to align.
  static Result<Alignment> Of(std::vector<std::string> ours, std::vector<std::string> theirs);

  // What stands on either side of a step; empty where there is nothing.
  std::string Ours(const Edit& edit) const { return edit.kind == EditKind::kInsert ? "" : ours[edit.a_index]; }
  std::string Theirs(const Edit& edit) const { return edit.kind == EditKind::kDelete ? "" : theirs[edit.b_index]; }

  size_t Count(EditKind kind) const;
  // "4 of 6 events are equal; 1 replaced, 1 only there"
  std::string InWords() const;
  // A table of `width` columns (0: as wide as it takes), and the scope that all names begin with, which it leaves out.
  std::string Render(const std::string& our_title, const std::string& their_title, size_t width) const;
};

}  // namespace oscope::cli
