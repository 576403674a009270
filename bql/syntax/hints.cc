// Says what may come next at the cursor, for completion. A text that is being written is almost never a valid
// statement, so parsing it would fail; instead the tokens before the cursor are read, and two things are kept: the
// clause that they are in, and the parentheses that are open, each with the word before it and the number of commas
// since. From these follows what the grammar would accept. The price is that a part of the grammar is repeated here in
// another form.
#include "bql/syntax/hints.h"

#include <algorithm>

#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

enum class Clause : uint8_t {
  kNone,
  kExplain,
  kSelect,
  kFrom,
  kWhere,
  kDistance,
  kOrder,
  kLimit,
  kCall,
  kDrop,
  kCreate,
  kShow
};

struct OpenParenthesis {
  std::string word;  // before it, in capitals: "INTERSECT?", "PROJ", "COUNT"; empty for a plain one
  size_t commas = 0;
};

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return upper;
}

bool IsSetPredicate(std::string_view word) { return word == "INTERSECT?" || word == "JACCARD?" || word == "SUBSET?"; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // All tokens, the last of which is being written when it touches the end.
  void Read() {
    TokenScanner scanner(text_);
    for (Token token = scanner.Next(); token.kind != Token::Kind::kEnd; token = scanner.Next()) {
      const bool touches_end = token.end == text_.size();
      const bool partial = (token.kind == Token::Kind::kWord || token.kind == Token::Kind::kParameter) && touches_end;
      const bool inside_quote = token.kind == Token::Kind::kQuoted && !token.closed;
      if (partial || inside_quote) {
        current_ = token;
        return;
      }
      Take(token);
    }
  }

  SyntaxHints Hints() const {
    SyntaxHints hints;
    hints.replace_begin = static_cast<uint32_t>(WordBegin());
    if (current_.kind == Token::Kind::kQuoted) {
      Quoted(hints);
    } else if (current_.kind == Token::Kind::kParameter || last_ == ":") {
      hints.parameters = true;
    } else if (last_ == "." && clause_ != Clause::kNone) {
      AfterDot(hints);
    } else {
      Bare(hints);
    }
    return hints;
  }

 private:
  size_t WordBegin() const {
    if (current_.kind == Token::Kind::kWord) return current_.begin;
    if (current_.kind == Token::Kind::kParameter) return current_.begin + 1;
    size_t begin = text_.size();
    if (current_.kind != Token::Kind::kQuoted) return begin;
    // The word inside the quotes; a bug in backquotes has dashes and more, and is replaced with its quote.
    const bool is_bug = text_[current_.begin] == '`';
    const auto is_name = [&](char c) {
      if (is_bug) return std::string_view(" \t\r\n,()").find(c) == std::string_view::npos;
      return IsWordByte(c) || c == ':' || c == '.' || c == '/' || c == '$' || c == '~';
    };
    while (begin > current_.begin + 1 && is_name(text_[begin - 1])) --begin;
    return is_bug && begin == current_.begin + 1 ? current_.begin : begin;
  }

  void Take(const Token& token) {
    const std::string part = token.kind == Token::Kind::kQuoted ? "''" : Upper(token.In(text_));
    if (part == ";") {
      *this = Reader(text_);
      return;
    }
    if (part == "(") {
      open_.push_back({last_word_, 0});
    } else if (part == ")" && !open_.empty()) {
      open_.pop_back();
    } else if (part == "," && !open_.empty()) {
      ++open_.back().commas;
    }
    last_word_ = part == "?" ? last_ + "?" : token.kind == Token::Kind::kWord ? part : "";
    if (token.kind == Token::Kind::kWord) TakeWord(part, token);
    last_ = part == "?" ? last_word_ : part;
  }

  void TakeWord(const std::string& word, const Token& token) {
    static constexpr std::pair<std::string_view, Clause> kClauses[] = {
        {"EXPLAIN", Clause::kExplain}, {"ANALYZE", Clause::kExplain}, {"SELECT", Clause::kSelect},
        {"FROM", Clause::kFrom},       {"WHERE", Clause::kWhere},     {"ORDER", Clause::kOrder},
        {"LIMIT", Clause::kLimit},     {"OFFSET", Clause::kLimit},    {"CALL", Clause::kCall},
        {"DROP", Clause::kDrop},       {"CREATE", Clause::kCreate},   {"SHOW", Clause::kShow}};
    for (const auto& [name, clause] : kClauses) {
      if (word != name || last_ == ".") continue;
      clause_ = clause;
      return;
    }
    if (word == "DISTANCE" && clause_ != Clause::kSelect && clause_ != Clause::kOrder) clause_ = Clause::kDistance;
    const bool names_variable = clause_ == Clause::kSelect && last_ != "." && word != "DISTANCE" && word != "COUNT";
    if (names_variable) variables_.emplace_back(token.In(text_));
  }

  // Patterns and lists of events stand in quotes, and so do the values of fields.
  void Quoted(SyntaxHints& hints) const {
    if (text_[current_.begin] == '`') {
      hints.bugs = true;
    } else {
      hints.events = !open_.empty() &&
                     (open_.back().word == "PROJ" || IsSetPredicate(open_.back().word) || open_.back().word.empty());
    }
  }

  void AfterDot(SyntaxHints& hints) const {
    const bool in_traces =
        std::any_of(open_.begin(), open_.end(), [](const OpenParenthesis& p) { return IsSetPredicate(p.word); });
    if (in_traces)
      hints.keywords = {"failing"};
    else
      hints.fields = true;
  }

  bool ExpectsOperand() const {
    return last_ == "&&" || last_ == "||" || last_ == "AND" || last_ == "OR" || last_ == "!" || last_ == "NOT" ||
           last_ == "WHERE" || last_ == "(";
  }

  void Traces(SyntaxHints& hints, bool pattern) const {
    hints.keywords = {"PROJ("};
    hints.variables = variables_;
    hints.bugs = true;
    hints.parameters = true;
    hints.events = pattern && open_.back().word == "PROJ";
  }

  void Bare(SyntaxHints& hints) const {
    for (const OpenParenthesis& parenthesis : open_) {
      if (IsSetPredicate(parenthesis.word) || parenthesis.word == "PROJ") return InPredicate(hints);
    }
    switch (clause_) {
      case Clause::kNone:
        hints.keywords = {"CALL", "CREATE QUERY", "DROP QUERY", "EXPLAIN", "SELECT", "SHOW QUERIES"};
        break;
      case Clause::kExplain: hints.keywords = {"ANALYZE", "CALL", "SELECT"}; break;
      case Clause::kSelect:
        hints.variables = variables_;
        hints.keywords = last_ == "SELECT" ? Words{"COUNT("}
                         : last_ == ","    ? Words{"distance"}
                                           : Words{"FROM", "WHERE"};
        break;
      case Clause::kFrom:
        hints.projects = last_ == "FROM" || last_ == ",";
        hints.keywords = last_ == "FROM" ? Words{"ALL"} : last_ == "," ? Words{} : Words{"WHERE"};
        break;
      case Clause::kWhere: InWhere(hints); break;
      case Clause::kDistance:
        hints.metrics = last_ == "DISTANCE";
        AddTail(hints, !hints.metrics);
        break;
      case Clause::kOrder:
        if (last_ == "ORDER")
          hints.keywords = {"BY"};
        else if (last_ == "BY")
          hints.keywords = {"distance"}, hints.variables = variables_, hints.fields = true;
        else
          hints.keywords = {"ASC", "DESC"}, AddTail(hints, true);
        break;
      case Clause::kLimit: AddTail(hints, last_ != "LIMIT" && last_ != "OFFSET"); break;
      case Clause::kCall:
        hints.saved_queries = last_ == "CALL";
        hints.bugs = hints.projects = hints.parameters = !open_.empty();
        break;
      case Clause::kDrop:
        hints.saved_queries = last_ == "QUERY";
        if (last_ == "DROP") hints.keywords = {"QUERY"};
        break;
      case Clause::kCreate:
        hints.keywords = last_ == "CREATE" ? Words{"QUERY"} : last_ == "AS" ? Words{"SELECT"} : Words{"AS"};
        break;
      case Clause::kShow: hints.keywords = {"QUERIES"}; break;
    }
  }

  void InPredicate(SyntaxHints& hints) const {
    const OpenParenthesis& inner = open_.back();
    if (inner.word == "PROJ" && inner.commas > 0) {
      hints.keywords = {"block",   "class",   "execution", "instruction", "method",
                        "package", "passing", "stack",     "statement",   "thread:"};
      hints.events = hints.parameters = true;
    } else if (IsSetPredicate(inner.word) && inner.commas > 1) {
      hints.keywords = {"d => ", "d => any"};
      if (inner.word == "INTERSECT?") hints.keywords.push_back("n => ");
      if (inner.word == "JACCARD?") hints.keywords.push_back("t => ");
      hints.parameters = true;
    } else if (last_ == "(" || last_ == "," || last_ == "|" || last_ == "]") {
      Traces(hints, inner.commas > 0);
    }
  }

  void InWhere(SyntaxHints& hints) const {
    if (ExpectsOperand()) {
      hints.keywords = {"INTERSECT?(", "JACCARD?(", "NOT", "SUBSET?("};
      hints.variables = variables_;
      return;
    }
    hints.keywords = {"AND", "IN", "IS", "LIKE", "OR"};
    AddTail(hints, open_.empty());
  }

  static void AddTail(SyntaxHints& hints, bool possible) {
    if (!possible) return;
    for (const char* word : {"DISTANCE", "LIMIT", "OFFSET", "ORDER BY", "WITH SELF"}) hints.keywords.emplace_back(word);
  }

  using Words = std::vector<std::string>;

  std::string_view text_;
  Token current_;  // being written; kEnd for none
  Clause clause_ = Clause::kNone;
  std::vector<OpenParenthesis> open_;
  std::vector<std::string> variables_;
  std::string last_, last_word_;  // the token before, and it again when it is a word
};

}  // namespace

SyntaxHints HintsAt(std::string_view text, uint32_t cursor) {
  Reader reader(text.substr(0, cursor));
  reader.Read();
  SyntaxHints hints = reader.Hints();
  std::sort(hints.keywords.begin(), hints.keywords.end());
  return hints;
}

}  // namespace oscope::bql
