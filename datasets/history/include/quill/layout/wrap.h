// Text in lines of a given width. Widths are columns of a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quill::layout {

struct WrapOptions {
  size_t width = 72;
  std::string first_indent;  // before the first line
  std::string indent;        // before the others
  bool justify = false;      // fill all lines but the last up to the width
};

// The words of the text in lines no wider than asked, except where one word is wider.
std::vector<std::string> Wrap(std::string_view text, const WrapOptions& options);

// Spreads blanks between the words so that the line is `width` wide; the first gaps get the odd
// ones. A line of one word, or one that is wide enough, stays as it is.
std::string Justify(std::string_view line, size_t width);

// Blanks instead of tabs, up to the next multiple of `stop` from the beginning of the line.
std::string ExpandTabs(std::string_view text, size_t stop = 8);

enum class Side { kLeft, kRight, kCenter };

// Blanks around the text up to the width; a wider text stays as it is.
std::string Pad(std::string_view text, size_t width, Side side = Side::kLeft);

}  // namespace quill::layout
