// Strangers' text made fit to be shown: in a terminal, in a spreadsheet, in a page.
//
// Text is UTF-8 by intention and any bytes in fact. All functions are total.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace oscope {

enum class LineBreaks { kEscape, kKeep };  // kKeep spares newline and tab

// Every byte or character that could drive the terminal, reorder the line or hide in it becomes visible: invalid UTF-8
// and ASCII controls as \x1b (or \n, \r, \t), C1 controls, bidi controls, zero-width and other invisible characters as
// \u202e or \U000e0001. A backslash stays as it is, so the result cannot be turned back.
std::string EscapeForTerminal(std::string_view text, LineBreaks line_breaks = LineBreaks::kEscape);

// One field as RFC 4180 has it, quoted where needed, after EscapeForTerminal(kKeep). A field that a spreadsheet would
// take for a formula (it begins with = + - @, a tab or a carriage return) gets a leading apostrophe. So this is for
// text; numbers are written as they are.
std::string EscapeForCsv(std::string_view text);

// Fit for element content and for quoted attribute values, after EscapeForTerminal(kKeep).
std::string EscapeForHtml(std::string_view text);

bool IsValidUtf8(std::string_view text);
std::string ToValidUtf8(std::string_view text);  // each invalid byte becomes U+FFFD

// The columns that valid text takes: East Asian wide characters and emoji count 2, combining ones 0. Approximate.
size_t DisplayWidth(std::string_view text);

// `text` when it fits into `width` columns, else its beginning and "…".
std::string Truncate(std::string_view text, size_t width);

}  // namespace oscope
