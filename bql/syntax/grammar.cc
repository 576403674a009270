// The grammar of BQL in Boost.Spirit X3.
//
// Leaves (names, quotes, numbers) are parsers of our own over scan.h; rules fill the tree by actions. Every alternative is told from
// its first token, so nothing that an action did is ever taken back. Three directives do the rest:
//   Expected("what")[p]   p must follow: else "expected what" at that place
//   Recovering(to)[p]     after such an error inside p: tell it, skip to a place where sense may begin again, go on
//   Spanned[p]            gives the rule's node its place
#include "bql/syntax/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <utility>

#include "bql/ast/print.h"
#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

namespace x3 = boost::spirit::x3;
using ast::Term;
using Iterator = const char*;

constexpr std::string_view kClauseWords[] = {"FROM", "WHERE", "DISTANCE", "ORDER", "LIMIT", "OFFSET", "WITH"};

bool IsClauseWord(std::string_view word) {
  return std::any_of(std::begin(kClauseWords), std::end(kClauseWords), [&](std::string_view w) { return EqualsIgnoringCase(w, word); });
}

// Where sense may begin again after an error.
enum class Resume : uint8_t {
  kParenthesis,  // the ) that closes where we are; without one as kOperand
  kOperand,      // && || ) or a clause
  kClause,       // a clause
  kTail,         // a clause further on
};

struct TooManyErrors {};

// What the parsers share: the text, and the errors so far.
class ParseState {
 public:
  ParseState(std::string_view text, const SyntaxLimits& limits, ParsedStatement& parsed)
      : text_(text), limits_(limits), parsed_(parsed) {}

  std::string_view text() const { return text_; }
  size_t OffsetOf(Iterator at) const { return static_cast<size_t>(at - text_.data()); }
  Iterator At(size_t offset) const { return text_.data() + offset; }
  TextSpan SpanOf(Iterator begin, Iterator end) const {
    return {static_cast<uint32_t>(OffsetOf(begin)), static_cast<uint32_t>(OffsetOf(end))};
  }

  void Report(TextSpan span, std::string message) {
    Diagnostic diagnostic{Severity::kError, span, std::move(message)};
    auto& all = parsed_.diagnostics;
    if (std::find(all.begin(), all.end(), diagnostic) != all.end()) return;
    all.push_back(std::move(diagnostic));
    if (all.size() >= limits_.errors) throw TooManyErrors{};
  }

  void ReportExpected(Iterator where, const std::string& what) {
    const size_t at = SkipBlanks(text_, OffsetOf(where));
    // Who stopped here to recover has told of it already.
    if (recovered_ == at) return;
    TokenScanner scanner(text_, at);
    const Token found = scanner.Next();
    const bool at_end = found.kind == Token::Kind::kEnd || found.In(text_) == ";";
    const auto begin = static_cast<uint32_t>(at_end ? EndOfTextBefore(at) : at);
    Report({begin, at_end ? begin : static_cast<uint32_t>(found.end)}, "expected " + what);
  }

  Iterator SkipTo(Iterator where, Iterator start, Resume resume) {
    size_t from = OffsetOf(where);
    if (resume == Resume::kTail && SkipBlanks(text_, OffsetOf(start)) == SkipBlanks(text_, from)) {
      TokenScanner scanner(text_, from);
      from = scanner.Next().end;  // a clause that cannot stand here: without progress it would be met again
    }
    recovered_ = FindResume(from, resume);
    return At(recovered_);
  }

 private:
  // The end of what stands before `at`, blanks and comments aside; so a caret comes right after it.
  size_t EndOfTextBefore(size_t at) const {
    size_t end = 0;
    TokenScanner scanner(text_);
    for (Token token = scanner.Next(); token.kind != Token::Kind::kEnd && token.begin < at; token = scanner.Next()) end = token.end;
    return end;
  }

