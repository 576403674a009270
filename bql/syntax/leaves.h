// The leaves of the grammar: keywords, signs, names, quotes, numbers, as Spirit parsers over scan.h. For grammar.cc
// alone.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "bql/ast/print.h"
#include "bql/ast/statement.h"
#include "bql/syntax/parse_state.h"
#include "bql/syntax/scan.h"

namespace oscope::bql::grammar {

namespace x3 = boost::spirit::x3;
using ast::Term;
using Iterator = const char*;

struct StateTag;

template <typename Context>
ParseState& StateOf(const Context& context) {
  return x3::get<StateTag>(context).get();
}

struct Skipper : x3::parser<Skipper> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context&, RContext&, Attribute&) const {
    const std::string_view rest(first, static_cast<size_t>(last - first));
    const size_t skipped = SkipBlanks(rest, 0);
    first += skipped;
    return skipped > 0;
  }
};

// A leaf without a value: `match` gives the end of it in `rest`, 0 for no match.
template <typename Derived>
struct PlainLeaf : x3::parser<Derived> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute&) const {
    Iterator at = first;
    x3::skip_over(at, last, context);
    const size_t end = this->derived().Match(std::string_view(at, static_cast<size_t>(last - at)));
    if (end == 0) return false;
    first = at + end;
    return true;
  }
};

struct Keyword : PlainLeaf<Keyword> {
  explicit constexpr Keyword(std::string_view w) : word(w) {}
  size_t Match(std::string_view rest) const {
    return WordEnd(rest, 0) == word.size() && EqualsIgnoringCase(rest.substr(0, word.size()), word) ? word.size() : 0;
  }
  std::string_view word;
};

// Punctuation that is not the beginning of a longer one: `|` but not `||`, `!` but not `!=`.
struct Sign : PlainLeaf<Sign> {
  explicit constexpr Sign(std::string_view t, std::string_view n = {}) : text(t), not_before(n) {}
  size_t Match(std::string_view rest) const {
    if (!rest.starts_with(text)) return 0;
    const bool longer = rest.size() > text.size() && not_before.find(rest[text.size()]) != std::string_view::npos;
    return longer ? 0 : text.size();
  }
  std::string_view text, not_before;
};

// Which kinds of term may stand at a place.
enum Accepts : unsigned {
  kNames = 1,
  kAnyWords = 2,  // names that may be reserved words: fields
  kParameters = 4,
  kNumbers = 8,
  kTexts = 16,
  kBareDates = 32,
  kNumericNames = 64,  // a bug's id may be 342
  kAllWord = 128,      // FROM ALL
};

struct Leaf {
  size_t end = 0;
  Term term;
};

inline std::string Undouble(std::string_view inner, char quote) {
  std::string text;
  for (size_t i = 0; i < inner.size(); ++i) {
    text += inner[i];
    if (inner[i] == quote) ++i;
  }
  return text;
}

// A quote that is not closed ends where it most likely should have: at the next comma, parenthesis or line.
inline Leaf UnclosedText(std::string_view text, size_t at, ParseState& state) {
  const size_t end = std::min(text.find_first_of(",)\n;", at + 1), text.size());
  state.Report({static_cast<uint32_t>(at), static_cast<uint32_t>(end)},
               fmt::format("this quote is not closed: expected {} after it", text[at]));
  return {end, Term{Term::Kind::kText, Undouble(text.substr(at + 1, end - at - 1), text[at]), text[at], {}}};
}

inline Leaf QuotedLeaf(std::string_view text, size_t at, Term::Kind kind, ParseState& state) {
  const size_t end = QuotedEnd(text, at);
  if (end == kUnclosed) {
    Leaf leaf = UnclosedText(text, at, state);
    leaf.term.kind = kind;
    return leaf;
  }
  return {end, Term{kind, Undouble(text.substr(at + 1, end - at - 2), text[at]), text[at], {}}};
}

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

inline Leaf WordLeaf(std::string_view text, size_t at, unsigned accepts) {
  const size_t end = WordEnd(text, at);
  const std::string_view word = text.substr(at, end - at);
  if (word.empty()) return {};
  const bool numeric = std::all_of(word.begin(), word.end(), IsDigit);
  if ((accepts & kBareDates) != 0 && IsDigit(word[0])) return {end, Term{Term::Kind::kText, std::string(word), 0, {}}};
  const bool allowed = (accepts & kAnyWords) != 0 || ((accepts & kNames) != 0 && !ast::IsReservedWord(word)) ||
                       ((accepts & kAllWord) != 0 && EqualsIgnoringCase(word, "ALL"));
  if (!allowed || (numeric && (accepts & kNumericNames) == 0)) return {};
  return {end, Term{Term::Kind::kName, std::string(word), 0, {}}};
}

inline Leaf TermAt(std::string_view text, size_t at, unsigned accepts, ParseState& state) {
  if (at >= text.size()) return {};
  const char c = text[at];
  if ((c == '"' || c == '\'') && (accepts & kTexts) != 0) return QuotedLeaf(text, at, Term::Kind::kText, state);
  if (c == '`' && (accepts & (kNames | kAnyWords)) != 0) return QuotedLeaf(text, at, Term::Kind::kName, state);
  if (c == ':' && (accepts & kParameters) != 0 && at + 1 < text.size() && IsWordByte(text[at + 1])) {
    const size_t end = WordEnd(text, at + 1);
    return {end, Term{Term::Kind::kParameter, std::string(text.substr(at + 1, end - at - 1)), 0, {}}};
  }
  if ((accepts & kNumbers) != 0) {
    if (const size_t end = NumberEnd(text, at); end != at)
      return {end, Term{Term::Kind::kNumber, std::string(text.substr(at, end - at)), 0, {}}};
  }
  return WordLeaf(text, at, accepts);
}

