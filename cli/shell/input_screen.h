// The input of a shell as rows of a terminal: prompt, text in colours, wrapped at the width, with a prompt before each
// further line.
//
// Threads: a pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output/text.h"
#include "cli/shell/highlight.h"

namespace oscope::cli {

struct InputText {
  std::string_view prompt;        // before the first line
  std::string_view continuation;  // before the others
  std::string_view text;
  size_t cursor = 0;  // a byte of `text`
};

struct InputScreen {
  std::vector<std::string> rows;  // with colours, each complete in itself
  size_t cursor_row = 0, cursor_column = 0;
};

// `styles` are parallel to the text; the palette decides whether they show.
InputScreen LayOut(const InputText& input, const std::vector<TextStyle>& styles, const Palette& palette, size_t width);

}  // namespace oscope::cli