  size_t FindResume(size_t from, Resume resume) const {
    size_t depth = 0;
    size_t operand = kUnclosed;  // where kOperand would stop
    TokenScanner scanner(text_, from);
    for (Token token = scanner.Next();; token = scanner.Next()) {
      const std::string_view part = token.In(text_);
      if (token.kind == Token::Kind::kEnd || (depth == 0 && part == ";")) return std::min(operand, token.begin);
      if (part == "(") ++depth;
      if (depth == 0 && part == ")" && resume <= Resume::kOperand) return resume == Resume::kOperand ? std::min(operand, token.begin) : token.begin;
      if (part == ")" && depth > 0) --depth;
      if (depth > 0) continue;
      if (token.kind == Token::Kind::kWord && IsClauseWord(part)) return std::min(operand, token.begin);
      const bool joins = part == "&&" || part == "||" || EqualsIgnoringCase(part, "AND") || EqualsIgnoringCase(part, "OR");
      if (!joins) continue;
      if (resume == Resume::kOperand) return token.begin;
      if (resume == Resume::kParenthesis) operand = std::min(operand, token.begin);
    }
  }

  std::string_view text_;
  const SyntaxLimits& limits_;
  ParsedStatement& parsed_;
  size_t recovered_ = kUnclosed;
};

struct StateTag;

template <typename Context>
ParseState& StateOf(const Context& context) {
  return x3::get<StateTag>(context).get();
}

// ---- Leaves ----

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
struct Mark : x3::parser<Derived> {
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

struct Keyword : Mark<Keyword> {
  explicit constexpr Keyword(std::string_view w) : word(w) {}
  size_t Match(std::string_view rest) const {
    return WordEnd(rest, 0) == word.size() && EqualsIgnoringCase(rest.substr(0, word.size()), word) ? word.size() : 0;
  }
  std::string_view word;
};

// Punctuation that is not the beginning of a longer one: `|` but not `||`, `!` but not `!=`.
struct Sign : Mark<Sign> {
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

// A quote that is not closed ends where it most likely should have: at the next comma, parenthesis or line.
Leaf UnclosedText(std::string_view text, size_t at, ParseState& state) {
  const size_t end = std::min(text.find_first_of(",)\n;", at + 1), text.size());
  state.Report({static_cast<uint32_t>(at), static_cast<uint32_t>(end)}, fmt::format("this quote is not closed: expected {} after it", text[at]));
  return {end, Term{Term::Kind::kText, std::string(text.substr(at + 1, end - at - 1)), text[at], {}}};
}

std::string Undouble(std::string_view inner, char quote) {
  std::string text;
  for (size_t i = 0; i < inner.size(); ++i) {
    text += inner[i];
    if (inner[i] == quote) ++i;
  }
  return text;
}

Leaf QuotedLeaf(std::string_view text, size_t at, Term::Kind kind, ParseState& state) {
  const size_t end = QuotedEnd(text, at);
  if (end == kUnclosed) {
    Leaf leaf = UnclosedText(text, at, state);
    leaf.term.kind = kind;
    return leaf;
  }
  return {end, Term{kind, Undouble(text.substr(at + 1, end - at - 2), text[at]), text[at], {}}};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Leaf WordLeaf(std::string_view text, size_t at, unsigned accepts) {
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

Leaf TermAt(std::string_view text, size_t at, unsigned accepts, ParseState& state) {
  if (at >= text.size()) return {};
  const char c = text[at];
  if ((c == '"' || c == '\'') && (accepts & kTexts) != 0) return QuotedLeaf(text, at, Term::Kind::kText, state);
  if (c == '`' && (accepts & (kNames | kAnyWords)) != 0) return QuotedLeaf(text, at, Term::Kind::kName, state);
  if (c == ':' && (accepts & kParameters) != 0 && at + 1 < text.size() && IsWordByte(text[at + 1])) {
    const size_t end = WordEnd(text, at + 1);
    return {end, Term{Term::Kind::kParameter, std::string(text.substr(at + 1, end - at - 1)), 0, {}}};
  }
  if ((accepts & kNumbers) != 0) {
    if (const size_t end = NumberEnd(text, at); end != at) return {end, Term{Term::Kind::kNumber, std::string(text.substr(at, end - at)), 0, {}}};
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
    state.Report({static_cast<uint32_t>(at), static_cast<uint32_t>(end)}, "this regular expression is not closed: expected / after it");
    return {end, Term{Term::Kind::kRegex, "", 0, {}}};
  }
};

// The name of a set predicate with the parenthesis that follows seen, not taken. Another name so used is told of here, where its
// place is known.
struct PredicateKind : x3::parser<PredicateKind> {
  using attribute_type = ast::SetPredicate::Kind;
  static constexpr bool has_attribute = true;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute& attribute) const {
    using Kind = ast::SetPredicate::Kind;
    ParseState& state = StateOf(context);
    x3::skip_over(first, last, context);
    const std::string_view text = state.text();
    const size_t at = state.OffsetOf(first);
    const size_t word_end = WordEnd(text, at);
    if (word_end == at) return false;
    const size_t end = word_end + (text.substr(word_end, 1) == "?" ? 1 : 0);
    for (const Kind kind : {Kind::kIntersect, Kind::kJaccard, Kind::kSubset}) {
      if (!EqualsIgnoringCase(text.substr(at, end - at), ast::SetPredicateName(kind))) continue;
      first = state.At(end);
      x3::traits::move_to(Kind(kind), attribute);
      return true;
    }
    const bool called = text.substr(SkipBlanks(text, end), 1) == "(" && !ast::IsReservedWord(text.substr(at, word_end - at));
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
        {"==", Op::kEqual}, {"!=", Op::kNotEqual}, {"<>", Op::kNotEqual}, {"<=", Op::kLessEqual}, {">=", Op::kGreaterEqual},
        {"=", Op::kEqual},  {"<", Op::kLess},      {">", Op::kGreater}};
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

// ---- Directives ----

template <typename Subject>
struct ExpectedDirective : x3::unary_parser<Subject, ExpectedDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  constexpr ExpectedDirective(const Subject& inner, const char* w)
      : x3::unary_parser<Subject, ExpectedDirective<Subject>>(inner), what(w) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext, Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rcontext, attribute)) return true;
    throw x3::expectation_failure<Iterator>(first, what);
  }
  const char* what;
};

