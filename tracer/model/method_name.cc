// Method names as recorders and stack traces show them, brought to one form.
//
// Demanglers, debuggers, the JVM and Python spell the same method in different ways, with or without return types,
// parameters, template arguments, ABI tags and suffixes of compilers. Two recordings can only be compared if all of
// these become the same text. A grammar of C++ names would be the alternative. It is not used here, because much of
// what arrives is not a correct C++ name (it was cut, or comes from another language), and such a name must still
// become something stable.
//
// So one pass reads the name from left to right, keeps what is outside of parameter lists, and drops everything before
// a space (a return type). Operators are the exception that needs most of the code: `operator<` and `operator()`
// contain brackets that are none. Brackets are matched with an explicit stack, so that a hostile name cannot exhaust
// ours. NormaliseMethod repeats the pass until nothing changes; the result is therefore its own normal form.
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tracer/model/event.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool IsIdentifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

bool StartsWithAt(std::string_view text, size_t at, std::string_view what) {
  return text.substr(std::min(at, text.size())).starts_with(what);
}

size_t SkipWhile(std::string_view text, size_t at, auto accept) {
  while (at < text.size() && accept(text[at])) ++at;
  return at;
}

size_t SkipIdentifier(std::string_view text, size_t at) { return SkipWhile(text, at, IsIdentifier); }

size_t SkipSpaces(std::string_view text, size_t at) {
  return SkipWhile(text, at, [](char c) { return c == ' '; });
}

constexpr std::string_view kOperator = "operator";

bool IsOperatorAt(std::string_view text, size_t at) {
  if (!StartsWithAt(text, at, kOperator)) return false;
  if (at > 0 && IsIdentifier(text[at - 1])) return false;
  const size_t end = at + kOperator.size();
  // A Java or Python scope may bear the name: "org.operator.X".
  return end < text.size() && !IsIdentifier(text[end]) && text[end] != '.' && text[end] != ':';
}

// One past the symbol of an operator ("<<", "()"), or `at` when there is none.
size_t SkipOperatorSymbol(std::string_view text, size_t at) {
  constexpr std::array<std::string_view, 45> kSymbols = {
      "()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
      "++", "--", "+=",  "-=",  "*=",  "/=",  "%=", "^=", "&=", "|=", "+",  "-",  "*",  "/",  "%",
      "^",  "&",  "|",   "~",   "!",   "=",   "<",  ">",  ",",  "?:", "?",  ".",  "#",  ";",  "@"};
  for (const std::string_view symbol : kSymbols) {
    if (!StartsWithAt(text, at, symbol)) continue;
    const size_t end = at + symbol.size();
    // "operator<<int>" is operator< with the template argument int.
    if (symbol == "<<" && end < text.size() && IsIdentifier(text[end])) return at + 1;
    return end;
  }
  return at;
}

size_t SkipBrackets(std::string_view text, size_t open);

// One past the name of the operator that begins at `at`: its symbol, keyword, literal suffix or type.
size_t SkipOperator(std::string_view text, size_t at) {
  at += kOperator.size();
  if (StartsWithAt(text, at, "\"\"")) return SkipIdentifier(text, SkipSpaces(text, at + 2));
  if (const size_t end = SkipOperatorSymbol(text, at); end != at) return end;
  for (const std::string_view word : {" new[]", " delete[]", " new", " delete", " co_await"}) {
    const size_t end = at + word.size();
    if (StartsWithAt(text, at, word) && (end >= text.size() || !IsIdentifier(text[end]))) return end;
  }
  while (at < text.size() && text[at] != '(') {
    if (StartsWithAt(text, at, "::") && (StartsWithAt(text, at, "::{") || IsOperatorAt(text, at + 2))) break;
    const bool opens = text[at] == '<' || text[at] == '[' || text[at] == '{';
    at = opens ? SkipBrackets(text, at) : at + 1;
  }
  while (text[at - 1] == ' ') --at;
  return at;
}

// The brackets that are open, innermost last.
class BracketStack {
 public:
  bool empty() const { return open_.empty(); }
  char top() const { return open_.empty() ? '\0' : open_.back(); }
  void Push(char bracket) {
    open_ += bracket;
    ++Count(bracket);
  }
  // Closes the innermost `bracket` and what was left open inside it; nothing when there is none.
  void PopTo(char bracket) {
    if (Count(bracket) == 0) return;
    while (Pop() != bracket) {
    }
  }

 private:
  char Pop() {
    const char bracket = open_.back();
    open_.pop_back();
    --Count(bracket);
    return bracket;
  }
  size_t& Count(char bracket) { return counts_[static_cast<unsigned char>(bracket)]; }

  std::string open_;
  std::array<size_t, 128> counts_{};
};

