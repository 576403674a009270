// Colours by tokens, without parsing: the text is incomplete most of the time, and a colour must not change because of
// what comes later.
#include "cli/shell/highlight.h"

#include <algorithm>
#include <string>

#include "bql/syntax/scan.h"

namespace oscope::cli {
namespace {

constexpr std::string_view kKeywords[] = {"SELECT",   "FROM",  "ALL",   "WHERE",     "AND",     "OR",     "NOT",
                                          "DISTANCE", "ORDER", "BY",    "ASC",       "DESC",    "LIMIT",  "OFFSET",
                                          "WITH",     "SELF",  "COUNT", "EXPLAIN",   "ANALYZE", "CREATE", "QUERY",
                                          "AS",       "CALL",  "SHOW",  "DROP",      "QUERIES", "LIKE",   "IN",
                                          "IS",       "NULL",  "PROJ",  "INTERSECT", "JACCARD", "SUBSET"};
constexpr std::string_view kPredicates[] = {"INTERSECT", "JACCARD", "SUBSET"};

template <size_t N>
bool IsOneOf(std::string_view word, const std::string_view (&words)[N]) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view known) { return bql::EqualsIgnoringCase(word, known); });
}

class Highlighter {
 public:
  explicit Highlighter(std::string_view text) : text_(text), styles_(text.size(), TextStyle::kPlain) {}

  std::vector<TextStyle> Run() {
    if (text_.starts_with('.')) {
      Paint(0, std::min(text_.find_first_of(" \t\n"), text_.size()), TextStyle::kKeyword);
      return std::move(styles_);
    }
    bql::TokenScanner scanner(text_);
    size_t end = 0;
    for (bql::Token token = scanner.Next(); token.kind != bql::Token::Kind::kEnd; token = scanner.Next()) {
      PaintComments(end, token.begin);
      PaintToken(token);
      end = token.end;
    }
    PaintComments(end, text_.size());
    return std::move(styles_);
  }

 private:
  void Paint(size_t begin, size_t end, TextStyle style) {
    std::fill(styles_.begin() + static_cast<ptrdiff_t>(begin), styles_.begin() + static_cast<ptrdiff_t>(end), style);
  }

  // Between tokens there are blanks and comments only.
  void PaintComments(size_t begin, size_t end) {
    const size_t dashes = text_.substr(begin, end - begin).find("--");
    if (dashes != std::string_view::npos) Paint(begin + dashes, end, TextStyle::kComment);
  }

  void PaintToken(const bql::Token& token) {
    using Kind = bql::Token::Kind;
    switch (token.kind) {
      case Kind::kQuoted: return Paint(token.begin, token.end, token.closed ? TextStyle::kQuoted : TextStyle::kError);
      case Kind::kRegex: return Paint(token.begin, token.end, TextStyle::kQuoted);
      case Kind::kParameter: return Paint(token.begin, token.end, TextStyle::kParameter);
      case Kind::kWord: return PaintWord(token);
      case Kind::kPunctuation: return PaintPunctuation(token);
      case Kind::kEnd: return;
    }
  }

  void PaintWord(const bql::Token& token) {
    const std::string_view word = token.In(text_);
    if (bql::NumberEnd(text_, token.begin) >= token.end) return Paint(token.begin, token.end, TextStyle::kNumber);
    // `b.all` is a field, not a keyword.
    const bool is_field = token.begin > 0 && text_[token.begin - 1] == '.';
    if (is_field || !IsOneOf(word, kKeywords)) return;
    const bool asks = IsOneOf(word, kPredicates) && text_.substr(token.end).starts_with('?');
    Paint(token.begin, token.end + (asks ? 1 : 0), TextStyle::kKeyword);
  }

  void PaintPunctuation(const bql::Token& token) {
    const char c = text_[token.begin];
    if (c == ';') open_.clear();
    if (c == '(' || c == '[') open_ += c;
    if (c != ')' && c != ']') return;
    const char partner = c == ')' ? '(' : '[';
    if (!open_.empty() && open_.back() == partner) {
      open_.pop_back();
    } else {
      Paint(token.begin, token.end, TextStyle::kError);
    }
  }

  const std::string_view text_;
  std::vector<TextStyle> styles_;
  std::string open_;  // brackets
};

}  // namespace

std::vector<TextStyle> Highlight(std::string_view text) { return Highlighter(text).Run(); }

}  // namespace oscope::cli