struct Expected {
  explicit constexpr Expected(const char* w) : what(w) {}
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return ExpectedDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject), what);
  }
  const char* what;
};

template <typename Subject>
struct RecoveringDirective : x3::unary_parser<Subject, RecoveringDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  constexpr RecoveringDirective(const Subject& inner, Resume r)
      : x3::unary_parser<Subject, RecoveringDirective<Subject>>(inner), resume(r) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext, Attribute& attribute) const {
    const Iterator start = first;
    try {
      return this->subject.parse(first, last, context, rcontext, attribute);
    } catch (const x3::expectation_failure<Iterator>& failure) {
      ParseState& state = StateOf(context);
      state.ReportExpected(failure.where(), failure.which());
      first = state.SkipTo(failure.where(), start, resume);
      if constexpr (requires { rcontext.broken = true; }) rcontext.broken = true;
      return true;
    }
  }
  Resume resume;
};

struct Recovering {
  explicit constexpr Recovering(Resume r) : resume(r) {}
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return RecoveringDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject), resume);
  }
  Resume resume;
};

template <typename Subject>
struct SpannedDirective : x3::unary_parser<Subject, SpannedDirective<Subject>> {
  static constexpr bool is_pass_through_unary = true;
  explicit constexpr SpannedDirective(const Subject& inner) : x3::unary_parser<Subject, SpannedDirective<Subject>>(inner) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext, Attribute& attribute) const {
    Iterator start = first;
    x3::skip_over(start, last, context);
    if (!this->subject.parse(first, last, context, rcontext, attribute)) return false;
    rcontext.span = StateOf(context).SpanOf(std::min(start, first), first);
    return true;
  }
};

struct SpannedGenerator {
  template <typename Subject>
  constexpr auto operator[](const Subject& subject) const {
    return SpannedDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
constexpr SpannedGenerator Spanned;

// Fails at the end of the statement; anything else that stands here is an error.
struct NothingMore : x3::parser<NothingMore> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  explicit constexpr NothingMore(const char* w) : what(w) {}
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext&, Attribute&) const {
    Iterator at = first;
    x3::skip_over(at, last, context);
    if (at == last || *at == ';') return false;
    throw x3::expectation_failure<Iterator>(first, what);
  }
  const char* what;
};

