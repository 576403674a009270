// A script or a shell's input -> its statements.
//
// `;` ends a statement, except in quotes, backquotes, comments and regular expressions. Blank statements are left out.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace oscope::bql {

struct StatementText {
  std::string_view text;    // without blanks and comments before it, and without its `;`
  uint32_t offset = 0;      // of `text` in the whole
  bool finished = true;     // false for the last one when no `;` ends it
  bool open_quote = false;  // it ends inside quotes: a shell shows another prompt
};

std::vector<StatementText> SplitStatements(std::string_view text);

}  // namespace oscope::bql
