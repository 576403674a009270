// The small facts of BQL's spelling that the grammar, the statement splitter and completion share.
//
// All take a text and an offset into it. Nothing here recurses or allocates.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oscope::bql {

inline constexpr size_t kUnclosed = std::string_view::npos;

bool IsWordByte(char c);  // letters, digits, _, and every byte of a character beyond ASCII
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

// Past blanks and `-- …` comments.
size_t SkipBlanks(std::string_view text, size_t at);
// Past a word: word bytes and single dashes inside (b527, BEANUTILS-342, 2026-01-02). `at` when there is none.
size_t WordEnd(std::string_view text, size_t at);
// Past a number: -3, 10, 0.5. `at` when there is none, or when a word goes on after it.
size_t NumberEnd(std::string_view text, size_t at);
// Past the closing quote of the same kind as the one at `at`; a doubled quote is no end. kUnclosed when there is none.
size_t QuotedEnd(std::string_view text, size_t at);
// Past the closing slash, in the same line; `\/` is no end. kUnclosed when there is none.
size_t RegexEnd(std::string_view text, size_t at);
// Past an unquoted glob: org/apache/*, net::*.
size_t BareEnd(std::string_view text, size_t at);

// A token, coarsely: enough to find the end of a statement or the way out of an error.
struct Token {
  enum class Kind : uint8_t { kEnd, kWord, kParameter, kQuoted, kRegex, kPunctuation };
  Kind kind = Kind::kEnd;
  size_t begin = 0, end = 0;
  bool closed = true;  // of kQuoted: false when the text ends first
  std::string_view In(std::string_view text) const { return text.substr(begin, end - begin); }
};

// Reads tokens from left to right. A slash after a comma or a `!` begins a regular expression, any other is
// punctuation.
class TokenScanner {
 public:
  explicit TokenScanner(std::string_view text, size_t at = 0) : text_(text), at_(at) {}
  Token Next();

 private:
  std::string_view text_;
  size_t at_;
  char before_ = 0;  // the last byte of the token before, when it is punctuation
};

}  // namespace oscope::bql
