#include "quill/diff/patch.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "quill/text/strings.h"

namespace quill::diff {
namespace {

char Mark(Change change) {
  if (change == Change::kKeep) return ' ';
  return change == Change::kRemove ? '-' : '+';
}

std::string RangeText(size_t begin, size_t count) {
  return count == 1 ? std::to_string(begin) : std::to_string(begin) + "," + std::to_string(count);
}

size_t ReadNumber(std::string_view& text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) throw PatchError("expected a number in a hunk's head");
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

void ReadRange(std::string_view& text, char mark, size_t& begin, size_t& count) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) throw PatchError("no range in a hunk's head");
  text.remove_prefix(at + 1);
  begin = ReadNumber(text);
  count = 1;
  if (!text.empty() && text.front() == ',') {
    text.remove_prefix(1);
    count = ReadNumber(text);
  }
}

Hunk ReadHead(std::string_view line) {
  Hunk hunk;
  ReadRange(line, '-', hunk.before_begin, hunk.before_count);
  ReadRange(line, '+', hunk.after_begin, hunk.after_count);
  return hunk;
}

Edit ReadEdit(const std::string& line) {
  // Mailers cut the blank off an empty line that is kept.
  if (line.empty()) return {Change::kKeep, ""};
  switch (line[0]) {
    case ' ':
      return {Change::kKeep, line.substr(1)};
    case '-':
      return {Change::kRemove, line.substr(1)};
    case '+':
      return {Change::kAdd, line.substr(1)};
    default:
      throw PatchError("a line of a hunk begins with '" + line.substr(0, 1) + "'");
  }
}

bool FitsAt(const Hunk& hunk, const Lines& lines, size_t at) {
  if (at + hunk.before_count > lines.size()) return false;
  for (const Edit& edit : hunk.edits) {
    if (edit.change == Change::kAdd) continue;
    if (lines[at++] != edit.line) return false;
  }
  return true;
}

// The place nearest to `expected`, not before `earliest`.
std::optional<size_t> FindPlace(const Hunk& hunk, const Lines& lines, size_t expected,
                                size_t earliest, size_t fuzz) {
  for (size_t away = 0; away <= fuzz; ++away) {
    if (FitsAt(hunk, lines, expected + away)) return expected + away;
    if (away <= expected && expected - away >= earliest && FitsAt(hunk, lines, expected - away)) {
      return expected - away;
    }
  }
  return std::nullopt;
}

}  // namespace

Patch Patch::Between(const Lines& before, const Lines& after, size_t context) {
  Patch patch;
  patch.hunks_ = MakeHunks(Compare(before, after), context);
  return patch;
}

Patch Patch::FromText(std::string_view text) {
  Patch patch;
  size_t before_left = 0;
  size_t after_left = 0;
  for (const std::string& line : text::SplitLines(text)) {
    if (before_left > 0 || after_left > 0) {
      // Counted lines come first: a removed "-- x" looks like the head of a file.
      Edit edit = ReadEdit(line);
      if (edit.change != Change::kAdd) --before_left;
      if (edit.change != Change::kRemove) --after_left;
      patch.hunks_.back().edits.push_back(std::move(edit));
    } else if (text::StartsWith(line, "@@ ")) {
      patch.hunks_.push_back(ReadHead(line));
      before_left = patch.hunks_.back().before_count;
      after_left = patch.hunks_.back().after_count;
    }
  }
  if (before_left > 0 || after_left > 0) throw PatchError("the patch ends within a hunk");
  return patch;
}

std::string Patch::ToText(std::string_view before_name, std::string_view after_name) const {
  std::string out = "--- " + std::string(before_name) + "\n+++ " + std::string(after_name) + "\n";
  for (const Hunk& hunk : hunks_) {
    out += "@@ -" + RangeText(hunk.before_begin, hunk.before_count) + " +" +
           RangeText(hunk.after_begin, hunk.after_count) + " @@\n";
    for (const Edit& edit : hunk.edits) out += Mark(edit.change) + edit.line + "\n";
  }
  return out;
}

Lines Patch::Apply(const Lines& lines, size_t fuzz) const {
  Lines patched;
  size_t passed = 0;
  std::ptrdiff_t moved = 0;  // how far from its line the last hunk was found
  for (const Hunk& hunk : hunks_) {
    const size_t written = hunk.before_count > 0 ? hunk.before_begin - 1 : hunk.before_begin;
    const std::ptrdiff_t expected =
        std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(written) + moved, 0);
    const std::optional<size_t> place =
        FindPlace(hunk, lines, std::max(static_cast<size_t>(expected), passed), passed, fuzz);
    if (!place)
      throw PatchError("the hunk at line " + std::to_string(hunk.before_begin) + " fits nowhere");
    moved = static_cast<std::ptrdiff_t>(*place) - static_cast<std::ptrdiff_t>(written);
    patched.insert(patched.end(), lines.begin() + static_cast<std::ptrdiff_t>(passed),
                   lines.begin() + static_cast<std::ptrdiff_t>(*place));
    for (const Edit& edit : hunk.edits) {
      if (edit.change != Change::kRemove) patched.push_back(edit.line);
    }
    passed = *place + hunk.before_count;
  }
  patched.insert(patched.end(), lines.begin() + static_cast<std::ptrdiff_t>(passed), lines.end());
  return patched;
}

Patch Patch::Reversed() const {
  Patch reversed;
  for (Hunk hunk : hunks_) {
    std::swap(hunk.before_begin, hunk.after_begin);
    std::swap(hunk.before_count, hunk.after_count);
    for (Edit& edit : hunk.edits) {
      if (edit.change != Change::kKeep) {
        edit.change = edit.change == Change::kAdd ? Change::kRemove : Change::kAdd;
      }
    }
    reversed.hunks_.push_back(std::move(hunk));
  }
  return reversed;
}

}  // namespace quill::diff