// One past the bracket that closes the one at `open`; the end when nothing does.
size_t SkipBrackets(std::string_view text, size_t open) {
  BracketStack stack;
  for (size_t i = open; i < text.size();) {
    if (i != open && IsOperatorAt(text, i)) {
      // Only a symbol can be mistaken for a bracket; a conversion's type is read like any other.
      i = SkipOperatorSymbol(text, i + kOperator.size());
      continue;
    }
    switch (const char c = text[i]) {
      case '<':
      case '(':
      case '[':
      case '{': stack.Push(c); break;
      case '>':
        // Inside parentheses it compares, after '-' it points.
        if (stack.top() == '<' && text[i - 1] != '-') stack.PopTo('<');
        break;
      case ')': stack.PopTo('('); break;
      case ']': stack.PopTo('['); break;
      case '}': stack.PopTo('{'); break;
      default: break;
    }
    ++i;
    if (stack.empty()) return i;
  }
  return text.size();
}

void DropAnonymousScope(std::string& text) {
  for (const std::string_view scope :
       {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::", "`anonymous namespace'::", "_GLOBAL__N_1::"}) {
    if (text.ends_with(scope)) text.resize(text.size() - scope.size());
  }
}

// Takes away an ABI tag or a clone's name that begins at `open` and ends the text.
void DropTag(std::string& text, size_t open) {
  if (!StartsWithAt(text, open, "[abi:") && !StartsWithAt(text, open, "[clone ")) return;
  text.resize(open);
  while (text.ends_with(' ')) text.pop_back();
}

std::string WithoutNoise(std::string_view name) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view prefix :
         {" ", "\t", "non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
          "transaction clone for ", "non-transaction clone for "}) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      again = true;
    }
  }
  while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back())) != 0) name.remove_suffix(1);
  std::string text;
  text.reserve(name.size());
  size_t open = name.size();
  for (const char c : name) {
    if (c == '[') open = text.size();
    text += c;
    if (c == ':') DropAnonymousScope(text);
    if (c == ']') DropTag(text, std::exchange(open, name.size()));
  }
  return text;
}

// "Main$$Lambda$14/0x0000000800066840.run": the numbers differ from run to run.
void DropJavaLambdaNumbers(std::string& text) {
  constexpr std::string_view kLambda = "$$Lambda";
  const size_t begin = text.find(kLambda);
  if (begin == kNone) return;
  const size_t from = begin + kLambda.size();
  size_t to = SkipWhile(text, from, [](char c) { return c == '$' || (c >= '0' && c <= '9'); });
  if (to < text.size() && text[to] == '/') {
    to = SkipWhile(text, to + 1, [](char c) { return c == 'x' || std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  }
  text.erase(from, to - from);
}

// "org/apache/X.m" becomes "org.apache.X.m"; a loader's or module's name before the class ("java.base/", "app//",
// "app/main@1/") goes.
void DotJavaPath(std::string& text) {
  std::string_view head = std::string_view(text).substr(0, text.find('('));
  if (head.find('/') == kNone || head[0] == '/' || head.find("::") != kNone || head.find(' ') != kNone ||
      head.find(kOperator) != kNone) {
    return;
  }
  if (const size_t loader = head.rfind("//"); loader != kNone) {
    text.erase(0, loader + 2);
    return;
  }
  const size_t slash = head.rfind('/');
  // A version belongs to a module, which the class follows: "com.foo.loader/foo@9.0/com.foo.Main.run".
  const bool has_version = head.substr(0, slash).find('@') != kNone;
  if (has_version || (head.find('/') == slash && head.substr(0, slash).find('.') != kNone)) {
    text.erase(0, slash + 1);
    return;
  }
  for (size_t i = 0; i < head.size(); ++i) {
    if (text[i] == '/') text[i] = '.';
  }
}

// "@plt", "@GLIBC_2.2.5", "@@GLIBC_2.2.5" and nothing after it.
bool IsVersionSuffix(std::string_view text) {
  text.remove_prefix(text.starts_with("@@") ? 2 : 1);
  if (text.empty() || text[0] == '.') return false;
  return SkipWhile(text, 0, [](char c) { return IsIdentifier(c) || c == '.'; }) == text.size();
}

void StripDigitsAfterDot(std::string& name, bool& stripped) {
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits >= name.size() || digits < 2 || name[digits - 1] != '.') return;
  name.resize(digits - 1);
  stripped = true;
}

bool StripEnding(std::string& name, std::string_view ending) {
  if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
  name.resize(name.size() - ending.size());
  return true;
}

bool StripHexAfter(std::string& name, std::string_view mark, size_t exact_digits) {
  const size_t digits = name.find_last_not_of("0123456789abcdef") + 1;
  const size_t count = name.size() - digits;
  if (count == 0 || (exact_digits != 0 && count != exact_digits)) return false;
  if (digits <= mark.size() || !std::string_view(name).substr(0, digits).ends_with(mark)) return false;
  name.resize(digits - mark.size());
  return true;
}

// What compilers append to a clone's name, an offset, and Rust's hash.
void StripCompilerSuffixes(std::string& name) {
  for (bool stripped = true; stripped;) {
    stripped = false;
    StripDigitsAfterDot(name, stripped);
    if (stripped) {
      for (const std::string_view clone : {".isra", ".part", ".constprop", ".lto_priv", ".llvm", ".clone"}) {
        if (StripEnding(name, clone)) break;
      }
    }
    for (const std::string_view clone : {".cold", ".localalias"}) stripped |= StripEnding(name, clone);
    stripped |= StripHexAfter(name, "+0x", 0) || StripHexAfter(name, "::h", 16);
  }
}

// One pass over a name without noise.
class NameScanner {
 public:
  explicit NameScanner(std::string text) : text_(std::move(text)) {
    // A name without arguments of either sort has no return type: its spaces are its own.
    has_arguments_ = text_.find('(') != kNone || text_.find('<') != kNone;
  }

  std::string Scan() {
    while (at_ < text_.size() && Step()) {
    }
    out_.erase(0, LeadingNoise());
    while (out_.ends_with(' ')) out_.pop_back();
    StripCompilerSuffixes(out_);
    return std::move(out_);
  }

 private:
  // Reads one piece of the name; false at its end.
  bool Step() {
    if (IsOperatorAt(text_, at_)) return Operator();
    switch (text_[at_]) {
      case '<': return AngleBrackets();
      case '{':
      case '[': return CopyTo(SkipBrackets(text_, at_));
      case '(': return Parenthesis();
      case ')': return false;
      case '\'': return QuotedScope();
      case ' ': return Space();
      case '@':
        if (!out_.empty() && IsVersionSuffix(rest())) return false;
        break;
      case ':':
        if (StartsWithAt(text_, at_, "::")) return Scope();
        break;
      default: break;
    }
    return CopyTo(at_ + 1);
  }

  // What is left of a return type in front of the name.
  size_t LeadingNoise() const {
    size_t at = 0;
    while (true) {
      const size_t next = SkipWhile(out_, at, [](char c) { return c == '*' || c == '&' || c == ' '; });
      if (!StartsWithAt(out_, next, "::")) return next;
      at = next + 2;
    }
  }

  bool CopyTo(size_t end) {
    out_.append(text_, at_, end - at_);
    at_ = end;
    return true;
  }

  bool Scope() {
    if (!out_.empty()) return CopyTo(at_ + 2);
    at_ += 2;
    return true;
  }

  bool Operator() {
    CopyTo(SkipOperator(text_, at_));
    if (StartsWithAt(text_, at_, " <")) CopyTo(SkipBrackets(text_, at_ + 1));
    return true;
  }

  bool AngleBrackets() {
    const size_t end = SkipBrackets(text_, at_);
    const bool is_lambda = StartsWithAt(text_, at_, "<lambda(") && StartsWithAt(text_, end - 2, ")>");
    if (!is_lambda) return CopyTo(end);
    out_ += fmt::format("{{{}#1}}", std::string_view(text_).substr(at_ + 1, end - at_ - 2));
    at_ = end;
    return true;
  }

  // LLVM's 'lambda'(int), 'lambda0'(int) … are GCC's {lambda(int)#1}, {lambda(int)#2} …
  bool QuotedScope() {
    constexpr std::string_view kLambda = "'lambda";
    const size_t digits = at_ + kLambda.size();
    const size_t quote = SkipWhile(text_, digits, [](char c) { return c >= '0' && c <= '9'; });
    const bool is_lambda = StartsWithAt(text_, at_, kLambda) && StartsWithAt(text_, quote, "'(") && quote - digits < 9;
    if (!is_lambda) return CopyTo(at_ + 1);
    const int ordinal = quote == digits ? 1 : std::stoi(text_.substr(digits, quote - digits)) + 2;
    const size_t end = SkipBrackets(text_, quote + 1);
    out_ += fmt::format("{{lambda{}#{}}}", std::string_view(text_).substr(quote + 1, end - quote - 1), ordinal);
    at_ = end;
    return true;
  }

  // What came before was a return type, unless an argument list follows.
  bool Space() {
    ++at_;
    if (!has_arguments_) {
      out_ += ' ';
    } else if (at_ < text_.size() && text_[at_] != '(') {
      out_.clear();
    }
    return true;
  }

  bool Parenthesis() {
    const size_t end = SkipBrackets(text_, at_);
    const bool opens_scope = out_.empty() || out_.ends_with("::") || out_.ends_with('.');
    const bool scope_follows = StartsWithAt(text_, end, "::") || StartsWithAt(text_, end, ".");
    if (opens_scope && scope_follows) return CopyTo(end);
    if (out_.ends_with("decltype")) return CopyTo(end);
    if (const size_t name = DeclaratorName(end); name != kNone) {
      out_.clear();
      at_ = name;
      return true;
    }
    at_ = SkipQualifiers(end);
    return StartsWithAt(text_, at_, "::");
  }

  // Where the name begins in a declarator like "(*name(int))(char)" or "(C::*name(int))(char)"; else kNone.
  size_t DeclaratorName(size_t end) const {
    if (at_ > 0 && text_[at_ - 1] != ' ') return kNone;
    size_t name = SkipWhile(text_, at_, [](char c) { return c == '(' || c == '*' || c == '&' || c == ' '; });
    const std::string_view inside = std::string_view(text_).substr(name, end > name ? end - name : 0);
    const size_t member = inside.substr(0, inside.find('(')).rfind("::*");
    if (member != kNone)
      name = SkipWhile(text_, name + member + 3, [](char c) { return c == '*' || c == '&' || c == ' '; });
    const bool pointer =
        member != kNone || (at_ + 1 < text_.size() && (text_[at_ + 1] == '*' || text_[at_ + 1] == '&'));
    const bool named = name < text_.size() && (IsIdentifier(text_[name]) || text_[name] == ':' || text_[name] == '~');
    return pointer && named ? name : kNone;
  }

  size_t SkipQualifiers(size_t at) const {
    for (bool again = true; again;) {
      again = false;
      at = SkipSpaces(text_, at);
      for (const std::string_view word : {"const", "volatile", "restrict", "noexcept", "&&", "&"}) {
        const size_t end = at + word.size();
        const bool is_word = IsIdentifier(word[0]) && end < text_.size() && IsIdentifier(text_[end]);
        if (!StartsWithAt(text_, at, word) || is_word) continue;
        at = end;
        again = true;
      }
    }
    return at;
  }

  std::string_view rest() const { return std::string_view(text_).substr(at_); }

  std::string text_;
  size_t at_ = 0;
  std::string out_;
  bool has_arguments_;
};

std::string NormaliseOnce(const std::string& name) {
  std::string text = WithoutNoise(name);
  DropJavaLambdaNumbers(text);
  DotJavaPath(text);
  std::string out = NameScanner(std::move(text)).Scan();
  return out.empty() ? name : out;
}

// Where the last separator of scopes outside brackets and operators begins; 0 when there is none.
size_t LastSeparator(std::string_view method) {
  size_t last = 0;
  for (size_t i = 0; i < method.size();) {
    if (IsOperatorAt(method, i)) {
      i = SkipOperator(method, i);
      continue;
    }
    switch (method[i]) {
      case '<':
      case '(':
      case '[':
      case '{': i = SkipBrackets(method, i); continue;
      case ':':
        if (!StartsWithAt(method, i, "::")) break;
        last = i;
        i += 2;
        continue;
      case '.':
      case '/': last = i; break;
      default: break;
    }
    ++i;
  }
  return last;
}

}  // namespace

std::string NormaliseMethod(std::string_view name) {
  std::string current(name);
  while (true) {
    std::string next = NormaliseOnce(current);
    if (next == current) return current;
    current = std::move(next);
  }
}

std::string WithoutTemplateArguments(std::string_view method) {
  std::string plain;
  plain.reserve(method.size());
  bool names = false;  // what was read last is a name, which arguments may follow
  for (size_t at = 0; at < method.size();) {
    const bool is_operator = IsOperatorAt(method, at);
    const char c = method[at];
    size_t end = at + 1;
    if (is_operator) {
      end = SkipOperator(method, at);
    } else if (c == '<' && names) {
      end = SkipBrackets(method, at);
      if (method[end - 1] != '>') return plain.append(method.substr(at));
      at = end;
      continue;
    } else if (c == '{' || c == '[' || c == '(') {
      end = SkipBrackets(method, at);
    }
    plain.append(method.substr(at, end - at));
    at = end;
    names = is_operator || IsIdentifier(c);
    if (is_operator && StartsWithAt(method, at, " <")) ++at;  // a space parts its symbol from the list
  }
  return plain;
}

std::string_view ClassOf(std::string_view method) { return method.substr(0, LastSeparator(method)); }
std::string_view PackageOf(std::string_view method) { return ClassOf(ClassOf(method)); }

}  // namespace oscope
