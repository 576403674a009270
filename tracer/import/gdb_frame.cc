// Takes a frame apart. The function's name ends at the first " (" outside brackets, but an operator's brackets are no
// brackets, and argument values may be strings that contain any character.
#include "tracer/import/gdb_frame.h"

#include <algorithm>

#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

// One past the symbol of "operator<<" and the like, whose brackets are not brackets.
size_t SkipOperator(std::string_view text, size_t at) {
  at += std::string_view("operator").size();
  if (text.substr(at, 2) == "()") return at + 2;
  return std::min(text.find_first_not_of("<>=-!*&|+/%^~,[]", at), text.size());
}

// Where the argument list begins: the first " (" outside brackets. "f<void (int)> (x=1)" has its
// arguments at " (x".
size_t FindArguments(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("operator") && (i == 0 || text[i - 1] == ':')) {
      i = SkipOperator(text, i);
      continue;
    }
    const char c = text[i];
    if (depth == 0 && c == ' ' && text.substr(i + 1, 1) == "(") {
      const bool is_scope = text.substr(i + 1).starts_with("(anonymous namespace)");
      if (!is_scope) return i;
    }
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == ']' || c == '}') depth = std::max(0, depth - 1);
    ++i;
  }
  return kNone;
}

// One past the ")" that closes the argument list; values may hold strings with brackets in them.
size_t SkipArguments(std::string_view text, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    } else if (c == '\'') {
      const size_t width = text.substr(at + 1, 1) == "\\" ? 3 : 2;
      const size_t close = text.find('\'', at + width);
      if (close != kNone && close <= at + 6) at = close;  // a character; else an apostrophe
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return kNone;
}

}  // namespace

std::optional<StackFrame> ParseGdbFrame(std::string_view text) {
  StackFrame frame;
  text = Trim(text);
  if (text == "<signal handler called>") {
    frame.name = text;
    frame.exact = true;
    return frame;
  }
  std::string_view rest = text;
  if (const auto address = ConsumeHex(rest); address && Consume(rest, " in ")) {
    frame.attributes.address = *address;
    text = rest;
  }
  const size_t arguments = FindArguments(text);
  if (arguments == kNone || arguments == 0) return std::nullopt;
  const size_t end = SkipArguments(text, arguments + 1);
  if (end == kNone) return std::nullopt;

  frame.name = text.substr(0, arguments);
  if (frame.name.ends_with(')') && !frame.name.ends_with("operator()")) frame.attributes.signature = frame.name;
  rest = Trim(text.substr(end));
  if (Consume(rest, "at ")) {
    ParseLocation(rest, frame.attributes);
  } else if (Consume(rest, "from ")) {
    frame.attributes.object = rest;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  return frame;
}

}  // namespace oscope
