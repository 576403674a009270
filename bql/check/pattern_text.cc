// Puts parameters into a pattern's text. A `:` is a parameter only at the beginning of a word, outside backquotes and
// regular expressions, since `a::b` and `a:b` are names. A value of more than one word is put in parentheses, as its
// parts must not combine with what stands beside it.
#include "bql/check/pattern_text.h"

#include <algorithm>

#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

// A word of a pattern begins after these.
bool EndsWord(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '(' || c == '|' || c == '>' || c == '^';
}

size_t ParameterEnd(std::string_view text, size_t at) {
  const bool begins =
      text[at] == ':' && (at == 0 || EndsWord(text[at - 1])) && at + 1 < text.size() && IsWordByte(text[at + 1]);
  if (!begins) return at;
  size_t end = at + 1;
  while (end < text.size() && IsWordByte(text[end])) ++end;
  // `:a::b` or `:a.b` is a name of something else.
  return end < text.size() && (text[end] == ':' || text[end] == '.') ? at : end;
}

// Past a part in which a colon means itself: `…` or /…/.
size_t OpaqueEnd(std::string_view text, size_t at) {
  if (text[at] == '`') return std::min(text.find('`', at + 1), text.size() - 1) + 1;
  if (text[at] != '/' || (at > 0 && !EndsWord(text[at - 1]))) return at;
  const size_t end = RegexEnd(text, at);
  return end == kUnclosed ? at : end;
}

bool IsPlainEventName(std::string_view text) {
  const bool bytes = std::all_of(text.begin(), text.end(), [](char c) {
    return IsWordByte(c) || std::string_view(".:/$~").find(c) != std::string_view::npos;
  });
  return bytes && !text.empty() && IsWordByte(text.front()) && IsWordByte(text.back());
}

}  // namespace

void PatternText::Append(std::string_view text, TextSpan origin) {
  text_ += text;
  origins_.insert(origins_.end(), text.size(), origin);
}

void PatternText::AppendVerbatim(std::string_view text, size_t& source, char quote) {
  for (const char c : text) {
    const size_t width = c == quote ? 2 : 1;
    Append(std::string_view(&c, 1), {static_cast<uint32_t>(source), static_cast<uint32_t>(source + width)});
    source += width;
  }
}

PatternText PatternText::FromLiteral(const ast::Term& literal, const ValueOf& value_of) {
  PatternText result;
  result.all_ = literal.span;
  const std::string_view text = literal.text;
  size_t source = literal.span.begin + 1;
  for (size_t at = 0; at < text.size();) {
    const size_t opaque = OpaqueEnd(text, at);
    const size_t end = opaque == at ? ParameterEnd(text, at) : at;
    if (end == at) {
      const size_t next = std::max(opaque, at + 1);
      result.AppendVerbatim(text.substr(at, next - at), source, literal.quote);
      at = next;
      continue;
    }
    const TextSpan span{static_cast<uint32_t>(source), static_cast<uint32_t>(source + end - at)};
    const std::string value = value_of(std::string(text.substr(at + 1, end - at - 1)), span);
    const bool alone = at == 0 && end == text.size();
    result.Append(alone || IsPlainEventName(value) ? value : "(" + value + ")", span);
    source += end - at;
    at = end;
  }
  return result;
}

PatternText PatternText::FromValue(std::string_view text, TextSpan span) {
  PatternText result;
  result.all_ = span;
  result.Append(text, span);
  return result;
}

TextSpan PatternText::InQuery(TextSpan span) const {
  if (origins_.empty()) return all_;
  const size_t last = origins_.size() - 1;
  if (span.begin > last) return {origins_[last].end, origins_[last].end};
  const TextSpan first = origins_[span.begin];
  if (span.end <= span.begin) return {first.begin, first.begin};
  return {first.begin, std::max(first.begin, origins_[std::min<size_t>(span.end - 1, last)].end)};
}

}  // namespace oscope::bql