// The parenthesis after a Recovering(kParenthesis), which has told of it when it is missing: what was read before it is kept.
struct Closing : x3::parser<Closing> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RContext& rcontext, Attribute& attribute) const {
    if (!Sign(")").parse(first, last, context, rcontext, attribute)) StateOf(context).ReportExpected(first, "')'");
    return true;
  }
};

// ---- Actions ----

template <auto Member>
constexpr auto kSet = [](const auto& context) { x3::_val(context).*Member = std::move(x3::_attr(context)); };
template <auto Member>
constexpr auto kPush = [](const auto& context) { (x3::_val(context).*Member).push_back(std::move(x3::_attr(context))); };
template <auto Member, auto Value>
constexpr auto kAssign = [](const auto& context) { x3::_val(context).*Member = Value; };

constexpr Sign kOpen("("), kClose(")"), kComma(","), kOpenBracket("["), kCloseBracket("]"), kDot("."), kStar("*");

template <typename Tag, typename Node>
using Rule = x3::rule<Tag, Node>;

// ---- Bugs and patterns ----

const Rule<struct TracesTag, ast::Traces> traces = "traces";

// Prefix operators are met before what they apply to.
struct PrefixedTraces {
  std::vector<ast::TraceOp> prefixes;
  ast::Traces traces;
  TextSpan span;
};

constexpr AnyTerm kAmount(kNumbers | kParameters);

const auto kLength = kOpenBracket >> Expected("a length")[kAmount][kSet<&ast::TraceOp::length>] >> Expected("']'")[kCloseBracket];
const auto prefix_op = Rule<struct PrefixTag, ast::TraceOp>{"prefix"} =
    Spanned[kLength >> x3::eps[kAssign<&ast::TraceOp::kind, ast::TraceOp::Kind::kPrefix>]];
const auto suffix_op = Rule<struct SuffixTag, ast::TraceOp>{"suffix"} =
    Spanned[kLength >> x3::eps[kAssign<&ast::TraceOp::kind, ast::TraceOp::Kind::kSuffix>]];
const auto event_set = Rule<struct EventSetTag, ast::EventSet>{"events"} =
    Spanned[-(Sign("!")[kAssign<&ast::EventSet::negated, true>]) >>
            Expected("events: a quoted list, a glob, /a regular expression/ or a word such as stack")[EventsTerm{}][kSet<&ast::EventSet::term>]];

// What stood in parentheses takes operators; a star in it must stay inside.
constexpr auto kGroup = [](const auto& context) {
  ast::Traces inner = std::move(x3::_attr(context));
  if (!inner.star) {
    x3::_val(context) = std::move(inner);
    return;
  }
  ast::Traces group;
  group.kind = ast::Traces::Kind::kGroup;
  group.span = inner.span;
  group.parts.push_back(std::move(inner));
  x3::_val(context) = std::move(group);
};
constexpr auto kProject = [](const auto& context) {
  ast::TraceOp op;
  op.kind = ast::TraceOp::Kind::kProject;
  op.events = std::move(x3::_attr(context));
  op.span = op.events.span;
  x3::_val(context).ops.push_back(std::move(op));
};
constexpr auto kBase = [](const auto& context) {
  x3::_val(context).kind = ast::Traces::Kind::kTerm;
  x3::_val(context).term = std::move(x3::_attr(context));
};

const auto projection =
    Keyword("PROJ") >> Expected("'('")[kOpen] >>
    Recovering(Resume::kParenthesis)[Expected("a bug")[traces][kGroup] >> Expected("',' and the events to keep")[kComma] >>
                                     event_set[kProject] >> Expected("')'")[&kClose]] >>
    Closing{};
const auto group = kOpen >> Recovering(Resume::kParenthesis)[Expected("a bug or a pattern")[traces][kGroup] >> Expected("'|' or ')'")[&kClose]] >>
                   Closing{};
const auto base = AnyTerm(kTexts | kParameters | kNames | kNumericNames)[kBase] >>
                  -(kDot >> Expected("'failing', the one part of a bug that is traces")[Keyword("FAILING")]
                                    [kAssign<&ast::Traces::failing, true>]);
const auto primary = Rule<struct PrimaryTag, ast::Traces>{"bug or pattern"} = Spanned[projection | group | base];

