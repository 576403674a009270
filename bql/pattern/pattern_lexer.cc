// The tokens of a pattern. The difficulty is that names of C++ and Java contain what patterns use as operators:
// `operator->*`, `map<int, int>::at`, `Outer$Inner`, `f()`.
//
// A grammar with one meaning for each character would force users to quote nearly every name. Instead the rule in the
// header decides each character by its neighbours: a dot before another byte of a name belongs to the name, any other
// dot is an event. What cannot be decided that way must be in backquotes, and typical mistakes (a glob without
// backquotes, `a{3}`, `.name`) get an error that says what to write instead.
#include "bql/pattern/pattern_lexer.h"

#include <fmt/core.h>

#include <array>

#include "base/escape.h"
#include "bql/pattern/glob.h"

namespace oscope::bql {
namespace {

using Kind = PatternToken::Kind;

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsNameByte(char c) { return IsWordByte(c) || std::string_view("~:@#%&=!,;'-").find(c) != std::string_view::npos; }

constexpr std::string_view kOperator = "operator";
// Longer ones first.
constexpr std::array<std::string_view, 39> kOperators = {
    "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "==", "!=",
    "&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "+",
    "-",  "*",  "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  "<",  ">",  ","};

char ClosingOf(char open) { return open == '<' ? '>' : open == '[' ? ']' : '}'; }

class Lexer {
 public:
  Lexer(std::string_view text, uint32_t offset, std::vector<Diagnostic>& diagnostics)
      : text_(text), offset_(offset), diagnostics_(diagnostics) {}

  std::vector<PatternToken> Run() {
    while (at_ < text_.size() && errors_ < kMaxPatternErrors) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else {
        Token();
      }
    }
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // A byte at which a name may begin or go on after `.`, `/`, `$`.
  bool StartsPart(size_t ahead) const {
    const char c = Peek(ahead);
    if (c == '-') return Peek(ahead + 1) != '>';
    return IsNameByte(c) || c == '<' || c == '{' || c == '[' || (c == '$' && IsWordByte(Peek(ahead + 1)));
  }

  void Error(size_t begin, size_t end, std::string message) {
    ++errors_;
    diagnostics_.push_back({Severity::kError, SpanOf(begin, end), std::move(message)});
  }

  TextSpan SpanOf(size_t begin, size_t end) const {
    return {offset_ + static_cast<uint32_t>(begin), offset_ + static_cast<uint32_t>(end)};
  }

  void Add(Kind kind, size_t begin, std::string text = {}) {
    tokens_.push_back({kind, SpanOf(begin, at_), std::move(text)});
  }

  void Single(Kind kind) {
    ++at_;
    Add(kind, at_ - 1);
  }

  void Token() {
    switch (text_[at_]) {
      case '(': return Single(Kind::kOpen);
      case ')': return Single(Kind::kClose);
      case '|': return Single(Kind::kBar);
      case '*': return Single(Kind::kStar);
      case '+': return Single(Kind::kPlus);
      case '?': return Single(Kind::kOption);
      case '^': return Single(Kind::kBegin);
      case '.': return Dot();
      case '`': return Backquoted();
      case '/': return Regex();
      case '-':
        if (Peek(1) != '>') return Name();
        at_ += 2;
        return Add(Kind::kArrow, at_ - 2);
      case '$': return StartsPart(1) ? Name() : Single(Kind::kEnd);
      case '{': return IsCount() ? BoundedRepetition() : Name();
      default: return IsNameByte(text_[at_]) || text_[at_] == '<' || text_[at_] == '[' ? Name() : OddByte();
    }
  }

  void OddByte() {
    ++at_;
    Error(at_ - 1, at_,
          fmt::format("'{}' cannot be part of a plain event name: put the name in backquotes",
                      EscapeForTerminal(text_.substr(at_ - 1, 1))));
  }

  void Dot() {
    const size_t begin = at_;
    if (IsWordByte(Peek(1)))
      Error(begin, begin + 1, "a dot before a name: write '. name' for any event and then the name");
    Single(Kind::kAny);
  }

  // At '{': whether only digits and commas stand before '}', as in a{3} or a{1,5}.
  bool IsCount() const {
    const size_t close = text_.find('}', at_);
    return text_.substr(at_ + 1, close == std::string_view::npos ? close : close - at_ - 1)
               .find_first_not_of("0123456789, ") == std::string_view::npos;
  }

  void BoundedRepetition() {
    const size_t begin = at_;
    const size_t close = text_.find('}', at_);
    at_ = close == std::string_view::npos ? text_.size() : close + 1;
    Error(begin, at_, "a counted repetition is not part of the language: write 'a -> a -> a', 'a+' or 'a*'");
  }

  void Backquoted() {
    const size_t begin = at_++;
    std::string held;
    for (; at_ < text_.size() && text_[at_] != '`'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) held += text_[at_++];
      held += text_[at_];
    }
    if (at_ == text_.size()) return Error(begin, begin + 1, "unclosed backquote");
    ++at_;
    if (held.empty()) return Error(begin, at_, "an empty name");
    const bool glob = IsGlob(held);
    Add(glob ? Kind::kGlob : Kind::kName, begin, glob ? held : WithoutEscapes(held));
  }

  void Regex() {
    const size_t begin = at_++;
    std::string expression;
    for (; at_ < text_.size() && text_[at_] != '/'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] != '/') expression += '\\';
      }
      expression += text_[at_];
    }
    if (at_ == text_.size()) return Error(begin, begin + 1, "unclosed regular expression: it begins and ends with '/'");
    ++at_;
    if (expression.empty()) return Error(begin, at_, "an empty regular expression: '.' is any event");
    Add(Kind::kRegex, begin, std::move(expression));
  }

  void Name() {
    const size_t begin = at_;
    part_ = at_;
    while (at_ < text_.size() && NameByte()) {
    }
    if (at_ == begin) return OddByte();
    if (Peek(0) == '(' && Peek(1) == ')') at_ += 2;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.ends_with("::")) Error(begin, at_, "a name cannot end in a separator");
    Add(Kind::kName, begin, std::string(name));
    RefuseGlob(begin);
    if (Peek(0) == '{') BoundedRepetition();
  }

  // Takes the next byte or group of the name; false at its end.
  bool NameByte() {
    const char c = text_[at_];
    if (c == '<' || c == '[' || (c == '{' && at_ == part_)) return Group(c);
    if (c == '.' || c == '/' || c == '$') {
      if (!StartsPart(1)) return false;
      ++at_;
      if (c != '$') part_ = at_;
      return true;
    }
    if (c == '-' && Peek(1) == '>') return false;
    if (!IsNameByte(c)) return false;
    if (c == ':' && Peek(1) == ':') {
      if (Peek(2) == '*') return false;
      at_ += 2;
      part_ = at_;
      return true;
    }
    ++at_;
    Operator();
    return true;
  }

  // After "operator" at the start of a part: the operator's symbol belongs to the name.
  void Operator() {
    if (text_.substr(part_, at_ - part_) != kOperator) return;
    for (const std::string_view symbol : kOperators) {
      if (text_.substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      return;
    }
  }

  bool Group(char open) {
    const char close = ClosingOf(open);
    size_t depth = 0;
    for (size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == open) ++depth;
      if (text_[i] == close && !(close == '>' && text_[i - 1] == '-') && --depth == 0) {
        at_ = i + 1;
        return true;
      }
    }
    Error(at_, at_ + 1, fmt::format("unclosed '{}': put a name with odd characters in backquotes", open));
    at_ = text_.size();
    return false;
  }

  // `net::*` and `org/apache/*` outside backquotes: a star repeats an event, it is no glob.
  void RefuseGlob(size_t begin) {
    const size_t separator = Peek(0) == '/' && Peek(1) == '*'                     ? 1
                             : Peek(0) == ':' && Peek(1) == ':' && Peek(2) == '*' ? 2
                                                                                  : 0;
    if (separator == 0) {
      if (Peek(0) == '.' && Peek(1) == '*' && at_ > begin) {
        diagnostics_.push_back({Severity::kWarning, SpanOf(at_, at_ + 2),
                                "'.*' means any events after the name; a glob must be in backquotes"});
      }
      return;
    }
    at_ += separator + 1;
    Error(begin, at_,
          fmt::format("'*' repeats an event: write the glob in backquotes: `{}`",
                      EscapeForTerminal(text_.substr(begin, at_ - begin))));
  }

  std::string_view text_;
  uint32_t offset_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<PatternToken> tokens_;
  size_t at_ = 0, part_ = 0, errors_ = 0;
};

}  // namespace

std::vector<PatternToken> LexPattern(std::string_view text, uint32_t offset, std::vector<Diagnostic>& diagnostics) {
  return Lexer(text, offset, diagnostics).Run();
}

}  // namespace oscope::bql
