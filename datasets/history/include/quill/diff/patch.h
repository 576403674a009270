// Patches as text ("unified" format) and how they are applied.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quill/diff/diff.h"
#include "quill/error.h"

namespace quill::diff {

class PatchError : public Error {
 public:
  using Error::Error;
};

class Patch {
 public:
  static Patch Between(const Lines& before, const Lines& after, size_t context = 3);
  // Reads what ToText writes, and what `diff -u` writes for one file. Fails with PatchError.
  static Patch FromText(std::string_view text);
  std::string ToText(std::string_view before_name, std::string_view after_name) const;

  // Where lines have moved a hunk is looked for up to `fuzz` lines away. Fails with PatchError if a
  // hunk fits nowhere.
  Lines Apply(const Lines& lines, size_t fuzz = 20) const;
  // The patch that leads back.
  Patch Reversed() const;

  const std::vector<Hunk>& hunks() const { return hunks_; }

 private:
  std::vector<Hunk> hunks_;
};

}  // namespace quill::diff