const auto prefixed = Rule<struct PrefixedTag, PrefixedTraces>{"prefixed"} =
    Spanned[(+prefix_op[kPush<&PrefixedTraces::prefixes>] >> Expected("a bug")[primary][kSet<&PrefixedTraces::traces>] |
             primary[kSet<&PrefixedTraces::traces>]) >>
            *suffix_op[([](const auto& context) { x3::_val(context).traces.ops.push_back(std::move(x3::_attr(context))); })]];

// Suffixes bind tighter: [5]b[3] is the first 5 of the last 3.
constexpr auto kApplyPrefixes = [](const auto& context) {
  PrefixedTraces& attribute = x3::_attr(context);
  ast::Traces& result = x3::_val(context);
  result = std::move(attribute.traces);
  std::move(attribute.prefixes.rbegin(), attribute.prefixes.rend(), std::back_inserter(result.ops));
};
const auto starred = Rule<struct StarredTag, ast::Traces>{"starred"} =
    Spanned[prefixed[kApplyPrefixes] >> *(kStar[kAssign<&ast::Traces::star, true>])];

constexpr auto kUnwrapUnion = [](const auto& context) {
  ast::Traces& value = x3::_val(context);
  value.kind = ast::Traces::Kind::kGroup;
  if (value.parts.size() != 1) return;
  ast::Traces only = std::move(value.parts.front());
  value = std::move(only);
};
const auto traces_def =
    Spanned[starred[kPush<&ast::Traces::parts>] >>
            *(Sign("|", "|") >> Expected("a bug or a pattern after '|'")[starred][kPush<&ast::Traces::parts>]) >> x3::eps[kUnwrapUnion]];
BOOST_SPIRIT_DEFINE(traces)

// ---- Conditions ----

const auto argument = Rule<struct ArgumentTag, ast::Argument>{"argument"} =
    Spanned[(ArgumentName{}[kSet<&ast::Argument::name>] >> Expected("a value after '=>'")[AnyTerm(kNumbers | kParameters | kTexts | kNames)]
                                                                [kSet<&ast::Argument::value>]) |
            AnyTerm(kNumbers | kParameters | kTexts | kNames)[kSet<&ast::Argument::value>]];

const auto set_predicate = Rule<struct SetPredicateTag, ast::SetPredicate>{"set predicate"} = Spanned
    [PredicateKind{}[kSet<&ast::SetPredicate::kind>] >> Expected("'('")[kOpen] >>
     Recovering(Resume::kParenthesis)[Expected("a bug")[traces][kSet<&ast::SetPredicate::left>] >>
                                      Expected("',' and a pattern")[kComma] >>
                                      Expected("a bug or a pattern")[traces][kSet<&ast::SetPredicate::right>] >>
                                      *(kComma >> Expected("a number, a parameter or a named argument such as d => 10")[argument]
                                                          [kPush<&ast::SetPredicate::arguments>]) >>
                                      Expected("',' or ')'")[&kClose]] >>
     Closing{}];

using Field = ast::FieldPredicate;
constexpr AnyTerm kValueTerm(kNumbers | kParameters | kTexts | kBareDates);
const auto field_value = Expected("a quoted text, a number, a date or a parameter")[kValueTerm][kPush<&Field::values>];
const auto field_test =
    (Comparison{}[kSet<&Field::op>] >> field_value) |
    (Keyword("IS")[kAssign<&Field::op, Field::Op::kIsNull>] >> -(Keyword("NOT")[kAssign<&Field::op, Field::Op::kIsNotNull>]) >>
     Expected("NULL")[Keyword("NULL")]) |
    (-(Keyword("NOT")[kAssign<&Field::negated, true>]) >>
     ((Keyword("LIKE")[kAssign<&Field::op, Field::Op::kLike>] >> field_value) |
      (Keyword("IN")[kAssign<&Field::op, Field::Op::kIn>] >> Expected("'('")[kOpen] >>
       Recovering(Resume::kParenthesis)[field_value >> *(kComma >> field_value) >> Expected("',' or ')'")[&kClose]] >>
       Closing{})));

