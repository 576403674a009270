// One walk over the characters of a text (ForEachCharacter) serves escaping, validation and width. What is invisible or
// reorders text is a table of ranges rather than a call into ICU: the set that matters for safety is small, and a
// terminal's own idea of widths is approximate anyway.
#include "base/escape.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

namespace oscope {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool IsIn(std::span<const Range> ranges, char32_t value) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [value](Range range) { return range.first <= value && value <= range.last; });
}

// Controls, bidi controls, zero-width characters, blank fillers, line and paragraph separators, tags.
constexpr Range kInvisible[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},
    {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};
constexpr Range kCombining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},     {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};
constexpr Range kWide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
};

struct Character {
  char32_t value;
  std::string_view bytes;
  bool valid;  // else `bytes` is one byte that begins no character, and `value` is that byte
};

// The first character of a text that is not empty.
Character FirstCharacter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const Character invalid{lead, text.substr(0, 1), false};
  if (lead < 0x80) return {lead, text.substr(0, 1), true};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return invalid;
  char32_t value = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return invalid;
    value = (value << 6) | (byte & 0x3fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kLeast[length] || value > 0x10ffff || surrogate) return invalid;
  return {value, text.substr(0, length), true};
}

template <typename Visit>
void ForEachCharacter(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character character = FirstCharacter(text);
    visit(character);
    text.remove_prefix(character.bytes.size());
  }
}

std::string VisibleForm(const Character& character) {
  const auto value = static_cast<uint32_t>(character.value);
  if (!character.valid) return fmt::format("\\x{:02x}", value);
  switch (value) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (value < 0x80) return fmt::format("\\x{:02x}", value);
  return value <= 0xffff ? fmt::format("\\u{:04x}", value) : fmt::format("\\U{:08x}", value);
}

size_t WidthOf(const Character& character) {
  if (IsIn(kCombining, character.value) || IsIn(kInvisible, character.value)) return 0;
  return IsIn(kWide, character.value) ? 2 : 1;
}

}  // namespace

std::string EscapeForTerminal(std::string_view text, LineBreaks line_breaks) {
  std::string shown;
  ForEachCharacter(text, [&](const Character& character) {
    const bool line_break = character.value == '\n' || character.value == '\t';
    const bool hidden = !character.valid || IsIn(kInvisible, character.value);
    if (hidden && !(line_break && line_breaks == LineBreaks::kKeep)) {
      shown += VisibleForm(character);
    } else {
      shown += character.bytes;
    }
  });
  return shown;
}

std::string EscapeForCsv(std::string_view text) {
  std::string field = EscapeForTerminal(text, LineBreaks::kKeep);
  if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) {
    field.insert(0, "'");
  }
  const bool needs_quotes =
      field.find_first_of(",\"\n") != std::string::npos || field.starts_with(' ') || field.ends_with(' ');
  if (!needs_quotes) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string EscapeForHtml(std::string_view text) {
  std::string html;
  for (const char c : EscapeForTerminal(text, LineBreaks::kKeep)) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\'': html += "&#39;"; break;
      default: html += c;
    }
  }
  return html;
}

bool IsValidUtf8(std::string_view text) {
  bool valid = true;
  ForEachCharacter(text, [&](const Character& character) { valid = valid && character.valid; });
  return valid;
}

std::string ToValidUtf8(std::string_view text) {
  std::string valid;
  ForEachCharacter(text, [&](const Character& character) {
    valid += character.valid ? character.bytes : std::string_view("\xef\xbf\xbd");
  });
  return valid;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  ForEachCharacter(text, [&](const Character& character) { width += WidthOf(character); });
  return width;
}

std::string Truncate(std::string_view text, size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string beginning;
  size_t used = 0;
  bool full = false;
  ForEachCharacter(text, [&](const Character& character) {
    used += WidthOf(character);
    full = full || used > width - 1;
    if (!full) beginning += character.bytes;
  });
  return beginning + "…";
}

}  // namespace oscope
