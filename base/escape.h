// Escapes text that comes from outside, so that it can be shown safely in a terminal, a spreadsheet or a page.
//
// The text should be UTF-8 but may be any bytes. No function fails.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace oscope {

enum class LineBreaks { kEscape, kKeep };  // kKeep spares newline and tab

// Makes every byte or character visible that could control the terminal, reorder the line or hide in it: invalid UTF-8
// and ASCII controls as \x1b (or \n, \r, \t); C1 controls, bidi controls, zero-width and other invisible characters as
// \u202e or \U000e0001. A backslash stays as it is, so the original cannot be restored from the result.
std::string EscapeForTerminal(std::string_view text, LineBreaks line_breaks = LineBreaks::kEscape);

// Returns one field of RFC 4180, quoted if necessary, after EscapeForTerminal(kKeep). A field that a spreadsheet would
// take for a formula (it begins with = + - @, a tab or a carriage return) gets a leading apostrophe; therefore this is
// for text only, and numbers are written unchanged.
std::string EscapeForCsv(std::string_view text);

// Returns text for the content of elements and for quoted attribute values, after EscapeForTerminal(kKeep).
std::string EscapeForHtml(std::string_view text);

bool IsValidUtf8(std::string_view text);
std::string ToValidUtf8(std::string_view text);  // each invalid byte becomes U+FFFD

// Returns the number of columns that valid text takes on a terminal, approximately: East Asian wide characters and
// emoji count 2, combining characters 0.
size_t DisplayWidth(std::string_view text);

// Returns `text` if it fits into `width` columns, otherwise its beginning and "…".
std::string Truncate(std::string_view text, size_t width);

}  // namespace oscope