const auto field_predicate = Rule<struct FieldPredicateTag, Field>{"field predicate"} =
    Spanned[Recovering(Resume::kOperand)
                [AnyTerm(kNames)[kSet<&Field::variable>] >> Expected("'.' and a field")[kDot] >>
                 Expected("a field")[AnyTerm(kAnyWords)][kSet<&Field::field>] >>
                 Expected("a comparison: = != < <= > >= LIKE, IN or IS NULL")[field_test]]];

const Rule<struct ConditionTag, ast::Condition> condition = "condition";

constexpr auto kNested = [](const auto& context) {
  ast::Condition inner = std::move(x3::_attr(context));
  inner.negations += x3::_val(context).negations;
  x3::_val(context) = std::move(inner);
};
constexpr auto kSetLeaf = [](const auto& context) {
  x3::_val(context).kind = ast::Condition::Kind::kSet;
  x3::_val(context).set = std::move(x3::_attr(context));
};
constexpr auto kFieldLeaf = [](const auto& context) {
  x3::_val(context).kind = ast::Condition::Kind::kField;
  x3::_val(context).field = std::move(x3::_attr(context));
};
constexpr auto kNegate = [](const auto& context) { ++x3::_val(context).negations; };

const auto nested = kOpen >> Recovering(Resume::kParenthesis)[Expected("a condition")[condition][kNested] >>
                                                              Expected("'&&', '||' or ')'")[&kClose]] >>
                    Closing{};
const auto operand = Rule<struct OperandTag, ast::Condition>{"condition"} =
    Spanned[Recovering(Resume::kOperand)[*((Sign("!", "=") | Keyword("NOT"))[kNegate]) >>
                                         Expected("a condition")[nested | set_predicate[kSetLeaf] | field_predicate[kFieldLeaf]]]];

template <ast::Condition::Kind kKind>
constexpr auto kUnwrapChain = [](const auto& context) {
  ast::Condition& value = x3::_val(context);
  value.kind = kKind;
  if (value.parts.size() != 1) return;
  ast::Condition only = std::move(value.parts.front());
  value = std::move(only);
};
const auto conjunction = Rule<struct ConjunctionTag, ast::Condition>{"condition"} =
    Spanned[operand[kPush<&ast::Condition::parts>] % (Sign("&&") | Keyword("AND")) >> x3::eps[kUnwrapChain<ast::Condition::Kind::kAnd>]];
const auto condition_def =
    Spanned[conjunction[kPush<&ast::Condition::parts>] % (Sign("||") | Keyword("OR")) >> x3::eps[kUnwrapChain<ast::Condition::Kind::kOr>]];
BOOST_SPIRIT_DEFINE(condition)

// ---- SELECT ----

using Column = ast::Column;
constexpr AnyTerm kVariable(kNames);
constexpr auto kFieldOf = [](const auto& context) {
  x3::_val(context).kind = Column::Kind::kField;
  x3::_val(context).field = std::move(x3::_attr(context));
};
// COUNT is a word like any other until a parenthesis follows.
struct CountOpen : Mark<CountOpen> {
  size_t Match(std::string_view rest) const {
    const size_t end = Keyword("COUNT").Match(rest);
    const size_t open = end == 0 ? 0 : SkipBlanks(rest, end);
    return open > 0 && rest.substr(open, 1) == "(" ? open + 1 : 0;
  }
};
const auto column_field = kDot >> Expected("a field")[AnyTerm(kAnyWords)][kFieldOf];
const auto column = Rule<struct ColumnTag, Column>{"column"} =
    Spanned[(Keyword("DISTANCE")[kAssign<&Column::kind, Column::Kind::kDistance>]) |
            (CountOpen{}[kAssign<&Column::kind, Column::Kind::kCount>] >> Expected("a variable")[kVariable][kPush<&Column::counted>] >>
             *(kComma >> Expected("a variable")[kVariable][kPush<&Column::counted>]) >> Expected("')'")[kClose]) |
            (kVariable[kSet<&Column::variable>] >> x3::eps[kAssign<&Column::kind, Column::Kind::kBug>] >> -column_field)];
