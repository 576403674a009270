// The colours of a statement that is being written.
//
// Coarse on purpose: it sees words, quotes, numbers and brackets, so that a half-written statement has colours too.
// Threads: a pure function.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace oscope::cli {

enum class TextStyle : uint8_t { kPlain, kKeyword, kQuoted, kNumber, kParameter, kComment, kError };

// One style a byte. A line that begins with a dot is a command of the shell: its first word is the keyword.
std::vector<TextStyle> Highlight(std::string_view text);

}  // namespace oscope::cli
