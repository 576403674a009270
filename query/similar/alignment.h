// Why a bug is similar by its events: the ends of two traces step by step.
//
// Threads: a value; may be read from any thread once it is made.
// Example: "worker read grow" and "worker append grow" are three steps: kept, replaced, kept.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "query/distance/levenshtein.h"

namespace oscope {

struct Alignment {
  std::vector<std::string> ours, theirs;  // the names of the events of either side
  std::vector<Edit> edits;                // from ours to theirs, as few as there can be

  // The alignment of two lists of names. Fails with kLimit when they are too long to align (Align of
  // query/distance/levenshtein.h).
  static Result<Alignment> Of(std::vector<std::string> ours, std::vector<std::string> theirs);

  // The event of either side at a step; empty where that side has none. `edit` is one of `edits`.
  std::string Ours(const Edit& edit) const { return edit.kind == EditKind::kInsert ? "" : ours[edit.a_index]; }
  std::string Theirs(const Edit& edit) const { return edit.kind == EditKind::kDelete ? "" : theirs[edit.b_index]; }

  // How many steps are of this kind.
  size_t Count(EditKind kind) const;
  // The events of the longer side.
  size_t length() const;
};

}  // namespace oscope