constexpr auto kBareField = [](const auto& context) {
  Column& value = x3::_val(context);
  if (value.kind == Column::Kind::kField) return;
  value.kind = Column::Kind::kField;
  value.field = std::exchange(value.variable, Term{});
};
const auto order_column = Rule<struct OrderColumnTag, Column>{"column"} =
    Spanned[(Keyword("DISTANCE")[kAssign<&Column::kind, Column::Kind::kDistance>]) |
            (kVariable[kSet<&Column::variable>] >> -column_field >> x3::eps[kBareField])];

using Select = ast::Select;
const auto columns = Recovering(Resume::kClause)[
    Expected("a variable after SELECT")[column][kPush<&Select::columns>] >>
    *(kComma >> Expected("a variable, b.field or distance")[column][kPush<&Select::columns>]) >>
    Expected("',', FROM or WHERE")[&(Keyword("FROM") | Keyword("WHERE"))]];
const auto project = AnyTerm(kNames | kAllWord | kParameters)[kPush<&Select::from>];
const auto projects = Recovering(Resume::kClause)[Expected("a project or ALL after FROM")[project] >>
                                                  *(kComma >> Expected("a project")[project]) >>
                                                  Expected("',' or WHERE")[&Keyword("WHERE")]];

const auto metric = Rule<struct MetricTag, ast::Metric>{"metric"} =
    Spanned[Recovering(Resume::kClause)[
        Expected("a metric after DISTANCE: l, h, lcs, embedding, vsm, weighted, renamed or u(name)")[kVariable][kSet<&ast::Metric::name>] >>
        -(kOpen >> Expected("the metric's name")[AnyTerm(kNames | kTexts | kNumbers | kParameters)][kPush<&ast::Metric::arguments>] >>
          *(kComma >> Expected("an argument")[AnyTerm(kNames | kTexts | kNumbers | kParameters)][kPush<&ast::Metric::arguments>]) >>
          Expected("',' or ')'")[kClose])]];

const auto order_by = Rule<struct OrderTag, ast::OrderBy>{"order"} =
    Spanned[Expected("BY")[Keyword("BY")] >> Expected("a field or distance after ORDER BY")[order_column][kSet<&ast::OrderBy::column>] >>
            -(Keyword("ASC") | Keyword("DESC")[kAssign<&ast::OrderBy::descending, true>])];

// A clause that was given before is told of at its second place, and the first one stays.
template <auto Member>
constexpr auto kSetOnce = [](const auto& context) {
  auto& member = x3::_val(context).*Member;
  if (member) {
    StateOf(context).Report(x3::_attr(context).span, "this clause is given twice");
    return;
  }
  member = std::move(x3::_attr(context));
};
const auto tail = Recovering(Resume::kTail)[
    (Keyword("DISTANCE") >> metric[kSetOnce<&Select::metric>]) | (Keyword("ORDER") >> order_by[kSetOnce<&Select::order>]) |
    (Keyword("LIMIT") >> Expected("a number after LIMIT")[kAmount][kSetOnce<&Select::limit>]) |
    (Keyword("OFFSET") >> Expected("a number after OFFSET")[kAmount][kSetOnce<&Select::offset>]) |
    (Keyword("WITH") >> Expected("SELF after WITH")[Keyword("SELF")][kAssign<&Select::with_self, true>]) |
    NothingMore("'&&', '||', DISTANCE, ORDER BY, LIMIT, OFFSET, WITH SELF or the end")];

const auto select = Rule<struct SelectTag, Select>{"select"} =
    Spanned[Keyword("SELECT") >> columns >> -(Keyword("FROM") >> projects) >>
            Recovering(Resume::kClause)[Expected("WHERE and a condition")[Keyword("WHERE")] >>
                                        Expected("a condition")[condition][kSet<&Select::where>]] >>
            *tail];

// ---- Statements ----

const auto call = Rule<struct CallTag, ast::Call>{"call"} =
    Spanned[Keyword("CALL") >>
            Recovering(Resume::kClause)[
                Expected("a saved query's name after CALL")[AnyTerm(kNames)][kSet<&ast::Call::name>] >>
                -(kOpen >>
                  Recovering(Resume::kParenthesis)[
                      -(argument[kPush<&ast::Call::arguments>] >>
                        *(kComma >> Expected("an argument")[argument][kPush<&ast::Call::arguments>])) >>
                      Expected("',' or ')'")[&kClose]] >>
                  Closing{})]];

