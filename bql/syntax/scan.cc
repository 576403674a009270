// The spelling of BQL's tokens, by looking at bytes; every byte beyond ASCII counts as a letter.
#include "bql/syntax/scan.h"

#include <algorithm>

namespace oscope::bql {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsQuote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool IsBareByte(char c) { return IsWordByte(c) || std::string_view("$.:/*~@").find(c) != std::string_view::npos; }

size_t PunctuationEnd(std::string_view text, size_t at) {
  const std::string_view two = text.substr(at, 2);
  constexpr std::string_view kPairs[] = {"&&", "||", "!=", "<=", ">=", "<>", "=>", "=="};
  return at + (std::find(std::begin(kPairs), std::end(kPairs), two) != std::end(kPairs) ? 2 : 1);
}

}  // namespace

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return Lower(x) == Lower(y); });
}

size_t SkipBlanks(std::string_view text, size_t at) {
  for (;;) {
    while (at < text.size() && IsBlank(text[at])) ++at;
    if (text.substr(at, 2) != "--") return at;
    at = std::min(text.find('\n', at), text.size());
  }
}

size_t WordEnd(std::string_view text, size_t at) {
  const size_t begin = at;
  while (at < text.size()) {
    const bool dash = text[at] == '-' && at > begin && at + 1 < text.size() && IsWordByte(text[at + 1]);
    if (!IsWordByte(text[at]) && !dash) break;
    ++at;
  }
  return at;
}

size_t NumberEnd(std::string_view text, size_t at) {
  const size_t begin = at;
  if (at < text.size() && text[at] == '-') ++at;
  const size_t digits = at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  if (at == digits) return begin;
  if (at + 1 < text.size() && text[at] == '.' && IsDigit(text[at + 1])) {
    ++at;
    while (at < text.size() && IsDigit(text[at])) ++at;
  }
  // WordEnd from the last digit, so that 2026-01-02 and 10x are words.
  return WordEnd(text, at - 1) == at ? at : begin;
}

size_t QuotedEnd(std::string_view text, size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] != quote) continue;
    if (at + 1 == text.size() || text[at + 1] != quote) return at + 1;
    ++at;
  }
  return kUnclosed;
}

size_t RegexEnd(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '/') return at + 1;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return kUnclosed;
}

size_t BareEnd(std::string_view text, size_t at) {
  while (at < text.size()) {
    const bool dash = text[at] == '-' && text.substr(at, 2) != "--";
    if (!IsBareByte(text[at]) && !dash) break;
    ++at;
  }
  return at;
}

Token TokenScanner::Next() {
  Token token;
  token.begin = token.end = at_ = SkipBlanks(text_, at_);
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  const bool regex = c == '/' && (before_ == ',' || before_ == '!') && RegexEnd(text_, at_) != kUnclosed;
  if (IsQuote(c)) {
    token.kind = Token::Kind::kQuoted;
    token.end = QuotedEnd(text_, at_);
    token.closed = token.end != kUnclosed;
    if (!token.closed) token.end = text_.size();
  } else if (regex) {
    token.kind = Token::Kind::kRegex;
    token.end = RegexEnd(text_, at_);
  } else if (IsWordByte(c)) {
    token.kind = Token::Kind::kWord;
    token.end = WordEnd(text_, at_);
  } else if (c == ':' && at_ + 1 < text_.size() && IsWordByte(text_[at_ + 1])) {
    token.kind = Token::Kind::kParameter;
    token.end = WordEnd(text_, at_ + 1);
  } else {
    token.kind = Token::Kind::kPunctuation;
    token.end = PunctuationEnd(text_, at_);
  }
  before_ = token.kind == Token::Kind::kPunctuation ? text_[token.end - 1] : '\0';
  at_ = token.end;
  return token;
}

}  // namespace oscope::bql
