// The shortest way from one list of lines to another.
#pragma once

#include <string>
#include <vector>

namespace quill::diff {

using Lines = std::vector<std::string>;

enum class Change { kKeep, kRemove, kAdd };

struct Edit {
  Change change = Change::kKeep;
  std::string line;
  bool operator==(const Edit& other) const { return change == other.change && line == other.line; }
};

// Keeps the longest common subsequence; removes before it adds.
std::vector<Edit> Compare(const Lines& before, const Lines& after);

// A stretch of edits with lines around them. Lines count from 1; a hunk without lines on one side
// begins at the line after which it stands, as in `diff -u`.
struct Hunk {
  size_t before_begin = 0;
  size_t before_count = 0;
  size_t after_begin = 0;
  size_t after_count = 0;
  std::vector<Edit> edits;
};

// Hunks with `context` kept lines around each change. Changes whose contexts touch share a hunk.
std::vector<Hunk> MakeHunks(const std::vector<Edit>& edits, size_t context = 3);

}  // namespace quill::diff
