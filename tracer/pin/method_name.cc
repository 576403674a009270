// Reads a name from left to right with the brackets it is in. What stands before a space outside brackets is a return
// type; a parenthesis opens the parameters, unless it is an operator's or a scope's own; what follows the parameters is
// of interest only if it is another scope.
#include "tracer/pin/method_name.h"

#include <cstddef>

namespace oscope::pin {
namespace {

bool StartsAt(const std::string& text, size_t at, const char* what) {
  return text.compare(at, std::char_traits<char>::length(what), what) == 0;
}

bool EndsWith(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' || c == '$';
}

bool IsOperatorAt(const std::string& text, size_t at) {
  constexpr size_t kLength = 8;
  if (!StartsAt(text, at, "operator") || (at > 0 && IsIdentifier(text[at - 1])) || at + kLength >= text.size())
    return false;
  const char next = text[at + kLength];
  return !IsIdentifier(next) && next != '.' && next != ':';
}

size_t SkipBrackets(const std::string& text, size_t open);

// One past the operator's name, which begins at `at`.
size_t SkipOperator(const std::string& text, size_t at) {
  at += 8;
  const char* const symbols[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "==", "!=",
                                 "&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "+",
                                 "-",  "*",  "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  "<",  ">",  ","};
  for (const char* symbol : symbols) {
    if (!StartsAt(text, at, symbol)) continue;
    const size_t end = at + std::char_traits<char>::length(symbol);
    // "operator<<int>" is operator< with a template argument.
    if (StartsAt(symbol, 0, "<<") && symbol[2] == '\0' && end < text.size() && IsIdentifier(text[end])) return at + 1;
    return end;
  }
  if (StartsAt(text, at, "\"\"")) {
    at += 2;
    while (at < text.size() && text[at] == ' ') ++at;
    while (at < text.size() && IsIdentifier(text[at])) ++at;
    return at;
  }
  for (const char* word : {" new[]", " delete[]", " new", " delete", " co_await"}) {
    const size_t end = at + std::char_traits<char>::length(word);
    if (StartsAt(text, at, word) && (end >= text.size() || !IsIdentifier(text[end]))) return end;
  }
  // A conversion: its type, up to the parameters.
  while (at < text.size() && text[at] != '(') {
    const bool opens = text[at] == '<' || text[at] == '[' || text[at] == '{';
    at = opens ? SkipBrackets(text, at) : at + 1;
  }
  return at;
}

// One past the bracket that closes the one at `open`; the end when nothing does.
size_t SkipBrackets(const std::string& text, size_t open) {
  std::string expected;  // closing brackets, innermost last
  for (size_t i = open; i < text.size();) {
    if (i != open && IsOperatorAt(text, i)) {
      // A conversion's type is read like any other text.
      const size_t end = SkipOperator(text, i);
      i = IsIdentifier(text[i + 8]) || text[i + 8] == ' ' ? i + 8 : end;
      continue;
    }
    const char c = text[i];
    if (c == '<') expected += '>';
    if (c == '(') expected += ')';
    if (c == '[') expected += ']';
    if (c == '{') expected += '}';
    const bool arrow = c == '>' && i > 0 && text[i - 1] == '-';
    const bool closes = (c == '>' && !arrow) || c == ')' || c == ']' || c == '}';
    // Inside parentheses '>' compares. A bracket that was left open inside another ends with it.
    const size_t match = closes ? expected.rfind(c) : std::string::npos;
    if (match != std::string::npos && (c != '>' || match + 1 == expected.size())) expected.resize(match);
    ++i;
    if (expected.empty()) return i;
  }
  return text.size();
}

void Replace(std::string* text, const std::string& what) {
  for (size_t at = text->find(what); at != std::string::npos; at = text->find(what, at)) text->erase(at, what.size());
}

void DropTags(std::string* text, const char* begin) {
  for (size_t at = text->find(begin); at != std::string::npos; at = text->find(begin, at)) {
    const size_t end = text->find(']', at);
    if (end == std::string::npos) return;
    text->erase(at, end + 1 - at);
    while (at > 0 && at == text->size() && (*text)[at - 1] == ' ') text->erase(--at);
  }
}

std::string WithoutNoise(std::string text) {
  for (const char* prefix :
       {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ", "transaction clone for "}) {
    if (StartsAt(text, 0, prefix)) return WithoutNoise(text.substr(std::char_traits<char>::length(prefix)));
  }
  Replace(&text, "(anonymous namespace)::");
  Replace(&text, "{anonymous}::");
  DropTags(&text, " [clone ");
  DropTags(&text, "[clone ");
  DropTags(&text, "[abi:");
  return text;
}

size_t SkipQualifiers(const std::string& text, size_t at) {
  for (bool again = true; again;) {
    again = false;
    for (const char* word : {" ", "const", "volatile", "noexcept", "&&", "&"}) {
      if (!StartsAt(text, at, word)) continue;
      at += std::char_traits<char>::length(word);
      again = true;
    }
  }
  return at;
}

// Where the name begins in "(*name(int))(char)" or "(C::*name(int))(char)", the declarator of a function that returns a
// pointer to one; else npos.
size_t DeclaratorName(const std::string& text, size_t open) {
  if (open > 0 && text[open - 1] != ' ') return std::string::npos;
  size_t at = open + 1;
  const size_t member = text.find("::*", at);
  const bool of_member = member != std::string::npos && member < text.find('(', at);
  if (of_member) at = member + 3;
  if (!of_member && (at >= text.size() || (text[at] != '*' && text[at] != '&'))) return std::string::npos;
  while (at < text.size() && (text[at] == '(' || text[at] == '*' || text[at] == '&' || text[at] == ' ')) ++at;
  return at < text.size() && (IsIdentifier(text[at]) || text[at] == '~') ? at : std::string::npos;
}

}  // namespace

std::string MethodName(const std::string& demangled) {
  const std::string text = WithoutNoise(demangled);
  const bool has_arguments = text.find('(') != std::string::npos || text.find('<') != std::string::npos;
  std::string name;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    size_t end = at + 1;
    if (IsOperatorAt(text, at)) {
      end = SkipOperator(text, at);
      if (StartsAt(text, end, " <")) end = SkipBrackets(text, end + 1);
    } else if (c == '<' || c == '{' || c == '[') {
      end = SkipBrackets(text, at);
    } else if (c == ' ' && has_arguments) {
      // What came before was a return type, unless an argument list follows.
      if (at + 1 < text.size() && text[at + 1] != '(') name.clear();
      ++at;
      continue;
    } else if (c == '(') {
      const size_t declared = DeclaratorName(text, at);
      if (declared != std::string::npos) {
        name.clear();
        at = declared;
        continue;
      }
      end = SkipBrackets(text, at);
      if (!EndsWith(name, "decltype")) {
        at = SkipQualifiers(text, end);
        if (!StartsAt(text, at, "::")) break;
        continue;
      }
    }
    name.append(text, at, end - at);
    at = end;
  }
  size_t begin = 0;
  while (begin < name.size() && (name[begin] == '*' || name[begin] == '&' || name[begin] == ' ')) ++begin;
  name.erase(0, begin);
  while (EndsWith(name, " ")) name.pop_back();
  name = WithoutSuffixes(name);
  return name.empty() ? demangled : name;
}

std::string WithoutSuffixes(const std::string& symbol) {
  // In "operator@" there is none, and a name does not begin with one.
  const size_t version = symbol.find('@', 1);
  std::string name = symbol.substr(0, version);
  for (bool again = true; again;) {
    again = false;
    size_t digits = name.size();
    while (digits > 0 && IsDigit(name[digits - 1])) --digits;
    if (digits < name.size() && digits > 1 && name[digits - 1] == '.') {
      name.resize(digits - 1);
      again = true;
      for (const char* clone : {".isra", ".part", ".constprop", ".lto_priv", ".llvm", ".clone"}) {
        if (EndsWith(name, clone)) name.resize(name.size() - std::char_traits<char>::length(clone));
      }
    }
    for (const char* clone : {".cold", ".localalias"}) {
      const size_t length = std::char_traits<char>::length(clone);
      if (name.size() <= length || !EndsWith(name, clone)) continue;
      name.resize(name.size() - length);
      again = true;
    }
  }
  return name;
}

bool IsLinkageStub(const std::string& symbol) { return EndsWith(symbol, "@plt"); }

bool IsPartOfFunction(const std::string& symbol) {
  const size_t cold = symbol.find(".cold", 1);
  if (cold != std::string::npos && (cold + 5 == symbol.size() || symbol[cold + 5] == '.')) return true;
  return symbol.find(".part.", 1) != std::string::npos;
}

}  // namespace oscope::pin
