// Where a parse goes on after an error. The scanner looks forward from the error for what the recovery waits for and
// stops early at a clause's keyword or the end of the statement: a missing parenthesis should cost the user one
// message, not the rest of the query.
#include "bql/syntax/parse_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oscope::bql::grammar {
namespace {

constexpr std::string_view kClauseWords[] = {"FROM", "WHERE", "DISTANCE", "ORDER", "LIMIT", "OFFSET", "WITH"};

bool IsClauseWord(std::string_view word) {
  return std::any_of(std::begin(kClauseWords), std::end(kClauseWords),
                     [&](std::string_view w) { return EqualsIgnoringCase(w, word); });
}

bool JoinsConditions(std::string_view token) {
  return token == "&&" || token == "||" || EqualsIgnoringCase(token, "AND") || EqualsIgnoringCase(token, "OR");
}

}  // namespace

TextSpan ParseState::SpanOf(const char* begin, const char* end) const {
  return {static_cast<uint32_t>(OffsetOf(begin)), static_cast<uint32_t>(OffsetOf(end))};
}

void ParseState::Report(TextSpan span, std::string message) {
  Diagnostic diagnostic{Severity::kError, span, std::move(message)};
  auto& all = parsed_.diagnostics;
  if (std::find(all.begin(), all.end(), diagnostic) != all.end()) return;
  all.push_back(std::move(diagnostic));
  if (all.size() >= limits_.errors) throw TooManyErrors{};
}

void ParseState::ReportExpected(const char* where, const std::string& what) {
  const size_t at = SkipBlanks(text_, OffsetOf(where));
  if (recovered_ == at) return;
  TokenScanner scanner(text_, at);
  const Token found = scanner.Next();
  const bool at_end = found.kind == Token::Kind::kEnd || found.In(text_) == ";";
  const auto begin = static_cast<uint32_t>(at_end ? EndOfTextBefore(at) : at);
  Report({begin, at_end ? begin : static_cast<uint32_t>(found.end)}, "expected " + what);
}

const char* ParseState::SkipTo(const char* where, const char* start, Resume resume) {
  size_t from = OffsetOf(where);
  if (resume == Resume::kTail && SkipBlanks(text_, OffsetOf(start)) == SkipBlanks(text_, from)) {
    // A clause that cannot stand here: without progress it would be met again.
    TokenScanner scanner(text_, from);
    from = scanner.Next().end;
  }
  recovered_ = FindResume(from, resume);
  return At(recovered_);
}

// So that a caret comes right after what stands there, blanks and comments aside.
size_t ParseState::EndOfTextBefore(size_t at) const {
  size_t end = 0;
  TokenScanner scanner(text_);
  for (Token token = scanner.Next(); token.kind != Token::Kind::kEnd && token.begin < at; token = scanner.Next())
    end = token.end;
  return end;
}

size_t ParseState::FindResume(size_t from, Resume resume) const {
  size_t depth = 0;
  size_t operand = kUnclosed;  // where kOperand would have stopped, for a parenthesis that is never closed
  TokenScanner scanner(text_, from);
  for (Token token = scanner.Next();; token = scanner.Next()) {
    const std::string_view part = token.In(text_);
    if (token.kind == Token::Kind::kEnd || (depth == 0 && part == ";")) return std::min(operand, token.begin);
    if (part == ")" && depth == 0 && resume <= Resume::kOperand) return token.begin;
    if (part == "(") ++depth;
    if (part == ")" && depth > 0) --depth;
    if (depth > 0) continue;
    if (token.kind == Token::Kind::kWord && IsClauseWord(part)) return std::min(operand, token.begin);
    if (!JoinsConditions(part)) continue;
    if (resume == Resume::kOperand) return token.begin;
    if (resume == Resume::kParenthesis) operand = std::min(operand, token.begin);
  }
}

}  // namespace oscope::bql::grammar