const auto query_parameter = Rule<struct QueryParameterTag, ast::QueryParameter>{"parameter"} =
    Spanned[AnyTerm(kNames | kParameters)[kSet<&ast::QueryParameter::name>] >>
            -(Sign("=") >> Expected("a default value")[AnyTerm(kNumbers | kTexts | kNames)][kSet<&ast::QueryParameter::default_value>])];

using Definition = ast::Definition;
constexpr auto kSelectText = [](const auto& context) {
  Select& attribute = x3::_attr(context);
  const TextSpan span = attribute.span;
  x3::_val(context).select_text = StateOf(context).text().substr(span.begin, span.end - span.begin);
  x3::_val(context).select = std::move(attribute);
};
const auto definition = Rule<struct DefinitionTag, Definition>{"definition"} =
    Spanned[Keyword("CREATE") >>
            Recovering(Resume::kTail)[
                Expected("QUERY after CREATE")[Keyword("QUERY")] >> Expected("a name for the query")[AnyTerm(kNames)][kSet<&Definition::name>] >>
                -(kOpen >>
                  Recovering(Resume::kParenthesis)[
                      -(query_parameter[kPush<&Definition::parameters>] >>
                        *(kComma >> Expected("a parameter's name")[query_parameter][kPush<&Definition::parameters>])) >>
                      Expected("',' or ')'")[&kClose]] >>
                  Closing{}) >>
                Expected("AS and a SELECT")[Keyword("AS")] >> Expected("SELECT after AS")[select][kSelectText]]];

using Statement = ast::Statement;
template <auto Member, Statement::Kind kKind>
constexpr auto kStatement = [](const auto& context) {
  x3::_val(context).*Member = std::move(x3::_attr(context));
  x3::_val(context).kind = kKind;
};
const auto statement = Rule<struct StatementTag, Statement>{"statement"} =
    Spanned[((Keyword("EXPLAIN")[kAssign<&Statement::explain, true>] >> -(Keyword("ANALYZE")[kAssign<&Statement::analyze, true>]) >>
              Expected("SELECT or CALL after EXPLAIN")[select[kStatement<&Statement::select, Statement::Kind::kSelect>] |
                                                       call[kStatement<&Statement::call, Statement::Kind::kCall>]]) |
             select[kStatement<&Statement::select, Statement::Kind::kSelect>] | call[kStatement<&Statement::call, Statement::Kind::kCall>] |
             definition[kStatement<&Statement::definition, Statement::Kind::kCreateQuery>] |
             (Keyword("SHOW") >> Expected("QUERIES after SHOW")[Keyword("QUERIES")]
                                         [kAssign<&Statement::kind, Statement::Kind::kShowQueries>]) |
             (Keyword("DROP") >> Expected("QUERY after DROP")[Keyword("QUERY")] >>
              Expected("a saved query's name")[AnyTerm(kNames)][kStatement<&Statement::name, Statement::Kind::kDropQuery>]))];
const auto whole = Expected("SELECT, EXPLAIN, CALL, CREATE QUERY, SHOW QUERIES or DROP QUERY")[statement] >> -Sign(";") >>
                   Expected("the end of the statement")[x3::eoi];

}  // namespace

void ParseWithGrammar(std::string_view text, const SyntaxLimits& limits, ParsedStatement& parsed) {
  // Spirit works on pointers, and an empty view may have none.
  if (text.data() == nullptr) text = "";
  ParseState state(text, limits, parsed);
  Statement tree;
  Iterator first = text.data();
  const Iterator last = text.data() + text.size();
  try {
    const auto grammar = x3::with<StateTag>(std::ref(state))[whole];
    x3::phrase_parse(first, last, grammar, Skipper{}, tree, x3::skip_flag::dont_post_skip);
    parsed.statement = std::move(tree);
  } catch (const x3::expectation_failure<Iterator>& failure) {
    state.ReportExpected(failure.where(), failure.which());
    if (tree.span != TextSpan{}) parsed.statement = std::move(tree);
  } catch (const TooManyErrors&) {
    // What was told is enough to begin with.
  }
}

}  // namespace oscope::bql
