#include "quill/diff/diff.h"

#include <algorithm>

namespace quill::diff {
namespace {

// lengths[i][j]: the longest common subsequence of before[i..] and after[j..].
class CommonLengths {
 public:
  CommonLengths(const Lines& before, const Lines& after)
      : width_(after.size() + 1), lengths_((before.size() + 1) * width_, 0) {
    for (size_t i = before.size(); i-- > 0;) {
      for (size_t j = after.size(); j-- > 0;) {
        Cell(i, j) =
            before[i] == after[j] ? At(i + 1, j + 1) + 1 : std::max(At(i + 1, j), At(i, j + 1));
      }
    }
  }

  size_t At(size_t i, size_t j) const { return lengths_[i * width_ + j]; }

 private:
  size_t& Cell(size_t i, size_t j) { return lengths_[i * width_ + j]; }

  size_t width_;
  std::vector<size_t> lengths_;
};

// Takes edits one by one and counts the lines of both sides.
class HunkBuilder {
 public:
  // Lines already passed when the hunk begins.
  HunkBuilder(size_t before_passed, size_t after_passed) {
    hunk_.before_begin = before_passed;
    hunk_.after_begin = after_passed;
  }

  void Add(const Edit& edit) {
    if (edit.change != Change::kAdd) ++hunk_.before_count;
    if (edit.change != Change::kRemove) ++hunk_.after_count;
    hunk_.edits.push_back(edit);
  }

  Hunk Finish() {
    if (hunk_.before_count > 0) ++hunk_.before_begin;
    if (hunk_.after_count > 0) ++hunk_.after_begin;
    return std::move(hunk_);
  }

 private:
  Hunk hunk_;
};

// The first change at or after `from`; edits.size() if there is none.
size_t NextChange(const std::vector<Edit>& edits, size_t from) {
  while (from < edits.size() && edits[from].change == Change::kKeep) ++from;
  return from;
}

// One past the last edit that belongs to the hunk whose first change is at `first`.
size_t HunkEnd(const std::vector<Edit>& edits, size_t first, size_t context) {
  size_t end = first;
  for (size_t next = first; next < edits.size(); next = NextChange(edits, end)) {
    if (next > end && next - end > 2 * context) break;
    end = next + 1;
  }
  return std::min(end + context, edits.size());
}

}  // namespace

std::vector<Edit> Compare(const Lines& before, const Lines& after) {
  const CommonLengths lengths(before, after);
  std::vector<Edit> edits;
  size_t i = 0;
  size_t j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      edits.push_back({Change::kKeep, before[i++]});
      ++j;
    } else if (i < before.size() &&
               (j == after.size() || lengths.At(i + 1, j) >= lengths.At(i, j + 1))) {
      edits.push_back({Change::kRemove, before[i++]});
    } else {
      edits.push_back({Change::kAdd, after[j++]});
    }
  }
  return edits;
}

std::vector<Hunk> MakeHunks(const std::vector<Edit>& edits, size_t context) {
  std::vector<Hunk> hunks;
  size_t before_passed = 0;
  size_t after_passed = 0;
  size_t at = 0;
  const auto pass_to = [&](size_t target) {
    for (; at < target; ++at) {
      if (edits[at].change != Change::kAdd) ++before_passed;
      if (edits[at].change != Change::kRemove) ++after_passed;
    }
  };
  for (size_t first = NextChange(edits, 0); first < edits.size(); first = NextChange(edits, at)) {
    pass_to(first - std::min(context, first - at));
    const size_t begin = at;
    HunkBuilder builder(before_passed, after_passed);
    pass_to(HunkEnd(edits, first, context));
    for (size_t i = begin; i < at; ++i) builder.Add(edits[i]);
    hunks.push_back(builder.Finish());
  }
  return hunks;
}

}  // namespace quill::diff