// A leaf with a value: Match(text, at, state) gives its end (0: no match) and its term.
template <typename Derived>
struct TermLeaf : x3::parser<Derived> {
  using attribute_type = Term;
  static constexpr bool has_attribute = true;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute& attribute) const {
    ParseState& state = StateOf(context);
    Iterator at = first;
    x3::skip_over(at, last, context);
    Leaf leaf = this->derived().Match(state.text(), state.OffsetOf(at), state);
    if (leaf.end == 0) return false;
    first = state.At(leaf.end);
    leaf.term.span = state.SpanOf(at, first);
    x3::traits::move_to(std::move(leaf.term), attribute);
    return true;
  }
};

struct AnyTerm : TermLeaf<AnyTerm> {
  explicit constexpr AnyTerm(unsigned a) : accepts(a) {}
  Leaf Match(std::string_view text, size_t at, ParseState& state) const { return TermAt(text, at, accepts, state); }
  unsigned accepts;
};

// `name =>`, of which the name is the value.
struct ArgumentName : TermLeaf<ArgumentName> {
  Leaf Match(std::string_view text, size_t at, ParseState&) const {
    const size_t end = WordEnd(text, at);
    if (end == at) return {};
    const size_t arrow = SkipBlanks(text, end);
    if (text.substr(arrow, 2) != "=>") return {};
    return {arrow + 2, Term{Term::Kind::kName, std::string(text.substr(at, end - at)), 0, {}}};
  }
};

// S of PROJ without its `!`: a quoted list, a parameter, a regular expression, a glob or a word.
struct EventsTerm : TermLeaf<EventsTerm> {
  Leaf Match(std::string_view text, size_t at, ParseState& state) const {
    if (at < text.size() && text[at] == '/') return RegexLeaf(text, at, state);
    if (Leaf leaf = TermAt(text, at, kTexts | kParameters, state); leaf.end != 0) return leaf;
    const size_t end = BareEnd(text, at);
    if (end == at) return {};
    return {end, Term{Term::Kind::kBare, std::string(text.substr(at, end - at)), 0, {}}};
  }

 private:
  static Leaf RegexLeaf(std::string_view text, size_t at, ParseState& state) {
    size_t end = RegexEnd(text, at);
    if (end != kUnclosed) return {end, Term{Term::Kind::kRegex, std::string(text.substr(at + 1, end - at - 2)), 0, {}}};
    end = std::min(text.find_first_of(")\n", at), text.size());
    state.Report({static_cast<uint32_t>(at), static_cast<uint32_t>(end)},
                 "this regular expression is not closed: expected / after it");
    return {end, Term{Term::Kind::kRegex, "", 0, {}}};
  }
};

// The name of a set predicate with the parenthesis that follows seen, not taken. Another name so used is told of here,
// where its place is known.
struct PredicateKind : x3::parser<PredicateKind> {
  using attribute_type = ast::SetPredicate::Kind;
  static constexpr bool has_attribute = true;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute& attribute) const {
    using Kind = ast::SetPredicate::Kind;
    ParseState& state = StateOf(context);
    Iterator begin = first;
    x3::skip_over(begin, last, context);
    const std::string_view text = state.text();
    const size_t at = state.OffsetOf(begin);
    const size_t word_end = WordEnd(text, at);
    if (word_end == at) return false;
    const size_t end = word_end + (text.substr(word_end, 1) == "?" ? 1 : 0);
    for (const Kind kind : {Kind::kIntersect, Kind::kJaccard, Kind::kSubset}) {
      if (!EqualsIgnoringCase(text.substr(at, end - at), ast::SetPredicateName(kind))) continue;
      first = state.At(end);
      x3::traits::move_to(Kind(kind), attribute);
      return true;
    }
    const bool called =
        text.substr(SkipBlanks(text, end), 1) == "(" && !ast::IsReservedWord(text.substr(at, word_end - at));
    if (called || end > word_end) throw x3::expectation_failure<Iterator>(first, "INTERSECT?, JACCARD? or SUBSET?");
    return false;
  }
};

struct Comparison : x3::parser<Comparison> {
  using attribute_type = ast::FieldPredicate::Op;
  static constexpr bool has_attribute = true;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute& attribute) const {
    using Op = ast::FieldPredicate::Op;
    static constexpr std::pair<std::string_view, Op> kOperators[] = {
        {"==", Op::kEqual},        {"!=", Op::kNotEqual}, {"<>", Op::kNotEqual}, {"<=", Op::kLessEqual},
        {">=", Op::kGreaterEqual}, {"=", Op::kEqual},     {"<", Op::kLess},      {">", Op::kGreater}};
    Iterator at = first;
    x3::skip_over(at, last, context);
    const std::string_view rest(at, static_cast<size_t>(last - at));
    for (const auto& [text, op] : kOperators) {
      if (!rest.starts_with(text)) continue;
      first = at + text.size();
      x3::traits::move_to(Op(op), attribute);
      return true;
    }
    return false;
  }
};

}  // namespace oscope::bql::grammar
